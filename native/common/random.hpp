// Counter-based random numbers: a pure function of a key and a counter, so that threads cannot change them.
#pragma once

#include <cstdint>

namespace hedgerow {

inline uint64_t mix(uint64_t x) {  // the finaliser of splitmix64
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// The key of a node is a function of the seed and of the path from the root, not of when it is grown.
inline uint64_t root_key(uint64_t seed) { return mix(seed); }
inline uint64_t child_key(uint64_t key, int child) {
  return mix(key ^ (0x632be59bd9b4e019ull * (child + 1)));
}

inline double unit_of(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }  // [0, 1)

class Random {
 public:
  explicit Random(uint64_t key) : key_(key) {}
  uint64_t bits() { return mix(key_ + 0x9e3779b97f4a7c15ull * counter_++); }
  double unit() { return unit_of(bits()); }
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(((bits() >> 32) * n) >> 32); }

 private:
  uint64_t key_;
  uint64_t counter_ = 0;
};

}  // namespace hedgerow

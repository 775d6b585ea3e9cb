// Putting the cells of a node in order.
//
// In: keys, a cell's code in the high bits, what goes along with it in the low ones.   Out: the same,
// ascending by code, cells of equal code in the order they came in (or by what goes along, which is the same
// where that is their place).
//
//   few keys:   each finds its place by counting the smaller ones, eight at a time
//   many:       counted into buckets of a few keys each, then the same within a bucket; where a bucket holds
//               a single code, nothing is left to do
#pragma once

#include <cstdint>
#include <vector>

namespace hedgerow {

inline constexpr int64_t kKeyPadding = 16;  // entries after the last key that may be read

template <class Key>
class KeySorter {
 public:
  // Sorted keys, in `keys` or in `spare`. All keys lie between low and high; `low_bits` are not code.
  Key* operator()(Key* keys, int64_t n, Key* spare, Key low, Key high, int low_bits);

 private:
  std::vector<uint32_t> start_;
};

extern template class KeySorter<uint32_t>;
extern template class KeySorter<uint64_t>;

}  // namespace hedgerow

// Sums of doubles without rounding.
//
// In: numbers in any order.   Out: whole numbers, one for each 32 bits of the sum, times 2^-1075; added up
// over any pieces in any order they say the same, so that a sum rounded once, at the end, has no order.
//
//     x = m 2^(e - 1075), m of 53 bits:   m << (e mod 32) lies in the limbs e / 32 and the next two
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace hedgerow {

class ExactSum {
 public:
  static constexpr int kLimbs = 66, kWords = kLimbs + 2;  // and how many terms were NaN, how many infinite

  void add(double x) {
    const auto bits = std::bit_cast<uint64_t>(x);
    const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    if (exponent == 0x7ff) return add_strange(x);
    const uint64_t mantissa = (bits & 0xfffffffffffff) | (exponent ? uint64_t{1} << 52 : 0);
    const int place = exponent ? exponent : 1, limb = place >> 5, shift = place & 31;
    const int64_t low = static_cast<int64_t>((mantissa & 0xffffffff) << shift);
    const int64_t high = static_cast<int64_t>((mantissa >> 32) << shift);
    const int64_t sign = bits >> 63 ? -1 : 1;
    words_[limb] += sign * (low & 0xffffffff);
    words_[limb + 1] += sign * ((low >> 32 & 0x7fffffff) + (high & 0xffffffff));
    words_[limb + 2] += sign * (high >> 32);
  }

  // Each limb but the last between 0 and 2^32: to be called after at most 2^29 terms.
  void carry() {
    for (int k = 0; k + 1 < kLimbs; ++k) {
      const int64_t over = words_[k] >> 32;
      words_[k] -= over * (int64_t{1} << 32);
      words_[k + 1] += over;
    }
  }

  void add(const ExactSum& other) {
    for (int k = 0; k < kWords; ++k) words_[k] += other.words_[k];
    carry();
  }

  const std::array<int64_t, kWords>& words() const { return words_; }

 private:
  void add_strange(double x) { words_[x == x ? kLimbs + 1 : kLimbs] += x < 0 ? -1 : 1; }

  std::array<int64_t, kWords> words_{};
};

}  // namespace hedgerow

// exp, log2 and log(1 + x) for loops that the compiler turns into vectors: no branch, no call, the same bits
// in every clone.
//
// exp(x) = 2^k exp(r), |r| <= log(2) / 2; exp(r) by its series, which at 13 terms is beyond a double's last
// place.
#pragma once

#include <bit>
#include <cstdint>

#include "common/simd.hpp"

namespace hedgerow {

HEDGEROW_INLINE double plain_exp(double x) {
  const double above = x < -708.0 ? -708.0 : x;  // beyond, the nearest number that is not zero or infinite
  const double held = above > 709.0 ? 709.0 : above;
  const double shifted =
      held * 1.4426950408889634 + 6755399441055744.0;  // rounds to a whole number in the low bits
  const double k = shifted - 6755399441055744.0;
  const double r = (held - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  // The whole number surrogates in the last bits of `shifted`; from there it goes to the exponent of a
  // double.
  const double power = std::bit_cast<double>((std::bit_cast<uint64_t>(shifted) + 1023) << 52);
  return p * power;
}

// 1/First + z/(First + 2) + ... up to the term of 1/Last.
template <int First, int Last>
HEDGEROW_INLINE double odd_terms(double z) {
  if constexpr (First == Last)
    return 1.0 / First;
  else
    return odd_terms<First + 2, Last>(z) * z + 1.0 / First;
}

// log(1 + x) for x from 0 to 1: 2 (s + s^3/3 + s^5/5 + ...) with s = x / (2 + x), at most a third.
HEDGEROW_INLINE double plain_log1p(double x) {
  const double s = x / (2.0 + x), z = s * s;
  return 2.0 * (s + s * (odd_terms<3, 33>(z) * z));
}

// log2(x) for x above zero, neither infinite nor smaller than a normal number: x = 2^k m with m from
// sqrt(1/2) to sqrt(2), and log(m) = 2 (s + s^3/3 + s^5/5 + ...) with s = (m - 1) / (m + 1), at most 0.172.
HEDGEROW_INLINE double plain_log2(double x) {
  const uint64_t bits = std::bit_cast<uint64_t>(x), half = 0x3fe6a09e667f3bcdull;  // sqrt(1/2)
  const uint64_t up = (bits - half) >> 52;  // k, in the low bits; 2^52 or more if k is below zero
  const double k = std::bit_cast<double>(((up + 1024) & 0xfff) | 0x4330000000000000ull) - 4503599627371520.0;
  const double m = std::bit_cast<double>(bits - (up << 52));
  const double s = (m - 1.0) / (m + 1.0), z = s * s;
  return k + 2.8853900817779268 * (s + s * (odd_terms<3, 21>(z) * z));
}

}  // namespace hedgerow

// exp for loops that the compiler turns into vectors: no branch, no call, the same bits in every clone.
//
// exp(x) = 2^k exp(r), |r| <= log(2) / 2; exp(r) by its series, which at 13 terms is beyond a double's last
// place.
#pragma once

#include <bit>
#include <cstdint>

#include "simd.hpp"

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
  // The whole number stands in the last bits of `shifted`; from there it goes to the exponent of a double.
  const double power = std::bit_cast<double>((std::bit_cast<uint64_t>(shifted) + 1023) << 52);
  return p * power;
}

}  // namespace hedgerow

// exp of several numbers at once, by arithmetic alone: the same bits on every processor.
//
// exp(x) = 2^n exp(r), n the whole number nearest to x / log 2, |r| <= log(2) / 2, exp(r) by its series.
// Right to about 1e-7 (float) and 2e-16 (double), relative. For x between kLeast and -kLeast.
#pragma once

#include "svm/lanes.hpp"

namespace hedgerow::svm {

template <class T>
inline constexpr T kLeast =
    sizeof(T) == 4 ? T(-87) : T(-708);  // its exp is about the smallest number there is

template <class T>
HEDGEROW_INLINE Lanes<T> exponential(Lanes<T> x);

template <>
HEDGEROW_INLINE Lanes<float> exponential<float>(Lanes<float> x) {
  const auto shift = all<float>(12582912.0f);  // 1.5 * 2^23: adding it rounds to a whole number
  const auto shifted = x * all<float>(1.44269504088896f) + shift;
  const auto n = shifted - shift;
  const auto r = (x - n * all<float>(0.693359375f)) - n * all<float>(-2.12194440e-4f);
  const auto r2 = r * r, r4 = r2 * r2;  // in pairs: few steps wait for one another
  const auto p01 = 1.0f + r, p23 = 0.5f + r * (1.0f / 6), p45 = 1.0f / 24 + r * (1.0f / 120);
  const auto p67 = 1.0f / 720 + r * (1.0f / 5040);
  const auto p = (p01 + p23 * r2) + (p45 + p67 * r2) * r4;
  return p * power_of_two<float>(shifted);
}

template <>
HEDGEROW_INLINE Lanes<double> exponential<double>(Lanes<double> x) {
  const auto shift = all<double>(6755399441055744.0);  // 1.5 * 2^52
  const auto shifted = x * all<double>(1.4426950408889634) + shift;
  const auto n = shifted - shift;
  const auto r = (x - n * all<double>(6.93145751953125e-1)) - n * all<double>(1.42860682030941723212e-6);
  const auto r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  const auto p01 = 1.0 + r, p23 = 0.5 + r * (1.0 / 6), p45 = 1.0 / 24 + r * (1.0 / 120);
  const auto p67 = 1.0 / 720 + r * (1.0 / 5040), p89 = 1.0 / 40320 + r * (1.0 / 362880);
  const auto p1011 = 1.0 / 3628800 + r * (1.0 / 39916800), p1213 = 1.0 / 479001600 + r * (1.0 / 6227020800.0);
  const auto p = ((p01 + p23 * r2) + (p45 + p67 * r2) * r4) + ((p89 + p1011 * r2) + p1213 * r4) * r8;
  return p * power_of_two<double>(shifted);
}

}  // namespace hedgerow::svm

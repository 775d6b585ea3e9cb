// exp of several numbers at once, by arithmetic alone: the same bits on every processor.
//
// exp(x) = 2^n exp(r), n the whole number nearest to x / log 2, |r| <= log(2) / 2, exp(r) by its series.
// Right to about 1e-7 (float) and 2e-16 (double), relative. For x <= 88 (float), 709 (double).
#pragma once

#include "svm/lanes.hpp"

namespace hedgerow::svm {

template <class T>
HEDGEROW_INLINE Lanes<T> exponential(Lanes<T> x);

template <>
HEDGEROW_INLINE Lanes<float> exponential<float>(Lanes<float> x) {
  const auto bounded = larger<float>(smaller<float>(x, all<float>(88.0f)), all<float>(-87.0f));
  const auto shift = all<float>(12582912.0f);  // 1.5 * 2^23: adding it rounds to a whole number
  const auto shifted = bounded * all<float>(1.44269504088896f) + shift;
  const auto n = shifted - shift;
  const auto r = (bounded - n * all<float>(0.693359375f)) - n * all<float>(-2.12194440e-4f);
  auto p = all<float>(1.0f / 5040);
  for (float c : {1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1.0f, 1.0f}) p = p * r + all<float>(c);
  return zero_where_below<float>(p * power_of_two<float>(shifted), x, -87.0f);
}

template <>
HEDGEROW_INLINE Lanes<double> exponential<double>(Lanes<double> x) {
  const auto bounded = larger<double>(smaller<double>(x, all<double>(709.0)), all<double>(-708.0));
  const auto shift = all<double>(6755399441055744.0);  // 1.5 * 2^52
  const auto shifted = bounded * all<double>(1.4426950408889634) + shift;
  const auto n = shifted - shift;
  const auto r =
      (bounded - n * all<double>(6.93145751953125e-1)) - n * all<double>(1.42860682030941723212e-6);
  auto p = all<double>(1.0 / 6227020800.0);
  for (double c : {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                   1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0})
    p = p * r + all<double>(c);
  return zero_where_below<double>(p * power_of_two<double>(shifted), x, -708.0);
}

}  // namespace hedgerow::svm

// Exponential loss after calibration: 2 sqrt(mu+ mu-), of two classes. The gain of a split is the decrease of
// the loss when each side answers 1/2 log(mu+/mu-) (lecture 001). With more classes: the sum over all pairs.
#pragma once

#include <cmath>

#include "grow/criterion.hpp"

namespace hedgerow {

struct Exponential : ClassCriterion {
  static constexpr bool kPublic = false;
  static constexpr FastScan kFastScan = FastScan::kExponentialGain;

  static double merit(const double* moments, double, const MomentContext& context) {
    if (context.n_moments == 2) return -2 * std::sqrt(moments[0] * moments[1]);
    double sum = 0;
    for (int a = 0; a < context.n_moments; ++a)
      for (int b = a + 1; b < context.n_moments; ++b)
        sum -= 2 * std::sqrt(moments[a]) * std::sqrt(moments[b]);
    return sum;
  }
  static double impurity(const double* moments, double weight, const MomentContext& context) {
    return weight > 0 ? -merit(moments, weight, context) / weight : 0.0;
  }
};

}  // namespace hedgerow

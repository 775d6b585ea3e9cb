// Half the Poisson deviance around the mean, for counts (targets >= 0). A child whose targets are all zero
// would predict an impossible mean, so such a split has merit minus infinity.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "grow/criterion.hpp"

namespace hedgerow {

struct Poisson : NumberCriterion {
  static constexpr int kOrder = 8;
  static constexpr bool kNonNegative = true;

  static double merit(const double* moments, double weight, const MomentContext&) {
    if (!(moments[0] > 0) || !(weight > 0)) return -std::numeric_limits<double>::infinity();
    return moments[0] * std::log(moments[0] / weight);
  }

  // y log(y / mean) - (y - mean), never negative, without losing its digits when y is near the mean. A mean
  // of zero, which only rows that were not in the node can meet, is taken as the smallest number above it.
  static double row_loss(double weight, double target, double mean) {
    if (!(target > 0)) return weight * mean;
    const double apart = (target - mean) / mean;
    if (apart < 1e290) return weight * (mean * ((1 + apart) * std::log1p(apart) - apart));
    const double least = std::max(mean, std::numeric_limits<double>::min());
    return weight * (target * std::log(target / least) - target + mean);
  }
};

}  // namespace hedgerow

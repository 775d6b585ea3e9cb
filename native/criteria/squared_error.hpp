// Squared error around the mean (the variance of the node). Moments are sums of weight * (target - centre),
// where the centre is the node's mean: a split's gain then loses no digits however far the targets are from
// zero.
#pragma once

#include "grow/criterion.hpp"

namespace hedgerow {

struct SquaredError : NumberCriterion {
  static constexpr int kOrder = 6;
  static constexpr bool kCentred = true;
  static constexpr bool kSquaredUnits = true;
  static constexpr FastScan kFastScan = FastScan::kScore;

  static double merit(const double* moments, double weight, const MomentContext&) {
    return weight > 0 ? moments[0] * moments[0] / weight : 0.0;
  }
  static double row_loss(double weight, double target, double mean) {
    return weight * (target - mean) * (target - mean);
  }
};

}  // namespace hedgerow

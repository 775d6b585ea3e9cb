// Squared error around the mean (the variance of the node). Moments are sums of weight * (target - centre),
// where the centre is the node's mean: a split's gain then loses no digits however far the targets are from
// zero.
#pragma once

#include "criteria/criterion.hpp"

namespace hedgerow {

struct SquaredError {
  static constexpr std::string_view name = "squared_error";
  static constexpr bool of_classes = false;
  static constexpr bool sums_terms = false;
  static constexpr bool centred = true;

  static double merit(const double* moments, double weight, const MomentContext&) {
    return weight > 0 ? moments[0] * moments[0] / weight : 0.0;
  }
};

}  // namespace hedgerow

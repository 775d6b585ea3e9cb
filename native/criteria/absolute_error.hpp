// Absolute error around the median. Its loss is not a function of sums, so it has a scan of its own
// (grow/scan_absolute.hpp).
#pragma once

#include <cmath>

#include "grow/criterion.hpp"

namespace hedgerow {

struct AbsoluteError : NumberCriterion {
  static constexpr int kOrder = 7;
  static constexpr bool kMedian = true;

  static double row_loss(double weight, double target, double median) {
    return weight * std::abs(target - median);
  }
};

}  // namespace hedgerow

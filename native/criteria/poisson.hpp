// Half the Poisson deviance around the mean, for counts (targets >= 0). A child whose targets are all zero
// would predict an impossible mean, so such a split has merit minus infinity.
#pragma once

#include <cmath>
#include <limits>

#include "criteria/criterion.hpp"

namespace hedgerow {

struct Poisson {
  static constexpr std::string_view name = "poisson";
  static constexpr bool of_classes = false;
  static constexpr bool sums_terms = false;
  static constexpr bool centred = false;

  static double merit(const double* moments, double weight, const MomentContext&) {
    if (!(moments[0] > 0) || !(weight > 0)) return -std::numeric_limits<double>::infinity();
    return moments[0] * std::log(moments[0] / weight);
  }
};

}  // namespace hedgerow

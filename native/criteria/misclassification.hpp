// Misclassification: the share of rows that are not of the node's most frequent class.
#pragma once

#include <algorithm>

#include "criteria/criterion.hpp"

namespace hedgerow {

struct Misclassification {
  static constexpr std::string_view name = "misclassification";
  static constexpr bool of_classes = true;
  static constexpr bool centred = false;
  static constexpr bool sums_terms = false;

  static double merit(const double* moments, double, const MomentContext& context) {
    return *std::max_element(moments, moments + context.n_moments);
  }
  static double impurity(const double* moments, double weight, const MomentContext& context) {
    return weight > 0 ? 1.0 - merit(moments, weight, context) / weight : 0.0;
  }
};

}  // namespace hedgerow

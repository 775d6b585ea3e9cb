// Misclassification: the share of rows that are not of the node's most frequent class.
#pragma once

#include <algorithm>

#include "grow/criterion.hpp"

namespace hedgerow {

struct Misclassification : ClassCriterion {
  static constexpr int kOrder = 3;

  static double merit(const double* moments, double, const MomentContext& context) {
    return *std::max_element(moments, moments + context.n_moments);
  }
  static double impurity(const double* moments, double weight, const MomentContext& context) {
    return weight > 0 ? 1.0 - merit(moments, weight, context) / weight : 0.0;
  }
};

}  // namespace hedgerow

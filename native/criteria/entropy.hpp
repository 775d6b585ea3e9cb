// Entropy, in bits: what is still to be told about the class of a row in this node. 0 log 0 = 0.
#pragma once

#include "criteria/criterion.hpp"

namespace hedgerow {

struct Entropy {
  static constexpr std::string_view name = "entropy";
  static constexpr bool of_classes = true;
  static constexpr bool centred = false;
  static constexpr bool sums_terms = true;

  static double term(double count, const MomentContext& context) {
    return context.logs ? (*context.logs)(count) : xlogx(count);
  }
  static double finish(double sum, double weight, const MomentContext& context) {
    return sum - term(weight, context);
  }

  static double merit(const double* moments, double weight, const MomentContext& context) {
    double sum = 0;
    for (int k = 0; k < context.n_moments; ++k) sum += term(moments[k], context);
    return finish(sum, weight, context);
  }
  static double impurity(const double* moments, double weight, const MomentContext& context) {
    return weight > 0 ? -merit(moments, weight, context) / weight : 0.0;
  }
};

}  // namespace hedgerow

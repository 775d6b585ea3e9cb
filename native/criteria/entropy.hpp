// Entropy, in bits: what is still to be told about the class of a row in this node. 0 log 0 = 0.
#pragma once

#include "grow/criterion.hpp"

namespace hedgerow {

struct Entropy : ClassCriterion {
  static constexpr int kOrder = 2;
  static constexpr bool kSumsTerms = true;
  static constexpr bool kLogTable = true;
  static constexpr FastScan kFastScan = FastScan::kEntropyGain;

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

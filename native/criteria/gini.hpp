// Gini: 1 - sum of squared class shares; the chance that two draws from the node differ.
#pragma once

#include "grow/criterion.hpp"

namespace hedgerow {

struct Gini : ClassCriterion {
  static constexpr int kOrder = 1;
  static constexpr bool kSumsTerms = true;
  static constexpr bool kTermsAreSquares = true;
  static constexpr FastScan kFastScan = FastScan::kScore;

  static double term(double count, const MomentContext&) { return count * count; }
  static double finish(double sum, double weight, const MomentContext&) {
    return weight > 0 ? sum / weight : 0.0;
  }

  static double merit(const double* moments, double weight, const MomentContext& context) {
    if (!(weight > 0)) return 0.0;
    const double unit = 1 / weight;  // a share times a count: no square, which could overflow or vanish
    double sum = 0;
    for (int k = 0; k < context.n_moments; ++k) sum += moments[k] * unit * moments[k];
    return sum;
  }
  static double impurity(const double* moments, double weight, const MomentContext& context) {
    return weight > 0 ? 1.0 - merit(moments, weight, context) / weight : 0.0;
  }
};

}  // namespace hedgerow

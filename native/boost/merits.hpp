// What a stump's two sides are worth: higher is better. In: the weight of each group on a side.
//
// All are convex in the masses, which is what lets stumps.cpp skip thresholds without trying them.
#pragma once

#include <algorithm>
#include <cmath>

namespace hedgerow {

// The weight answered rightly when a side answers with its heaviest group.
struct LeastError {
  static double of(const double* first, const double* second, int groups) {
    return *std::max_element(first, first + groups) + *std::max_element(second, second + groups);
  }
  // The most that a side can be worth when it has `low` for sure and some of `more`.
  static double most(const double* low, const double* more, int groups) {
    double best = 0;
    for (int k = 0; k < groups; ++k) best = std::max(best, low[k] + more[k]);
    return best;
  }
};

// Minus the exponential loss when each side has its own confidence: 2 sqrt(mu+ mu-) a side. Two groups.
struct LeastLoss {
  static double of(const double* first, const double* second, int) {
    return -2 * (std::sqrt(first[0] * first[1]) + std::sqrt(second[0] * second[1]));
  }
};

// The decrease of loss when one side answers and the other is silent: (sqrt(mu+) - sqrt(mu-))^2. Two groups.
struct OneSide {
  static double side(const double* mass) {
    const double apart = std::sqrt(mass[0]) - std::sqrt(mass[1]);
    return apart * apart;
  }
  static double of(const double* first, const double* second, int) {
    return std::max(side(first), side(second));
  }
};

// Minus the Gini impurity of the two sides, up to a constant; what scikit-learn's stumps are chosen by.
struct LeastGini {
  static double side(const double* mass, int groups) {
    double weight = 0, squares = 0;
    for (int k = 0; k < groups; ++k) weight += mass[k], squares += mass[k] * mass[k];
    return weight > 0 ? squares / weight : 0.0;
  }
  static double of(const double* first, const double* second, int groups) {
    return side(first, groups) + side(second, groups);
  }
  static double most(const double* low, const double* more, int groups) {
    double weight = 0, squares = 0;
    for (int k = 0; k < groups; ++k) weight += low[k], squares += (low[k] + more[k]) * (low[k] + more[k]);
    return weight > 0 ? squares / weight : 2.0;  // beyond any: all weights together are one
  }
};

}  // namespace hedgerow

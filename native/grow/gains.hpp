// The inner kernel of exponential loss and of weighted entropy for two classes: gains of many thresholds at
// once.
//
// In: the weight of each class before the threshold, and in the node.   Out: the gain, zero where rounding
// would make it less.
#pragma once

#include <cmath>
#include <cstdint>

#include "boost/exp.hpp"
#include "grow/node.hpp"

namespace hedgerow {

struct ClassWeights {
  double second, first;
};

// What is left of a node's weight; zero when only rounding is left of it.
HEDGEROW_INLINE double left_of(double whole, double part) {
  const double rest = whole - part;
  return rest > kTie * whole ? rest : 0.0;
}

struct ExponentialGain {
  HEDGEROW_INLINE static double loss(double first, double second) { return 2 * std::sqrt(first * second); }
  HEDGEROW_INLINE static double of(double first, double second, const ClassWeights& node, double whole) {
    const double gain =
        whole - loss(first, second) - loss(left_of(node.first, first), left_of(node.second, second));
    return gain > 0 ? gain : 0.0;
  }
};

struct EntropyGain {
  HEDGEROW_INLINE static double term(double x) { return x > 0 ? x * plain_log2(x > 0 ? x : 1.0) : 0.0; }
  HEDGEROW_INLINE static double loss(double first, double second) {
    return term(first + second) - term(first) - term(second);
  }
  HEDGEROW_INLINE static double of(double first, double second, const ClassWeights& node, double whole) {
    const double gain =
        whole - loss(first, second) - loss(left_of(node.first, first), left_of(node.second, second));
    return gain > 0 ? gain : 0.0;
  }
};

// The gain of one threshold.
double gain_of(ExponentialGain, const ClassWeights& before, const ClassWeights& node);
double gain_of(EntropyGain, const ClassWeights& before, const ClassWeights& node);

// The largest gain of n thresholds, or `best` if none is larger.
double largest_gain(ExponentialGain, const double* second, const double* first, int64_t n,
                    const ClassWeights& node, double best);
double largest_gain(EntropyGain, const double* second, const double* first, int64_t n,
                    const ClassWeights& node, double best);

}  // namespace hedgerow

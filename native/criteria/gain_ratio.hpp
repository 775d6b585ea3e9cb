// Gain ratio (C4.5): the gain of a split over the information of the split itself, so that many small
// branches are not a merit. Among the splits with at least average gain the one with the best ratio wins.
//
// For numbers, C4.5 asks more: branches of at least a tenth of the rows a class (no fewer than the minimum,
// no more than 25 are asked for), and the gain is lowered by the cost of naming one threshold among those
// tried.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "criteria/entropy.hpp"

namespace hedgerow {

struct GainRatio : Entropy {
  static constexpr int kOrder = 4;
  static constexpr bool kRatio = true;
  static constexpr FastScan kFastScan = FastScan::kNone;

  // Information, in total, of being told the branch; the rows whose cell is missing count as one more branch.
  template <class Weights>
  static double split_information(const Weights& branch_weight, double missing_weight, double weight) {
    double sum = xlogx(weight) - xlogx(missing_weight);
    for (const double w : branch_weight) sum -= xlogx(w);
    return sum;
  }

  static double least_branch(double known_weight, int n_classes, double minimum) {
    const double tenth = 0.1 * known_weight / n_classes;
    return tenth <= minimum ? minimum : std::min(tenth, 25.0);
  }

  static double threshold_cost(int64_t thresholds_tried) {
    return std::log2(static_cast<double>(thresholds_tried));
  }
};

}  // namespace hedgerow

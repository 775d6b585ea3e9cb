// Sequential minimal optimisation on a stored kernel matrix.
//
//   minimise  1/2 b'Kb - c'b   with  low <= b <= high  and  sum(b) unchanged.
//
// `slope` = c - Kb. Where b may still rise its slope should be no larger than where it may fall: the pair
// (i, j) with the largest slope that may rise and the best second-order gain that may fall moves until the
// two slopes are equal or a bound is met. gap = largest rising slope - smallest falling slope. On a matrix
// that is not positive semidefinite each step still lowers the objective, so it cannot go on for ever;
// curvature clearly below zero is reported.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "svm/lanes.hpp"

namespace hedgerow::svm {

template <class T>
struct Square {  // count x count values, rows `step` apart; step is a multiple of 16 and the rest is zero
  const T* at = nullptr;
  int64_t step = 0, count = 0;
  const T* row(int64_t i) const { return at + i * step; }
};

inline int64_t padded(int64_t n) { return (n + 15) / 16 * 16; }

struct SolverState {  // where a solver surrogates; all of padded length, the padding closed (low = high = b =
                      // 0)
  std::vector<double> b, slope, low, high;
  void resize(int64_t n) {
    for (auto* part : {&b, &slope, &low, &high}) part->assign(padded(n), 0.0);
  }
};

struct Steps {
  int64_t taken = 0;
  double gap = 0.0;
  double worst_curvature = 0.0;  // most negative, relative to the two diagonal values
  bool stuck = false;            // a step was too small to change anything
};

// Steps until the gap is `tolerance` or `most` steps are taken.
template <class T>
Steps smo(const Square<T>& matrix, SolverState& state, double tolerance, int64_t most);

double gap_of(const SolverState& state, int64_t count);

}  // namespace hedgerow::svm

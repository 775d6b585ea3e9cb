// A linear svm with few coefficients: the l1 norm in the place of the l2 norm, and the square of the hinge.
//
//   minimise  |w|_1 + sum_i cost_i max(0, 1 - s_i w . x_i)^2        s_i = +1 or -1
//
// Its dual, with one number a row, as in binary_svm.hpp (s_i beta_i >= 0):
//
//   maximise  sum_i (s_i beta_i - beta_i^2 / (4 cost_i))     where |sum_i beta_i x_ij| <= 1 for each column j
//
// An intercept is a column of its own, which the caller adds.
#pragma once

#include "linear/binary_svm.hpp"

namespace hedgerow::linear {

// Newton steps along one column after another, each shortened until it pays, with shrinking. `columns` are
// the rows of X' (columns.n of them, of length columns.d).
Answer descend_columns(const Rows& columns, const double* sign, const double* cost, const Limits& limits,
                       uint64_t seed, ThreadTeam& team);

}  // namespace hedgerow::linear

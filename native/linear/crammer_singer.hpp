// All classes at once (Crammer and Singer): each row wants its own class's score above every other by 1.
//
//   minimise  1/2 sum_k |w_k|^2 + sum_i cost_i max(0, max over k != y_i of 1 - (w_{y_i} - w_k) . x_i)
//
// Its dual, with one number a row and class, w_k = sum_i beta_ik x_i:
//
//   maximise  sum_i beta_{i y_i} - 1/2 sum_k |w_k|^2
//   where sum_k beta_ik = 0, beta_ik <= cost_i for the row's own class and <= 0 for the others
//
// An intercept is a column of its own, which the caller adds.
#pragma once

#include "linear/binary_svm.hpp"

namespace hedgerow::linear {

// Dual descent, all numbers of one row at a time (Keerthi and others, 2008). The answer's w is classes x
// columns, its beta rows x classes.
Answer descend_classes(const Rows& rows, const int32_t* codes, int32_t classes, const double* cost,
                       const Limits& limits, uint64_t seed, ThreadTeam& team);

}  // namespace hedgerow::linear

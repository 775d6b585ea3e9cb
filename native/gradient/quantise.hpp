// Gradients and hessians in fixed point: one 64-bit word a row.
//
//     word = gradient in the high 32 bits, hessian in the low 32 bits; sums of words are sums of both.
//
// The unit of a round is a power of two (one row's hessian, where all are equal), chosen so that the sums of
// |gradient| and of hessian over all rows are below 2^30 units each. So no sum over any rows overflows, sums
// have no order, and the same bits come out for any number of threads and any cutting of the rows. A positive
// hessian is at least one unit.
#pragma once

#include <cstdint>

#include "common/thread_team.hpp"

namespace hedgerow::gradient {

struct Units {
  double gradient = 1.0, hessian = 1.0;
  int64_t largest_hessian = 0, least_hessian = 0;  // of a row, in units
  double noise = 0.0;  // sum of squared gradients over sum of hessians: the gain that chance alone makes
  bool hessian_counts = false;  // every row's hessian is one unit: a sum of hessians counts rows
};

inline int64_t gradient_of(int64_t word) { return word >> 32; }
inline int64_t hessian_of(int64_t word) { return word & 0xffffffff; }

// Rows: `rows` (ascending) or, if null, 0 .. n - 1. words: one for each row of the table, written at `rows`.
// Throws std::domain_error where a gradient or hessian is not finite, or a hessian is below zero.
Units quantise(const double* gradient, const double* hessian, const uint32_t* rows, int64_t n, int64_t* words,
               ThreadTeam& team);

}  // namespace hedgerow::gradient

// Gradients and hessians in fixed point: one 64-bit word a row.
//
//     word = gradient in the high 32 bits, hessian in the low 32 bits; sums of words are sums of both.
//
// The unit of a round is a power of two (one row's hessian, where all are equal), chosen so that the sums of
// |gradient| and of hessian over all rows are below 2^30 units each. So no sum over any rows overflows, sums
// have no order, and the same bits come out for any number of threads and any cutting of the rows. A positive
// hessian is at least one unit.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "common/thread_team.hpp"

namespace hedgerow::gradient {

struct Units {
  double gradient = 1.0, hessian = 1.0;
  int64_t largest_hessian = 0, least_hessian = 0;  // of a row, in units
  double noise = 0.0;  // sum of squared gradients over sum of hessians: the gain that chance alone makes
  bool hessian_counts = false;  // every row's hessian is one unit: a sum of hessians counts rows
};

// To the nearest whole number; |x| < 2^51. Adding so much leaves it in the low bits.
inline int64_t rounded(double x) {
  constexpr double kMagic = 6755399441055744.0;
  return static_cast<int64_t>(std::bit_cast<uint64_t>(x + kMagic) - std::bit_cast<uint64_t>(kMagic));
}

inline int64_t gradient_of(int64_t word) { return word >> 32; }
inline int64_t hessian_of(int64_t word) { return word & 0xffffffff; }

// What the units follow from: maxima and sums, each of any rows, put together in any order.
struct Extent {
  double gradient = 0.0, hessian = 0.0, least_hessian = HUGE_VAL;
  bool sound = true;  // every gradient and hessian is finite, no hessian is below zero
  void add(const Extent& other);
};
struct CoarseSums {  // in units of the largest
  int64_t gradient = 0, hessian = 0, square = 0;
};

// Rows: `rows` (ascending) or, if null, 0 .. n - 1. words: one for each row of the table, written at `rows`.
Extent extent_of(const double* gradient, const double* hessian, const uint32_t* rows, int64_t n,
                 ThreadTeam& team);
CoarseSums coarse_sums_of(const double* gradient, const double* hessian, const uint32_t* rows, int64_t n,
                          const Extent& extent, ThreadTeam& team);
Units units_of(const Extent& extent, const CoarseSums& sums, int64_t n);
void write_words(const double* gradient, const double* hessian, const uint32_t* rows, int64_t n,
                 const Units& units, int64_t* words, ThreadTeam& team);

// All four. Throws std::domain_error where the extent is not sound.
Units quantise(const double* gradient, const double* hessian, const uint32_t* rows, int64_t n, int64_t* words,
               ThreadTeam& team);

}  // namespace hedgerow::gradient

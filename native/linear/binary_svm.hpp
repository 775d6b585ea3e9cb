// A linear svm in one form, for classes and for numbers.
//
//   minimise  1/2 |w|^2 + sum_i cost_i L(r_i)      r_i = target_i - (w . x_i + b),   b free of penalty
//
//   L(r) = max(0, s r - epsilon)       side s = +1 or -1: only that side hurts (a class: target = side,
//   epsilon = 0)
//          max(0, |r| - epsilon)       side 0: both sides hurt (numbers)
//          or the square of it
//
// Its dual, with one number a row, w = sum beta_i x_i and sum beta_i = 0 (when there is an intercept):
//
//   maximise  sum_i (target_i beta_i - epsilon |beta_i| - [squared] beta_i^2 / (4 cost_i)) - 1/2 |w|^2
//   0 <= s beta_i <= cost_i,  or |beta_i| <= cost_i when both sides hurt;  no upper bound when squared
//
// cost = infinity is the hard margin.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "linear/rows.hpp"

namespace hedgerow::linear {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct BinarySvm {
  const double* target;
  const double* cost;
  const int8_t* side;
  double epsilon;
  bool squared;
  bool intercept;

  double excess(int64_t i, double r) const {
    const double hurt = side[i] == 0 ? std::fabs(r) : side[i] * r;
    return std::max(0.0, hurt - epsilon);
  }
  double loss(int64_t i, double r) const {
    const double e = excess(i, r);
    return e == 0 ? 0.0 : cost[i] * (squared ? e * e : e);
  }
  double low(int64_t i) const { return side[i] > 0 ? 0.0 : squared ? -kInfinity : -cost[i]; }
  double high(int64_t i) const { return side[i] < 0 ? 0.0 : squared ? kInfinity : cost[i]; }
  double flat(int64_t i) const { return squared ? 0.5 / cost[i] : 0.0; }  // the dual's own curvature
  double linear(int64_t i, double beta) const {                           // the dual but for 1/2 |w|^2
    if (beta == 0) return 0.0;
    return target[i] * beta - epsilon * std::fabs(beta) - 0.5 * flat(i) * beta * beta;
  }
};

struct Limits {
  double tol;      // relative duality gap
  double seconds;  // infinity: none
  int64_t iterations;
};

enum class Ending : int { reached = 0, iterations = 1, seconds = 2, precision = 3, inseparable = 4 };

struct Answer {
  std::vector<double> w;
  double b = 0;
  std::vector<double> beta;
  int64_t iterations = 0;
  Ending ending = Ending::reached;
  std::vector<double> progress;  // seconds, primal, dual; three numbers each time they were known
};

// The best b when w . x_i = z_i (intercept.cpp).
double best_intercept(const BinarySvm& svm, const double* z, int64_t n);

// Newton's method on a smoothed svm, the smoothing corrected away (newton.cpp); small d exactly, large d
// by conjugate gradients, which `products` of the columns (products.hpp; may be null) make few.
Answer newton(const Rows& rows, const BinarySvm& svm, const Limits& limits, const Answer* start,
              const double* products, ThreadTeam& team);

// Dual coordinate descent with shrinking (descent.cpp).
Answer descend(const Rows& rows, const BinarySvm& svm, const Limits& limits, const Answer* start,
               uint64_t seed, ThreadTeam& team);

}  // namespace hedgerow::linear

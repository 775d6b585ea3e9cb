// Products of columns summed over rows, which Hessians are made of; their Cholesky factor.
//
// Matrices of products are padded to a multiple of 8 and hold the blocks on and above the diagonal only
// (kernels.hpp, gram_add). The intercept is one more column, of ones.
#pragma once

#include <vector>

#include "linear/rows.hpp"

namespace hedgerow::linear {

inline int64_t padded(int64_t size) { return (size + 7) / 8 * 8; }

// Rows gathered, then multiplied: gram += sign * sum of root^2 x x'.
class Packed {
 public:
  Packed(int64_t wide, double sign, double* gram);
  void add(const Rows& rows, int64_t i, double root, bool intercept);
  void flush();

 private:
  int64_t wide_;
  double sign_;
  double* gram_;
  int64_t held_ = 0;
  std::vector<double> cells_;
};

// The mean of x x' over rows spread evenly, eight for each column: all binary svms of these rows are
// preconditioned by it.
std::vector<double> mean_products(const Rows& rows, bool intercept, ThreadTeam& team);

// In place: the lower triangle of m x m cells becomes its Cholesky factor.
void factorise(std::vector<double>& lower, int64_t m);
// x := (L L')^-1 x
void solve_factored(const std::vector<double>& lower, int64_t m, double* x);

}  // namespace hedgerow::linear

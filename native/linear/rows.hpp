// The rows of a linear svm, dense or sparse, and their products over fixed chunks.
//
// In: a matrix and a vector.   Out: X w + b, or X' v and the sum of v. The chunks depend on the matrix only
// and partial sums are added in order, so that any number of threads gives the same bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/thread_team.hpp"

namespace hedgerow::linear {

struct Rows {
  int64_t n, d;
  const double* values;            // n x d, or those stored
  const int64_t* start = nullptr;  // sparse: n + 1 places
  const int32_t* column = nullptr;

  bool sparse() const { return start != nullptr; }
  int64_t cells() const { return sparse() ? start[n] : n * d; }
  double dot(int64_t i, const double* w) const;
  void add(int64_t i, double step, double* w) const;
  double square(int64_t i) const;  // |x_i|^2
  void fetch(int64_t i) const;     // into the cache
};

// Splits n rows evenly into `tasks` ranges.
struct Split {
  int64_t n, tasks;
  int64_t begin(int64_t task) const { return n * task / tasks; }
  int64_t end(int64_t task) const { return n * (task + 1) / tasks; }
};

// Tasks worth having for a pass over all rows: a function of the matrix, never of the threads.
inline int64_t passes(const Rows& rows) {
  return std::clamp<int64_t>(std::min(rows.cells() / 65536, rows.n / 16), 1, 64);
}
inline int64_t sums(const Rows& rows) {
  return std::clamp<int64_t>(std::min(rows.cells() / std::max<int64_t>(65536, 2 * rows.d), rows.n / 16), 1,
                             16);
}

void times(const Rows& rows, const double* w, double bias, double* out, ThreadTeam& team);
// out (d) = X' v; returns the sum of v.
double transposed(const Rows& rows, const double* v, double* out, ThreadTeam& team);

}  // namespace hedgerow::linear

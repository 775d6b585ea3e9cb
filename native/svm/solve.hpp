// The kernel machine.   In: rows, a kernel, the problem in the solver's one form.   Out: the solution.
//
//   minimise  1/2 b'Kb - c'b   with  low <= b <= high  and  sum(b) as at the start
//
// b is signed: for classes b = y a. A variable looks at the row `row_of` says (two variables share one in
// regression). The kernel matrix of a working set is stored, in as much memory as the caller allows; the set
// is solved on it; then what the moved variables do to all other rows is computed tile by tile and never
// stored.
#pragma once

#include <vector>

#include "common/thread_team.hpp"
#include "svm/blocks.hpp"
#include "svm/monitor.hpp"
#include "svm/smo.hpp"

namespace hedgerow::svm {

struct Problem {
  int64_t count = 0;  // variables
  const double *c = nullptr, *low = nullptr, *high = nullptr, *start = nullptr;
  const double* kernel_dot = nullptr;  // Kb of the start, one a row, if the caller knows it
  const int32_t* row_of = nullptr;     // no list: variable i looks at row i
  int64_t row(int64_t i) const { return row_of ? row_of[i] : i; }
};

struct Effort {
  double tolerance = 1e-3, seconds = 1e300;
  int64_t steps = INT64_MAX;
  int64_t bytes = 200 << 20;  // for the stored matrix
};

struct Solution {
  std::vector<double> b, kernel_dot;  // kernel_dot: Kb, one a row
  Ending ending = Ending::solved;
  int64_t steps = 0, rounds = 0, kernel_values = 0;
  double gap = 0.0, seconds = 0.0, worst_curvature = 0.0;
  std::vector<std::pair<double, double>> history;
};

// The same with bounds `cost` times as wide, from where a solution for `before` times surrogates (0: from
// nothing). It stays as it is or is made larger in proportion, whichever is worth more: either keeps the
// bounds and the sum, and K(tb) = tKb. Returns t.
double scale_bounds(SolverState& state, const Problem& unit, double before, double cost);

// What is to be said at the end; `kernel_dot` is one a row.
Solution finish(const SolverState& state, int64_t count, std::vector<double>&& kernel_dot, Ending ending,
                Monitor& monitor);

// Of so many variables, those whose kernel matrix `bytes` may hold, in numbers of `width` bytes.
int64_t stored_variables(int64_t count, int64_t bytes, int64_t width);

template <class T>
Solution solve(const KernelOf& kernel, const Side<T>& rows, const Problem& problem, const Effort& effort,
               ThreadTeam& team);

// A solution for each cost; costs rise, and each starts from the one before with the kernel values it has
// stored.
template <class T>
std::vector<Solution> solve_path(const KernelOf& kernel, const Rows<T>& rows, const Problem& unit,
                                 const std::vector<double>& costs, const Effort& effort, ThreadTeam& team);

// A kernel matrix that the caller has, size x size; row i of the problem is chosen[i] of the matrix (no list:
// i).
struct Given {
  const double* matrix = nullptr;
  int64_t size = 0, rows = 0;
  const int32_t* chosen = nullptr;
  const double* row(int64_t i) const { return matrix + (chosen ? chosen[i] : i) * size; }
  int64_t column(int64_t j) const { return chosen ? chosen[j] : j; }
};
Solution solve_given(const Given& given, const Problem& problem, const Effort& effort, ThreadTeam& team);

}  // namespace hedgerow::svm

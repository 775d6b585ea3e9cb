// Every step of the solver, one by one.   In: a kernel matrix, where the variables stand.   Out: the steps.
//
// The pairs are those of smo.hpp on the whole matrix, which is how up to 200 variables are solved; more are
// solved in working sets, by other steps to the same end.
#pragma once

#include <vector>

#include "common/thread_team.hpp"
#include "svm/smo.hpp"

namespace hedgerow::svm {

struct Move {
  int64_t rises, falls;  // the two variables
  double by;
  double gap, dual, primal;  // after the step
};

// Until the gap is `tolerance` or `most` steps are taken. Bounds must be finite.
std::vector<Move> trace_steps(const Square<double>& matrix, const std::vector<double>& c, SolverState& state,
                              double tolerance, int64_t most, Stop& stop);

}  // namespace hedgerow::svm

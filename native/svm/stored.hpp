// Solving on a stored kernel matrix.   In: the matrix, where the variables stand, a tolerance.   Out: where
// they stand then. The clock and Ctrl-C are looked at now and then; `note` also writes the gap into the
// history.
//
// Steps over the whole matrix, although each then costs a pass over all variables: on working sets of a few
// hundred, copied out to stay in the cache, the same answer took five times as many steps
// (benchmarks/svm.py).
#pragma once

#include "crew.hpp"
#include "svm/smo.hpp"
#include "svm/watch.hpp"

namespace hedgerow::svm {

template <class T>
Ending solve_stored(const Square<T>& matrix, Standing& standing, double tolerance, Crew& crew, Watch& watch,
                    bool note) {
  constexpr int64_t kBatch = 4096;
  for (;;) {
    const Steps steps = smo(matrix, standing, tolerance, std::min(kBatch, watch.steps_left()));
    watch.taken += steps.taken;
    watch.worst_curvature = std::min(watch.worst_curvature, steps.worst_curvature);
    if (note) watch.note(steps.gap);
    if (steps.gap <= tolerance) return Ending::solved;
    if (steps.stuck) return Ending::at_rounding;
    if (watch.steps_left() <= 0) return Ending::out_of_steps;
    if (watch.late()) return Ending::out_of_time;
    crew.stop().check();
  }
}

}  // namespace hedgerow::svm

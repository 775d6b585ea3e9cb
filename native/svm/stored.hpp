// Solving on a stored kernel matrix.   In: the matrix, where the variables stand, a tolerance.   Out: where
// they stand then. The clock and Ctrl-C are looked at now and then; `note` also writes the gap into the
// history.
//
// Steps go over all variables, until at most half of them can still be paired with any other. Those are
// copied out and solved alone, again and again fewer; then the slopes of all are brought up to date from what
// has moved. A few hundred variables chosen by slope, whatever they may still do, took five times as many
// steps (benchmarks/svm.py): only those are set aside that no step would take.
//
// Each step changes the slopes by a rounded product. Where that may add up, or a step was too small to change
// anything, they are computed again from the start, and the solver goes on if they were wrong.
#pragma once

#include "common/thread_team.hpp"
#include "svm/monitor.hpp"
#include "svm/smo.hpp"

namespace hedgerow::svm {

inline constexpr double kStoredShare =
    1.25;  // memory, relative to the matrix: itself, and a quarter for copies

template <class T>
Ending solve_stored(const Square<T>& matrix, SolverState& state, double tolerance, ThreadTeam& team,
                    Monitor& monitor, bool note);

// All variables of a problem of so many rows; of few rows to the last digit, which costs microseconds.
template <class T>
Ending solve_whole(const Square<T>& matrix, SolverState& state, double tolerance, int64_t rows,
                   ThreadTeam& team, Monitor& monitor);

}  // namespace hedgerow::svm

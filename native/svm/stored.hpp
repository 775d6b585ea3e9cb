// Solving on a stored kernel matrix of any size.   In: the matrix, where the variables stand, a tolerance.
// Out: where they stand then.
//
// Above a few hundred variables, working sets of some hundreds are copied out and solved in cache; the slopes
// of all others follow in one pass over the rows that moved, which the threads share.
#pragma once

#include "crew.hpp"
#include "svm/smo.hpp"
#include "svm/watch.hpp"

namespace hedgerow::svm {

template <class T>
Ending solve_stored(const Square<T>& matrix, Standing& standing, double tolerance, Crew& crew, Watch& watch,
                    bool note);

}  // namespace hedgerow::svm

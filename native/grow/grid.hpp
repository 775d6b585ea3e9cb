// Sums of doubles that have no order.
//
// In: a bound on the sum of the absolute terms.   Out: a number that rounds each term to a grid when it is
// added and taken away again.
//
//     unit = 2^-50 times the bound, up to the next power of two: no partial sum needs more than 53 bits, so
//     that every addition is exact, whoever adds what first
#pragma once

#include <cmath>

namespace hedgerow {

// 0: nothing to round; round_to_grid then returns terms as they are.
inline double grid_of(double bound) { return bound > 0 ? std::ldexp(1.5, std::ilogb(bound) + 3) : 0.0; }

inline double round_to_grid(double term, double grid) { return (term + grid) - grid; }

}  // namespace hedgerow

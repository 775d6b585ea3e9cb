// Values of nodes from finer sums.
//
// Splits are chosen by sums in 2^-30 of the round's total; values are made of sums in 2^-50 of it, over the
// rows of each leaf. They are whole numbers again: no order, the same bits for any cutting.
#pragma once

#include "gradient/grow.hpp"

namespace hedgerow::gradient {

void refine_values(GradientTree& tree, const double* gradient, const double* hessian, const Units& units,
                   const SplitOptions& options, ThreadTeam& team);

}  // namespace hedgerow::gradient

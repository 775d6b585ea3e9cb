// Values of nodes from finer sums.
//
// Splits are chosen by sums in 2^-30 of the round's total; values are made of sums in 2^-50 of it, over the
// rows of each leaf. They are whole numbers again: no order, the same bits for any cutting.
#pragma once

#include "gradient/grow.hpp"
#include "gradient/row_windows.hpp"

namespace hedgerow::gradient {

struct FineSums {
  int64_t gradient = 0, hessian = 0;
};

// Of each leaf, whose rows lie one after the other in `rows`. n_rows: of the table.
std::vector<FineSums> sum_leaves(const std::vector<LeafRows>& leaves, const uint32_t* rows, int64_t n_rows,
                                 const double* gradient, const double* hessian, const Units& units,
                                 ThreadTeam& team);

// The value of each node and its hessian, from the sums of the leaves (entries of inner nodes are filled in).
void set_values(GradientTree& tree, std::vector<FineSums> sums, const Units& units,
                const SplitOptions& options);

void refine_values(GradientTree& tree, int64_t n_rows, const double* gradient, const double* hessian,
                   const Units& units, const SplitOptions& options, ThreadTeam& team);

}  // namespace hedgerow::gradient

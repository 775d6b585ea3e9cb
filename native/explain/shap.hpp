// Exact path-dependent Shapley values of trees.
//
// The game: of a row, the columns in S are known. At a node whose column is known the row takes its own way;
// at any other it goes to all children by their share z of the weight. v(S) is what the tree then answers.
// The Shapley value of column i is the mean of v(S + i) - v(S) over all orders in which columns become known.
//
// For one leaf, v(S) = value x product over the columns j of its path of (o_j if known, else z_j), where o_j
// is 1 (or the share) if the row goes this way at all nodes of the path that test j, and z_j the product of
// their shares. The mean over orders is an integral over the chance t that a column is known (Owen 1972):
//
//     phi_i = integral over t in [0, 1] of  value x (o_i - z_i) x product over j != i of (z_j + t (o_j -
//     z_j))
//
// a polynomial of degree (columns of the path - 1), which Gauss-Legendre quadrature with half as many points
// integrates exactly. All terms are positive, so nothing cancels; the product over a path is shared by all
// leaves below, and sums over leaves go up the tree: a row costs (nodes x points), not (leaves x depth^2).
#pragma once

#include <vector>

#include "common/thread_team.hpp"
#include "explain/flat.hpp"

namespace hedgerow {

// out: rows x columns x outputs, the sum over the trees; base: outputs, the sum of v(nothing known).
void shap_values(const FlatTrees& trees, const Matrix& rows, int64_t n_columns, double* out, double* base,
                 ThreadTeam& team);

struct Quadrature {
  std::vector<double> point, weight;  // on [0, 1]; exact for polynomials of degree 2 n - 1
};
Quadrature gauss_legendre(int n);

}  // namespace hedgerow

// Cost-complexity pruning: the alpha at which each inner node becomes a leaf.
//
// In: parent and risk R(t) of each node (its share of the weight times its impurity), parents before
// children. Out: for each inner node the alpha at which it is cut itself (or +infinity if an ancestor is cut
// first), and the order of the cuts. The nested sequence of subtrees is all there.
//
// While the root is not a leaf, the node with the smallest  g(t) = (R(t) - R(leaves below t)) / (leaves below
// t - 1) is cut: the weakest link. Ties go to the node with the lower number.
#pragma once

#include <cstdint>
#include <vector>

namespace hedgerow {

struct Cuts {
  std::vector<double> alpha;   // by node; +infinity where never cut itself
  std::vector<int32_t> order;  // nodes, in the order they are cut
  std::vector<double> risk;    // of the whole tree after each cut
};

Cuts weakest_links(const int32_t* parent, const double* risk, int64_t n_nodes);

}  // namespace hedgerow

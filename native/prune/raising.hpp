// Pessimistic pruning with subtree raising, as C4.5 and J48 have it (prune/methods/pessimistic.py says what
// it is).
//
// In: a tree and the rows it was grown on.   Out: for each node, whose test it has now. From the leaves up,
// a node t stays, becomes a leaf, or takes over the test and the children of its largest branch c:
//
//         t                c's test
//        / \       ->       /    \        the rows of the other branches are sent down c, and everything
//       s   c              d      e       from there on is judged again
//          / \  (c's children)
//         d   e
//
// Where a missing cell is spread over all children, it goes by the weight of the rows that answer. New rows
// change that; so if rows of c are spread somewhere in c, all rows of t are sent again.
#pragma once

#include "walk/multiway.hpp"

namespace hedgerow {

struct RaisingInput {
  MultiwayTree tree;
  Matrix rows;
  const int32_t* classes;
  const double* weight;  // null: all one
  int n_classes;
  double log_confidence, z;  // z: the normal quantile of 1 - confidence
  double tolerance;          // errors by which a smaller tree may be worse
};

struct Raised {
  std::vector<int32_t> test;    // node of the given tree whose test and children this one has; -1: a leaf
  std::vector<uint8_t> moved;   // its rows are not those of growing
  std::vector<double> counts;   // nodes x classes, of a walk of all rows through the new tree
  std::vector<int64_t> n_rows;  // of the same walk
};

Raised raise_branches(const RaisingInput& input, ThreadTeam& team);

// Errors expected of a leaf with `rows` rows, `wrong` of them wrong: the upper limit of a binomial rate.
double expected_errors(double rows, double wrong, double log_confidence, double z);

}  // namespace hedgerow

// A tree of classes in few bytes: 14 a node, and a table of the counts that occur in its leaves.
//
// Rows count as often as they were drawn, so that what an inner node carries is the exact sum of its
// children. A forest is kept like this; a tree is made whole again when somebody looks at it.
#pragma once

#include <string>
#include <vector>

#include "grow/grow.hpp"

namespace hedgerow {

struct SlimTree {
  int n_classes = 0;
  std::vector<int32_t> first_child;  // by node; -1: a leaf
  std::vector<int32_t> feature;      // by inner node: the column; ~column where missing cells go second
  std::vector<double> threshold;     // by inner node
  std::vector<uint32_t> n_rows;      // by leaf
  std::vector<uint32_t> place;       // by leaf: its row of the table
  std::vector<uint32_t> table;       // places x classes: counts
};

struct SlimView {
  int n_classes;
  int64_t n_nodes;
  const int32_t *first_child, *feature;
  const double* threshold;
  const uint32_t *n_rows, *place, *table;
};

// Of whole weights: whether every node is a leaf or asks a number, so that nothing would be lost.
bool can_be_slim(const GrownTree& tree);
SlimTree slimmed(const GrownTree& tree);

// Throws std::invalid_argument if the lengths do not agree or a number leads outside.
void check_slim(const SlimView& slim, int64_t n_inner, int64_t n_leaves, int64_t n_places);

// Nodes, their rows and, unless there are to be none, counts.
GrownTree skeleton(const SlimView& slim, bool with_counts = true);
// The tree that was slimmed, to the last bit.
GrownTree made_whole(const SlimView& slim, const std::string& criterion);

}  // namespace hedgerow

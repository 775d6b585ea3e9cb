// Which way a row goes in any tree: two or more branches, shares, surrogates.
//
// In: a tree's tests and a row (categories as level codes, a level never seen as n_levels, NaN = missing).
// Out: the child; or kEveryChild where a missing cell goes down all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "walk/walk.hpp"

namespace hedgerow {

inline constexpr int32_t kEveryChild = -1;

// One node, as tree/pack.py lays it out.
struct MultiwayNode {
  double threshold;
  int64_t words;  // subset: its first word
  int32_t feature, child, n_children;
  int32_t missing;  // node a missing cell goes to; kEveryChild
  int32_t kind;     // of tree/tree.py: 0 leaf, 1 threshold, 2 subset, 3 multiway
  int32_t levels;   // of the column tested
};

// A test that surrogates in where a node's cell is missing.
struct SurrogateNode {
  double threshold;
  int64_t words;  // categories: its first word; numbers: -1
  int32_t feature, levels, first_below, unused;
};

static_assert(sizeof(MultiwayNode) == 40 && sizeof(SurrogateNode) == 32);

struct MultiwayTree {
  const MultiwayNode* nodes;
  int64_t n_nodes;
  const uint64_t* words;
  const SurrogateNode* surrogate;  // by node, best first
  const int64_t* surrogate_begin;  // those of node t: [surrogate_begin[t], surrogate_begin[t + 1])
  const uint64_t* surrogate_words;
  const double* part;  // of each node: its part of its siblings' weight
};

inline double cell_of(const Matrix& m, int64_t row, int32_t column) {
  const int64_t at = row * m.row_stride + int64_t{column} * m.column_stride;
  return m.wide ? static_cast<const double*>(m.data)[at]
                : static_cast<double>(static_cast<const float*>(m.data)[at]);
}

inline bool bit_of(const uint64_t* words, int64_t first, double level, int32_t levels) {
  const auto k = static_cast<uint64_t>(std::clamp(level, 0.0, static_cast<double>(levels)));
  return words[first + static_cast<int64_t>(k >> 6)] >> (k & 63) & 1;
}

// The way of the first surrogate of `test` that can answer.
inline int32_t surrogate_branch(const MultiwayTree& tree, const MultiwayNode& node, int64_t test,
                                const Matrix& m, int64_t row) {
  for (int64_t s = tree.surrogate_begin[test]; s < tree.surrogate_begin[test + 1]; ++s) {
    const SurrogateNode& surrogate = tree.surrogate[s];
    const double x = cell_of(m, row, surrogate.feature);
    if (x != x || (surrogate.levels > 0 && !(x < surrogate.levels))) continue;
    const bool first = surrogate.words < 0
                           ? (x <= surrogate.threshold) == (surrogate.first_below == 1)
                           : bit_of(tree.surrogate_words, surrogate.words, x, surrogate.levels);
    return node.child + !first;
  }
  return node.missing;
}

// `test` is the number of the node whose surrogates count; `node` is not a leaf.
inline int32_t way_of(const MultiwayTree& tree, const MultiwayNode& node, int64_t test, const Matrix& m,
                      int64_t row) {
  const double x = cell_of(m, row, node.feature);
  if (x == x) {
    if (node.kind == 1) return node.child + (x > node.threshold);
    if (node.kind == 2) return node.child + !bit_of(tree.words, node.words, x, node.levels);
    if (x >= 0 && x < node.n_children) return node.child + static_cast<int32_t>(x);
  }
  return surrogate_branch(tree, node, test, m, row);
}

// The leaf of each row; kEveryChild where it has no single one.
void multiway_leaves(const MultiwayTree& tree, const Matrix& rows, int32_t* leaf, ThreadTeam& team);

// The value of each row, n_rows x n_outputs: its leaf's, or the leaves' by share.
void multiway_values(const MultiwayTree& tree, const Matrix& rows, const double* values, int n_outputs,
                     double* out, ThreadTeam& team);

// Where rows end, row by row: row `row[i]` comes to `leaf[i]` with `share[i]` of itself.
struct Ends {
  std::vector<int64_t> row, leaf;
  std::vector<double> share;
};

Ends multiway_ends(const MultiwayTree& tree, const Matrix& rows, ThreadTeam& team);

}  // namespace hedgerow

// Trees of any kind, one after the other, for the kernels that explain them.
//
// In: packed nodes of all trees (ensemble/flat.py writes them) and a matrix of numbers (categories as level
// codes, NaN = missing).   Out: which child a row goes to. Slower than walk.hpp, but it knows every kind of
// node: thresholds, subsets, multiway, missing cells that go to all children, surrogates.
#pragma once

#include <cmath>
#include <cstdint>

#include "grow/grow.hpp"
#include "walk/walk.hpp"

namespace hedgerow {

constexpr int32_t kToAll = -1;  // a missing cell goes to every child, by its share

struct FlatNode {
  double threshold;                        // subset: the place of its first word, as a whole number
  int32_t first;                           // first child, counted from the tree's root; -1 at a leaf
  int32_t n_children;                      // 0 at a leaf
  int32_t missing;                         // place of the child for missing cells, or kToAll
  int32_t feature;                         // -1 at a leaf
  int32_t kind;                            // NodeKind
  int32_t surrogate_begin, surrogate_end;  // its surrogates
  int32_t spare;
};

struct FlatSurrogate {  // a surrogate
  double threshold;
  int64_t start;  // categories: its first word; -1: a number
  int32_t feature, n_levels, first_below, spare;
};

static_assert(sizeof(FlatNode) == 40 && sizeof(FlatSurrogate) == 32);

struct FlatTrees {
  const FlatNode* nodes;
  const int64_t* starts;  // the root of each tree; one more: the end
  int64_t n_trees;
  const uint64_t* words;
  const FlatSurrogate* surrogates;
  const uint64_t* surrogate_words;
  const double* value;  // nodes x n_outputs
  const double* weight;
  int n_outputs;
};

inline double cell(const Matrix& m, int64_t row, int64_t column) {
  const int64_t at = row * m.row_stride + column * m.column_stride;
  return m.wide ? static_cast<const double*>(m.data)[at] : static_cast<const float*>(m.data)[at];
}

inline bool has_bit(const uint64_t* words, uint64_t level) { return words[level >> 6] >> (level & 63) & 1; }

template <class Cells>
int32_t by_surrogate(const FlatTrees& trees, const FlatNode& node, const Cells& cells) {
  for (int32_t s = node.surrogate_begin; s < node.surrogate_end; ++s) {
    const FlatSurrogate& surrogate = trees.surrogates[s];
    const double x = cells(surrogate.feature);
    if (std::isnan(x) || (surrogate.n_levels > 0 && x >= surrogate.n_levels)) continue;
    const bool first = surrogate.start < 0
                           ? (x <= surrogate.threshold) == (surrogate.first_below != 0)
                           : has_bit(trees.surrogate_words + surrogate.start, static_cast<uint64_t>(x));
    return first ? 0 : 1;
  }
  return node.missing;
}

// The place, among the children of an inner node, of the one a row goes to; kToAll: to every one.
// `cells` is the row: a function from column to number.
template <class Cells>
int32_t place_of(const FlatTrees& trees, const FlatNode& node, const Cells& cells) {
  const double x = cells(node.feature);
  if (std::isnan(x) || (node.kind == kMultiway && x >= node.n_children))
    return node.surrogate_begin < node.surrogate_end ? by_surrogate(trees, node, cells) : node.missing;
  if (node.kind == kThreshold) return x <= node.threshold ? 0 : 1;
  if (node.kind == kMultiway) return static_cast<int32_t>(x);
  return has_bit(trees.words + static_cast<int64_t>(node.threshold), static_cast<uint64_t>(x)) ? 0 : 1;
}

// The part of the siblings' weight that a child has; equal parts where they weigh nothing.
inline double part_of(const FlatTrees& trees, int64_t root, const FlatNode& parent, int32_t child) {
  double total = 0;
  for (int32_t k = 0; k < parent.n_children; ++k) total += trees.weight[root + parent.first + k];
  return total > 0 ? trees.weight[root + child] / total : 1.0 / parent.n_children;
}

}  // namespace hedgerow

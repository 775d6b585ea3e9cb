// From rows to leaves.
//
// In: a tree, packed into nodes of 16 bytes, and a matrix of numbers (categories as level codes, a level never seen
// as n_levels, NaN = missing).   Out: the leaf of each row.
// Several rows walk at once, so that while one waits for memory the others move.
#pragma once

#include <cstdint>
#include <vector>

#include "crew.hpp"

namespace hedgerow {

// A leaf is a node whose `child` is negative: ~child is its own number.
struct PackedNode {
  double threshold;   // subset: the place of its first word, as a whole number
  int32_t child;      // first child
  uint32_t feature;   // bit 31: missing goes to the first child; bit 30: subset
};
static_assert(sizeof(PackedNode) == 16);

inline constexpr uint32_t kMissingFirst = 1u << 31;
inline constexpr uint32_t kSubsetNode = 1u << 30;
inline constexpr uint32_t kFeatureMask = kSubsetNode - 1;

struct Matrix {
  const void* data;
  bool wide;  // float64, else float32
  int64_t n_rows, row_stride, column_stride;
};

struct PackedTree {
  const PackedNode* nodes;
  int64_t n_nodes;
  const uint64_t* words;  // of subsets
  bool any_subset;
};

void leaves_of(const PackedTree& tree, const Matrix& rows, int32_t* leaf, Crew& crew);

// The same walk, then values[leaf] copied out: n_rows x n_outputs.
void values_of(const PackedTree& tree, const Matrix& rows, const double* values, int n_outputs, double* out, Crew& crew);

}  // namespace hedgerow

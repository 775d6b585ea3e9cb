// From rows to leaves.
//
// In: a tree, packed, and a matrix of numbers (categories as level codes, a level never seen as n_levels, NaN
// = missing).   Out: the leaf of each row. Eight rows walk at once, so that while one waits for memory the
// others move; a leaf leads to itself, so that no row needs to be asked at every step whether it has arrived.
#pragma once

#include <cstdint>

#include "common/thread_team.hpp"

namespace hedgerow {

// Any tree of two-way nodes.
struct WideNode {
  double threshold;  // subset: the place of its first word, as a whole number; leaf: +infinity
  int32_t child;     // first child; leaf: itself
  uint32_t feature;  // bit 31: missing goes to the first child; bit 30: subset
};

// float32 rows and thresholds only: half the memory, so that twice as much of the tree is in cache. For
// float32 numbers x, `x <= threshold` is the same question when the threshold is rounded down to float32.
struct NarrowNode {
  float threshold;
  uint32_t word;  // first child, then one bit: missing goes there, then the feature
};

static_assert(sizeof(WideNode) == 16 && sizeof(NarrowNode) == 8);

struct Matrix {
  const void* data;
  bool wide;  // float64, else float32
  int64_t n_rows, row_stride, column_stride;
};

struct PackedTree {
  const void* nodes;
  int feature_bits;       // narrow nodes: bits of `word` that are the feature; 0: wide nodes
  const uint64_t* words;  // of subsets
  bool any_subset;
};

void leaves_of(const PackedTree& tree, const Matrix& rows, int32_t* leaf, ThreadTeam& team);

// The same walk, then values[leaf] copied out: n_rows x n_outputs.
void values_of(const PackedTree& tree, const Matrix& rows, const double* values, int n_outputs, double* out,
               ThreadTeam& team);

}  // namespace hedgerow

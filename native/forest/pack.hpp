// A forest in the layout that is walked: 8 or 16 bytes a node (walk.hpp), and one table of leaf values.
//
// Equal values stand in the table once: of trees grown to the end most leaves say the same. A leaf's
// threshold is a NaN, which sends every number to the leaf itself; its place in the table is what the NaN
// carries.
#pragma once

#include <bit>
#include <functional>
#include <vector>

#include "walk/walk.hpp"

namespace hedgerow {

// One tree, as Tree has it.
struct TreeArrays {
  int64_t n_nodes;
  const int32_t *feature, *first_child, *missing_child;
  const uint8_t* kind;
  const double *threshold, *value;
  const int64_t* subset_start;
  const uint64_t* subset_bits;
  int64_t n_words;
  const uint32_t* value_row = nullptr;  // the row of a leaf in `value`; null: its own number
};

struct PackedForest {
  int feature_bits = 0;        // narrow nodes; 0: wide ones
  std::vector<uint8_t> nodes;  // of all trees, one after the other; children are counted from their tree
  std::vector<int64_t> start;  // first node of each tree, and the end
  std::vector<uint64_t> words;
  std::vector<double> table;  // places x outputs
};

// The tree of a number, asked for twice; the arrays last until the next is asked for.
using TreeAt = std::function<TreeArrays(size_t)>;

// `narrow`: for float32 rows, where that is possible.
PackedForest pack_forest(const std::vector<int64_t>& sizes, bool any_subset, const TreeAt& tree_at,
                         int n_outputs, int n_features, bool narrow);
PackedForest pack_forest(const std::vector<TreeArrays>& trees, int n_outputs, int n_features, bool narrow);

inline constexpr uint32_t kNarrowLeaf = 0x7fc00000u;
inline constexpr uint64_t kWideLeaf = 0x7ff8000000000000ull;

inline uint32_t place_of(const NarrowNode& leaf) {
  return std::bit_cast<uint32_t>(leaf.threshold) & 0x3fffffu;
}
inline uint64_t place_of(const WideNode& leaf) {
  return std::bit_cast<uint64_t>(leaf.threshold) & 0x7ffffffffffffull;
}

struct ForestView {
  const void* nodes;
  int feature_bits;
  const int64_t* start;
  int64_t n_trees;
  const uint64_t* words;
  bool any_subset;
};

// Means over the trees of table[leaf], summed in the order of the trees: n_rows x n_outputs.
void forest_values(const ForestView& forest, const Matrix& rows, int64_t n_columns, const double* table,
                   int n_outputs, double* out, ThreadTeam& team);
// The leaf of each row in each tree: n_rows x n_trees.
void forest_leaves(const ForestView& forest, const Matrix& rows, int64_t n_columns, int32_t* out,
                   ThreadTeam& team);

}  // namespace hedgerow

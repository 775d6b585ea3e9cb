// Growing one tree.
//
// In: columns of codes, a target, weights, limits.   Out: the nodes, parents before children, siblings
// adjacent.
//
// Each column becomes a list of entries sorted by code (row_set.hpp). A split is found by one pass over each
// list (scan*.hpp, subsets.hpp) and the lists are parted stably (partition.hpp): nothing is sorted twice.
// Nodes with many rows share their columns between threads; subtrees with few are renumbered into a row_set
// of their own and grown by one thread. None of this changes the tree: not the threads, not the row_sets, not
// the order.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/thread_team.hpp"

namespace hedgerow {

struct CodeColumn {
  const void* codes = nullptr;           // sparse columns: of the entries
  int width = 1;                         // bytes a code: 1, 2 or 4
  int64_t n_codes = 0;                   // codes of present cells are below this; missing cells have it
  int32_t n_levels = 0;                  // categories: the number of levels; numbers: 0
  int8_t monotone = 0;                   // +1 rising, -1 falling, 0 free
  const double* values = nullptr;        // numbers, random splits only: the value of each code
  bool sparse = false;                   // sparse_columns.hpp: entries, else a code for each row
  const uint32_t* entry_rows = nullptr;  // ascending
  int64_t n_entries = 0;
  uint32_t rest = 0;  // the code of the rows without an entry
};

struct Limits {
  int32_t max_depth;
  int64_t min_rows_split;
  int64_t min_rows_leaf;
  double min_weight_leaf;
  int64_t max_leaves;    // 0: none, grow depth-first; else best-first
  double min_decrease;   // of impurity, times the node's share of the weight
  int32_t max_features;  // columns looked at in a node
  bool random_splits;    // one random threshold a column instead of the best
  double min_wrong = 0;  // the price of a leaf, as a share of all weight: guesses that must be wrong less
  double min_loss = 0;   // the same for weight times impurity; at most one of the two is not zero
  bool redraw = true;    // columns drawn are all constant: another is drawn; false: the node is a leaf
};

struct Outputs;  // outputs.hpp

struct GrowInput {
  int64_t n_rows = 0;  // length of every array below
  std::vector<CodeColumn> columns;
  std::string criterion;
  int32_t n_classes = 0;             // 0: regression
  const int32_t* classes = nullptr;  // classification
  const double* target = nullptr;    // regression
  const Outputs* outputs = nullptr;  // or several targets a row
  const double* weight = nullptr;    // null: all one
  const uint32_t* rows = nullptr;    // rows to use; null: all
  int64_t n_used = 0;
  Limits limits{};
  uint64_t seed = 0;
  bool multiway = false;    // categories get a branch for each level
  bool fractional = false;  // rows whose tested cell is missing go down all branches, by their share
  int64_t surrogates = 0;   // or by up to this many surrogate splits a node
  bool stops = false;       // or they stop: a third child, a leaf, says of them what the node says
  bool trace = false;
  bool exact = false;            // regression: sums have no order (grid.hpp)
  int64_t subtree_rows = 65536;  // subtrees up to this size are renumbered; tests make it small
};

struct GrownTree {
  int n_moments = 1;
  std::vector<int32_t> feature, first_child, n_children;
  std::vector<int32_t>
      missing_branch;  // the child a missing cell goes to, counted from the first; -1: to all
  std::vector<uint8_t> kind;
  std::vector<uint32_t> low_row, high_row;  // threshold: training rows on the two sides of the gap
  std::vector<double> threshold;            // random splits only; else NaN
  std::vector<int64_t> subset_start;
  std::vector<uint64_t> subset_bits;
  std::vector<double> value;  // nodes x n_moments
  std::vector<double> weight, impurity;
  std::vector<int64_t> n_rows;
  // Trace: nodes x columns, the best split of each column; NaN where a column offered none.
  std::vector<double> trace_gain, trace_ratio;  // ratio: where there are multiway splits or fractions
  std::vector<uint32_t> trace_low, trace_high;

  // Surrogates, in the order of their nodes, best first.
  std::vector<int32_t> surrogate_node, surrogate_feature;
  std::vector<uint8_t> surrogate_first_below;
  std::vector<uint32_t> surrogate_low, surrogate_high;
  std::vector<int64_t> surrogate_subset;  // categories: first word in surrogate_bits; else -1
  std::vector<uint64_t> surrogate_bits;
  std::vector<double> surrogate_agreement, surrogate_adjusted;

  int64_t size() const { return static_cast<int64_t>(feature.size()); }
};

enum NodeKind : uint8_t { kLeaf = 0, kThreshold = 1, kSubset = 2, kMultiway = 3 };

// Back to no nodes; the room that it had stays.
void clear(GrownTree& tree);

// A new leaf at the end of the tree; its number.
int32_t append_node(GrownTree& tree, double weight, double impurity, int64_t n_rows,
                    const std::vector<double>& value);

// Writes the subset of one node: a bit for each level and one for levels never seen; all start where levels
// go that have no rows at the node.
class SubsetWriter {
 public:
  SubsetWriter(GrownTree& tree, int32_t node, int32_t n_levels, bool absent_left);
  void set(uint32_t level, bool left);

 private:
  uint64_t* words_;
};

GrownTree grow_tree(const GrowInput& input, ThreadTeam& team);

}  // namespace hedgerow

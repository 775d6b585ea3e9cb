// Growing many trees: one tree a task.
//
// In: what one tree needs, and how rows are drawn.   Out: trees first_tree .. first_tree + n_trees - 1, each
// the tree that grow_tree makes of the same seed and weights.
//
// Trees that are found by sums and grown depth-first take row_grower.hpp, which orders only the columns that
// are looked at, or random_grower.hpp, which orders none. The others (medians, a limit of leaves, monotone
// columns, multiway trees) take grow_tree, and so do trees of numbers that look at all columns.
#pragma once

#include <functional>
#include <vector>

#include "forest/draws.hpp"
#include "forest/records.hpp"
#include "forest/slim.hpp"
#include "grow/grow.hpp"

namespace hedgerow {

struct ForestInput {
  GrowInput one;  // its weight goes along with the draws (null: all one); its columns' values are set
  DrawPlan draws;
  const double* class_weight = nullptr;  // by class, on top; null: all one
  bool balanced = false;                 // all classes weigh the same in each tree
  std::vector<const double*> edges;      // by column: upper edges of its bins; null: it has no bins
  RecordPlace records;
  int64_t first_tree = 0, n_trees = 0;
};

std::vector<GrownTree> grow_forest(const ForestInput& input, ThreadTeam& team);

// Takes tree t from the thread that grew it.
struct KeepTree {
  // `counted`: of classes, each row weighing as often as it was drawn. The tree may be moved away.
  std::function<void(int64_t t, GrownTree&& tree, bool counted)> whole;
  std::function<void(int64_t t, SlimTree&& tree)> slim;  // none: all are wanted whole
};

// Hands each tree over as it is done.
void grow_forest(const ForestInput& input, ThreadTeam& team, const KeepTree& keep);

// One tree of sparse columns, the one that grow_tree makes of the columns written out. All rows of input.one
// are its rows; the seed is its own.
GrownTree grow_sparse_tree(ForestInput input, uint64_t seed, ThreadTeam& team);

// The rows of one tree: how often each was drawn, or what it weighs if that is not the same.
struct TreeRows {
  std::vector<uint32_t> counts;
  std::vector<double> weight;  // empty: the counts are the weights
};

void draw_rows(const ForestInput& input, int64_t tree, TreeRows& rows);

// The threshold between two codes of a column.
double threshold_between(const ForestInput& input, int32_t column, uint32_t low, uint32_t high);

// A random threshold of a column; of bins the edge after the last bin on its left, so that it divides none.
double undivided(const ForestInput& input, int32_t column, double threshold);

}  // namespace hedgerow

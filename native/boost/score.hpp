// The scores of many rounds at once.
//
// In: stumps added up into a table for each column, or trees in one piece; a matrix of numbers (categories as
// level numbers, a level never seen as n_levels, NaN = missing).   Out: rows x width, the sum of all rounds.
// A row is summed by one thread, in the order of the columns or trees.
#pragma once

#include <cstdint>
#include <vector>

#include "common/thread_team.hpp"
#include "walk/walk.hpp"

namespace hedgerow {

// What one column adds. Pieces of a number are cut at `ends` (a value up to ends[k] is in piece k); a
// category has a piece for each level. The table has a line for each piece, one for levels never seen, one
// for missing.
struct ScoreTable {
  int32_t column = 0;
  int32_t n_levels = 0;  // 0: a number
  const double* ends = nullptr;
  int64_t n_ends = 0;
  const double* table = nullptr;  // lines x width
};

void table_scores(const std::vector<ScoreTable>& tables, const Matrix& rows, int width, double* out,
                  ThreadTeam& team);

struct ScoreTrees {
  const WideNode* nodes = nullptr;  // of all trees; children are counted from the first node of all
  const uint64_t* words = nullptr;  // of all subsets
  const int64_t* root = nullptr;    // of each tree
  const int32_t* depth = nullptr;   // of each tree
  int64_t n_trees = 0;
  const int32_t* column = nullptr;  // per node: the column of the score it adds to
  const double* amount = nullptr;   // per node: how much
  bool any_subset = false;
  int64_t n_columns = 0;  // of the rows
};

void tree_scores(const ScoreTrees& trees, const Matrix& rows, int width, double* out, ThreadTeam& team);

}  // namespace hedgerow

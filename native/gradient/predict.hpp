// Sums of trees for rows of numbers.
//
// In: packed nodes of all trees (walk/walk.hpp), a matrix.   Out: each row's sum for each output, added to
// what is there. A row is summed by one thread, in the order of the trees: the same bits for any number of
// threads.
#pragma once

#include <vector>

#include "common/thread_team.hpp"
#include "walk/walk.hpp"

namespace hedgerow::gradient {

struct SumTrees {
  const WideNode* nodes = nullptr;  // children are counted from the first node of all; a leaf leads to itself
  const uint64_t* words = nullptr;  // of subsets
  const int64_t* root = nullptr;
  const int32_t* depth = nullptr;
  const int32_t* output = nullptr;  // of each tree
  const double* value = nullptr;    // of each node
  int64_t n_trees = 0;
  int64_t n_columns = 0;  // of the rows
  bool any_subset = false;
};

// out: rows x outputs.
void add_trees(const SumTrees& trees, const Matrix& rows, int n_outputs, double* out, ThreadTeam& team);

}  // namespace hedgerow::gradient

// What the rows outside a tree's sample say about it.
//
// Rows are handed out in fixed chunks; within a chunk trees come one after the other, so that sums have one
// order whatever the number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "common/thread_team.hpp"
#include "explain/flat.hpp"

namespace hedgerow {

struct Truth {
  const int32_t* classes;  // or
  const double* numbers;
  const double* weight;  // nullptr: all one
};

// Which rows each tree has not seen: bit i of the tree's words.
struct Outside {
  const uint64_t* words;
  int64_t words_a_tree;
  bool has(int64_t tree, int64_t row) const {
    return words[tree * words_a_tree + (row >> 6)] >> (row & 63) & 1;
  }
};

// Adds the trees to a running tally. sum: rows x outputs, of the values of the trees a row is outside of;
// many: how many those are; loss: for each tree, the weighted loss of all rows after it (a wrong class, or
// the squared error, by the mean so far), rows that are in every sample so far left out; counted: the weight
// of the rows in that loss.
void tally_outside(const FlatTrees& trees, const Matrix& rows, const Truth& truth, const Outside& outside,
                   double* sum, int32_t* many, double* loss, double* counted, ThreadTeam& team);

// Permutation importance. For each row and each tree it is outside of, for each column on its way: the loss
// with the cell of another row that is outside, drawn at random, less the loss with its own. For each column,
// weighted sums over the rows: sum, of the mean over a row's trees; square, of that mean's square; pairs, of
// the mean of d_t d_s over all pairs of two different trees of the row. mass: the weight of the rows that are
// outside of some tree.
struct Rise {
  std::vector<double> sum, square, pairs;
  double mass = 0, mass_square = 0;
};
Rise permuted_rise(const FlatTrees& trees, const Matrix& rows, int64_t n_columns, const Truth& truth,
                   const Outside& outside, uint64_t seed, int repeats, ThreadTeam& team);

}  // namespace hedgerow

// What a tree adds to the scores of rows.
#pragma once

#include "common/thread_team.hpp"
#include "gradient/binned.hpp"
#include "gradient/grow.hpp"
#include "gradient/row_windows.hpp"

namespace hedgerow::gradient {

// Rows sorted by leaf: scores[rows[i]] += value of the leaf that i belongs to. n_rows: of the table.
void add_leaves(const std::vector<LeafRows>& leaves, const double* value, const uint32_t* rows,
                int64_t n_rows, double* scores, ThreadTeam& team);

// As add_leaves, but by values that a row has had less part in. Without row i, the value v of a leaf with G
// and H (its penalty included) would be v + (g_i + v h_i) / (H - h_i); here this difference counts `times`
// times, and H - h_i is at least a hundredth of h_i. The value of a leaf is v times `rate`. A row of weight w
// stands for w equal rows, of which one is left out.
struct LeftOut {
  const double *value, *leaf_hessian;  // of each leaf
  const double *gradient, *hessian;    // of each row, times its weight
  const double* weight;                // null: all 1
  double rate, times;
};
void add_left_out(const std::vector<LeafRows>& leaves, const LeftOut& how, const uint32_t* rows,
                  int64_t n_rows, double* scores, ThreadTeam& team);

struct CodeTree {  // nodes as GradientTree has them
  const int32_t *column, *bin, *first_child;
  const uint8_t *categorical, *missing_left;
  const uint64_t* levels;
  const double* value;
  int64_t n_nodes;
};

// Every row of the table walks down by its codes.
void add_by_codes(const CodeTree& tree, const BinnedTable& table, double* scores, ThreadTeam& team);

}  // namespace hedgerow::gradient

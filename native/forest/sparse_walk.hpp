// Sparse rows down a forest: eight at a time are written out, walk, and are wiped again.
#pragma once

#include "forest/pack.hpp"

namespace hedgerow {

// Row i has the entries start[i] .. start[i + 1] - 1; all other cells are zero, NaN is a missing cell.
struct SparseRows {
  const int64_t* start;
  const int32_t* column;
  const void* values;
  bool wide;  // float64, else float32
  int64_t n_rows, n_columns;
};

// As for rows written out (pack.hpp), to the last bit.
void forest_values(const ForestView& forest, const SparseRows& rows, const double* table, int n_outputs,
                   double* out, ThreadTeam& team);
void forest_leaves(const ForestView& forest, const SparseRows& rows, int32_t* out, ThreadTeam& team);

}  // namespace hedgerow

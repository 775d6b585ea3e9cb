// Rows whose categories are whole numbers, as trees read them: the number of the level.
//
// In: a matrix, and of each category a table from whole numbers to level numbers.   Out: the matrix row by
// row, its categories replaced. As in a Table, a category below zero is a missing cell.
#pragma once

#include "common/thread_team.hpp"
#include "walk/walk.hpp"

namespace hedgerow::gradient {

struct LevelTables {
  const int32_t* column = nullptr;  // the categories
  const double* unseen = nullptr;   // of each, the code of a number without a level
  const int64_t* start = nullptr;   // of each, first entry of its table (that of 0), and the end
  const double* code = nullptr;
  int64_t n_categories = 0;
};

// out: rows x columns.
void code_levels(const LevelTables& tables, const Matrix& rows, int64_t n_columns, double* out,
                 ThreadTeam& team);

}  // namespace hedgerow::gradient

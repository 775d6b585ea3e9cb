// Numbers to bins.
//
// In: columns of numbers.   Out: of each, the edges between bins, and a code for each cell: the number of
// edges below the value; a missing cell has the number of bins. A column with no more distinct values than
// max_bins has a bin for each (all cells are looked at). Others have bins of about equal numbers of rows,
// found on at most 65,536 rows; a value that fills a bin alone has one alone, and the others share what is
// left.
#pragma once

#include "common/thread_team.hpp"
#include "gradient/binned.hpp"

namespace hedgerow::gradient {

struct NumberColumn {
  const void* data = nullptr;
  bool wide = false;   // float64, else float32
  int64_t stride = 1;  // cells from a row to the next
};

// The edges of each column; edges[k] lies between the bins k and k + 1: bin k holds values up to edges[k].
std::vector<std::vector<double>> bin_edges(const std::vector<NumberColumn>& columns, int64_t n_rows,
                                           int max_bins, ThreadTeam& team);

// codes[place of the column][row]; returns the number of missing cells of each column.
std::vector<int64_t> bin_codes(const std::vector<NumberColumn>& columns, int64_t n_rows,
                               const std::vector<std::vector<double>>& edges,
                               const std::vector<int64_t>& place, uint8_t* codes, ThreadTeam& team);

// Codes column by column -> codes by group and row.
void group_codes(const BinnedTable& table, uint8_t* grouped, ThreadTeam& team);

}  // namespace hedgerow::gradient

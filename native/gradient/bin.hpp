// Numbers to bins.
//
// In: columns of numbers.   Out: of each, the edges between bins, and a code for each cell: the number of
// edges below the value; a missing cell has the number of bins. A column with no more distinct values than
// max_bins has a bin for each. Others have bins of about equal numbers of rows, found on the counts of
// value_cells.hpp, which do not depend on the order of the rows; a value that fills a bin alone has one
// alone, and the others share what is left.
#pragma once

#include "common/thread_team.hpp"
#include "gradient/binned.hpp"
#include "gradient/value_cells.hpp"

namespace hedgerow::gradient {

// Values in order with their counts -> bins of about equal count; edges[k] lies between the bins k and k + 1.
std::vector<double> edges_of(const ValueCells& cells, int max_bins);

// The rows of each column added to what was counted of it before.
std::vector<ValueCells> count_columns(const std::vector<ValueCells>& before,
                                      const std::vector<NumberColumn>& columns, int64_t n_rows,
                                      ThreadTeam& team);

// The edges of each column: bin k holds values up to edges[k].
std::vector<std::vector<double>> bin_edges(const std::vector<NumberColumn>& columns, int64_t n_rows,
                                           int max_bins, ThreadTeam& team);

// codes[place of the column][row]; returns the number of missing cells of each column.
std::vector<int64_t> bin_codes(const std::vector<NumberColumn>& columns, int64_t n_rows,
                               const std::vector<std::vector<double>>& edges,
                               const std::vector<int64_t>& place, uint8_t* codes, ThreadTeam& team);

// Codes column by column -> codes by group and row; of columns that are not sparse.
void group_codes(const BinnedTable& table, uint8_t* grouped, ThreadTeam& team);

}  // namespace hedgerow::gradient

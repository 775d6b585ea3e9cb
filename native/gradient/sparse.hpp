// Sparse columns: those in which nearly all rows have one code, the usual one.
//
// find_others     which they are, and their cells with another code, column by column
// write_entries   the same cells row by row, as histograms read them (binned.hpp)
// write_codes     the codes of some rows, as parting rows reads them
// bin_entries     bins of a sparse table from its entries: cells that are not there are 0
#pragma once

#include "common/thread_team.hpp"
#include "gradient/binned.hpp"
#include "gradient/value_cells.hpp"

namespace hedgerow::gradient {

// The usual code of a column, or kNotSparse; kNeverSplit where fewer than min_rows rows have another code, so
// that no split leaves min_rows on both sides. Columns are sparse where few rows have another code, and only
// if there are enough of them.
struct Others {
  std::vector<int32_t> usual;
  std::vector<int64_t> start;  // of each column's cells, and the end
  std::vector<uint32_t> row;   // rising within a column
  std::vector<uint8_t> code;
};
Others find_others(const uint8_t* codes, size_t columns, int64_t n_rows, int64_t min_rows, ThreadTeam& team);

struct Entries {
  std::vector<int64_t> start;
  std::vector<uint16_t> entries;
};
Entries write_entries(const BinnedTable& table, ThreadTeam& team);

// Of the rows begin .. end - 1 of sparse column j, from codes[0] on.
void write_codes(const BinnedTable& table, int32_t j, int64_t begin, int64_t end, uint8_t* codes);

// Of `rows`, which rise, each at codes[row]; what stands between them may be overwritten.
void write_codes_of(const BinnedTable& table, int32_t j, const uint32_t* rows, int64_t n, uint8_t* codes);

struct SparseColumn {
  NumberColumn values;
  const uint32_t* row = nullptr;
  int64_t n = 0;
};
struct SparseBins {
  std::vector<std::vector<double>> edges;  // of each column
  std::vector<uint8_t> has_missing;
  Others others;
  std::vector<uint8_t> codes;  // of the columns that are not sparse, column by column
};
SparseBins bin_entries(const std::vector<SparseColumn>& columns, int64_t n_rows, int max_bins,
                       int64_t min_rows, ThreadTeam& team);

}  // namespace hedgerow::gradient

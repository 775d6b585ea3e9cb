// Sparse columns: those in which nearly all rows have one code.
//
// usual_codes    which they are
// write_entries  their cells with another code, row by row, as histograms read them (binned.hpp)
// bin_entries    bins of a sparse table from its entries: cells that are not there are 0
#pragma once

#include "common/thread_team.hpp"
#include "gradient/binned.hpp"
#include "gradient/value_cells.hpp"

namespace hedgerow::gradient {

// Of each column its usual code, or kNotSparse; kNeverSplit where fewer than min_rows rows have another code,
// so that no split leaves min_rows on both sides. Columns are sparse where few rows have another code, and
// only if there are enough of them.
std::vector<int32_t> usual_codes(const uint8_t* codes, size_t columns, int64_t n_rows, int64_t min_rows,
                                 ThreadTeam& team);

struct Entries {
  std::vector<int64_t> start;
  std::vector<uint16_t> entries;
};
Entries write_entries(const BinnedTable& table, ThreadTeam& team);

struct SparseColumn {
  NumberColumn values;
  const uint32_t* row = nullptr;
  int64_t n = 0;
};
struct SparseBins {
  std::vector<double> edges;
  bool has_missing = false;
};
// codes[column][row] are written.
std::vector<SparseBins> bin_entries(const std::vector<SparseColumn>& columns, int64_t n_rows, int max_bins,
                                    uint8_t* codes, ThreadTeam& team);

}  // namespace hedgerow::gradient

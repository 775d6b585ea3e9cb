// Rank codes of sparse columns: of the entries, and of all other cells, which are zero.
//
// In: columns of entries (rows that have a number of their own; it may be 0, or NaN for a missing cell).
// Out: as rank.hpp has them for the columns written out; an entry of 0 has the code of the rows without one.
#pragma once

#include <cstdint>
#include <vector>

#include "common/thread_team.hpp"

namespace hedgerow {

struct EntryColumns {
  int64_t n_rows = 0, n_columns = 0;
  const int64_t* start = nullptr;  // of each column's entries, and the end
  const void* values = nullptr;
  bool wide = true;  // float64
};

struct EntryCodes {
  std::vector<uint32_t> codes;  // of the entries; missing: the column's number of codes
  std::vector<uint32_t> rest;   // by column: the code of the rows without an entry
  std::vector<int64_t> n_codes, n_missing;
  std::vector<int64_t> value_start;  // by column, and the end
  std::vector<double> values;        // of each code
};

EntryCodes rank_entries(const EntryColumns& columns, ThreadTeam& team);

}  // namespace hedgerow

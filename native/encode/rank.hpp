// Numbers to rank codes.
//
// In: one column of float32 or float64 (any stride), NaN = missing.
// Out: its codes 0 .. n_codes-1 in the order of the values, equal values equal codes, missing = n_codes;
// one, two or four bytes a code, as few as the column needs (one for 256 codes where nothing is missing).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/thread_team.hpp"

namespace hedgerow {

struct FloatColumn {
  const void* data;
  int64_t stride;  // in elements
  bool wide;       // float64
};

struct RankCodes {
  std::unique_ptr<uint8_t[]> codes;
  int width = 0;  // bytes a code: 1, 2 or 4
  int64_t n_codes = 0;
  int64_t n_missing = 0;
};

std::vector<RankCodes> rank_columns(const std::vector<FloatColumn>& columns, int64_t n_rows,
                                    ThreadTeam& team);

struct CodedColumn {
  const void* codes;
  int width;  // bytes a code
  int64_t n_codes;
};

// The number of each rank code, into out[column][code].
void distinct_values(const std::vector<FloatColumn>& columns, const std::vector<CodedColumn>& coded,
                     int64_t n_rows, double* const* out, ThreadTeam& team);

}  // namespace hedgerow

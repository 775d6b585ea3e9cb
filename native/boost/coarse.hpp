// Columns in at most 255 coarse codes each, one byte a cell: what every round of stumps on the same rows
// shares.
//
// In: columns of codes.   Out: their coarse codes; for columns with more values than that, the rows in the
// order of their codes, so that a coarse code can be looked into.
#pragma once

#include <cstdint>
#include <vector>

#include "common/thread_team.hpp"
#include "grow/grow.hpp"

namespace hedgerow {

inline constexpr int kCoarse = 256;  // the last one is for missing cells
inline constexpr int kCoarseMissing = 255;
inline constexpr int kTogether = 8;                // columns whose cells stand beside each other
inline constexpr uint32_t kLastOfCode = 1u << 31;  // in `order`: the next row has another code

struct CoarseColumns {
  std::vector<uint8_t> coarse;       // teams of kTogether columns x rows x columns of the team; not used for
                                     // categories of more than 255 levels
  std::vector<uint32_t> order;       // rows in the order of their codes, for numbers of more than 255 codes;
                                     // kLastOfCode: the last one of its code
  std::vector<int64_t> order_start;  // per column: its first place in `order`; -1: none
  std::vector<int64_t> bin_start;  // columns x 256: first place of each coarse code within the column's order
  std::vector<int64_t> last_code;  // columns x 256: the largest code in each coarse code; -1: none
};

CoarseColumns coarse_columns(const std::vector<CodeColumn>& columns, int64_t n_rows, ThreadTeam& team);

inline int64_t teams_of(int64_t n_columns) { return (n_columns + kTogether - 1) / kTogether; }

inline bool many_levels(const CodeColumn& c) { return c.n_levels > 0 && c.n_codes >= kCoarse; }
inline bool many_numbers(const CodeColumn& c) { return c.n_levels == 0 && c.n_codes >= kCoarse; }

template <class Work>
void with_codes(const CodeColumn& column, Work work) {
  if (column.width == 1)
    work(static_cast<const uint8_t*>(column.codes));
  else if (column.width == 2)
    work(static_cast<const uint16_t*>(column.codes));
  else
    work(static_cast<const uint32_t*>(column.codes));
}

}  // namespace hedgerow

// Columns most of whose cells are one number: entries and the code of all other rows.
//
//   column   0 0 7 0 3 0 7     codes of 0, 3, 7: 0, 1, 2
//   entries  rows 2 4 6, codes 2 1 2;   rest 0
//
// A table is sparse in all columns or in none. Growers that read rows by their number in a column of codes
// take the expanded ones.
#pragma once

#include <vector>

#include "grow/grow.hpp"

namespace hedgerow {

inline bool is_sparse(const GrowInput& input) { return input.columns.front().sparse; }

// A code for each row, in `storage`; the columns given point to it.
void expand_columns(std::vector<CodeColumn>& columns, int64_t n_rows,
                    std::vector<std::vector<uint8_t>>& storage, ThreadTeam& team);

}  // namespace hedgerow

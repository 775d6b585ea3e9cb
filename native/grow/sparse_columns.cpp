#include "grow/sparse_columns.hpp"

#include <algorithm>

namespace hedgerow {
namespace {

template <class Code>
void expand(CodeColumn& column, int64_t n_rows, std::vector<uint8_t>& storage) {
  storage.resize(n_rows * sizeof(Code));
  auto* codes = reinterpret_cast<Code*>(storage.data());
  std::fill(codes, codes + n_rows, static_cast<Code>(column.rest));
  const auto* own = static_cast<const uint32_t*>(column.codes);
  for (int64_t e = 0; e < column.n_entries; ++e) codes[column.entry_rows[e]] = static_cast<Code>(own[e]);
  column.codes = codes;
  column.width = sizeof(Code);
  column.sparse = false;
}

}  // namespace

void expand_columns(std::vector<CodeColumn>& columns, int64_t n_rows,
                    std::vector<std::vector<uint8_t>>& storage, ThreadTeam& team) {
  storage.resize(columns.size());
  team.run(static_cast<int64_t>(columns.size()), [&](int64_t j, int) {
    CodeColumn& column = columns[j];
    if (column.n_codes < 1 << 8)
      expand<uint8_t>(column, n_rows, storage[j]);
    else if (column.n_codes < 1 << 16)
      expand<uint16_t>(column, n_rows, storage[j]);
    else
      expand<uint32_t>(column, n_rows, storage[j]);
  });
}

}  // namespace hedgerow

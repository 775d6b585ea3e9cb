#include "grow/row_set.hpp"

#include <algorithm>
#include <numeric>

namespace hedgerow {
namespace {

template <class Entry, class Code>
void sort_by_code(const GrowInput& input, const CodeColumn& column, const RowSet<Entry>& row_set,
                  std::vector<Entry>& list) {
  const auto* codes = static_cast<const Code*>(column.codes);
  const int64_t n = row_set.n;
  // start[c] becomes the place of the first entry with code c: a counting sort, stable in the row.
  std::vector<uint32_t> start(column.n_codes + 2, 0);
  for (int64_t i = 0; i < n; ++i) ++start[codes[row_set.source(i)] + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  const uint32_t first_missing = start[column.n_codes];
  auto place = [&](int64_t i, uint32_t source) {
    const Code code = codes[source];
    const Entry label =
        input.classes ? static_cast<Entry>(input.classes[source]) << row_set.row_bits : Entry{0};
    list[start[code]++] = static_cast<Entry>(i) | label;
  };
  if (row_set.original.empty())
    for (int64_t i = 0; i < n; ++i) place(i, static_cast<uint32_t>(i));
  else
    for (int64_t i = 0; i < n; ++i) place(i, row_set.original[i]);
  // start[c] is now the end of code c, that is the beginning of the next one.
  for (int64_t c = 0; c < column.n_codes; ++c)
    if (start[c] < n) list[start[c]] |= RowSet<Entry>::kBoundary;
  for (int64_t i = first_missing; i < n; ++i) list[i] |= RowSet<Entry>::kMissing;
}

template <class Entry>
std::vector<Entry> target_order(const RowSet<Entry>& row_set) {
  std::vector<Entry> list(row_set.n);
  std::iota(list.begin(), list.end(), Entry{0});
  std::stable_sort(list.begin(), list.end(),
                   [&](Entry a, Entry b) { return row_set.target[a] < row_set.target[b]; });
  return list;
}

}  // namespace

template <class Entry>
RowSet<Entry> whole_row_set(const GrowInput& input, bool with_target_list, ThreadTeam& team) {
  RowSet<Entry> row_set;
  row_set.n = input.rows ? input.n_used : input.n_rows;
  row_set.row_bits = bits_for(row_set.n);
  row_set.label_bits = input.classes ? bits_for(input.n_classes) : 0;
  row_set.side.assign((row_set.n + 63) / 64, 0);
  row_set.target = input.target;
  row_set.weight = input.weight;
  if (input.rows) {
    row_set.original.assign(input.rows, input.rows + input.n_used);
    auto pick = [&](const double* from, std::vector<double>& to) -> const double* {
      if (!from) return nullptr;
      to.resize(row_set.n);
      for (int64_t i = 0; i < row_set.n; ++i) to[i] = from[row_set.original[i]];
      return to.data();
    };
    row_set.target = pick(input.target, row_set.target_copy);
    row_set.weight = pick(input.weight, row_set.weight_copy);
  }
  const auto n_columns = static_cast<int64_t>(input.columns.size());
  row_set.lists.resize(n_columns + (with_target_list ? 1 : 0));
  team.run(static_cast<int64_t>(row_set.lists.size()), [&](int64_t j, int) {
    if (j == n_columns) {
      row_set.lists[j] = target_order(row_set);
      return;
    }
    auto& list = row_set.lists[j];
    list.resize(row_set.n);
    const auto& column = input.columns[j];
    switch (column.width) {
      case 1:
        return sort_by_code<Entry, uint8_t>(input, column, row_set, list);
      case 2:
        return sort_by_code<Entry, uint16_t>(input, column, row_set, list);
      default:
        return sort_by_code<Entry, uint32_t>(input, column, row_set, list);
    }
  });
  return row_set;
}

template RowSet<uint32_t> whole_row_set<uint32_t>(const GrowInput&, bool, ThreadTeam&);
template RowSet<uint64_t> whole_row_set<uint64_t>(const GrowInput&, bool, ThreadTeam&);

}  // namespace hedgerow

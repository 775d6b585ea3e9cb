#include "grow/patch.hpp"

#include <algorithm>
#include <numeric>

namespace hedgerow {
namespace {

template <class Entry, class Code>
void sort_by_code(const GrowInput& input, const CodeColumn& column, const Patch<Entry>& patch,
                  std::vector<Entry>& list) {
  const auto* codes = static_cast<const Code*>(column.codes);
  const int64_t n = patch.n;
  // start[c] becomes the place of the first entry with code c: a counting sort, stable in the row.
  std::vector<uint32_t> start(column.n_codes + 2, 0);
  for (int64_t i = 0; i < n; ++i) ++start[codes[patch.source(i)] + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  const uint32_t first_missing = start[column.n_codes];
  auto place = [&](int64_t i, uint32_t source) {
    const Code code = codes[source];
    const Entry label =
        input.classes ? static_cast<Entry>(input.classes[source]) << patch.row_bits : Entry{0};
    list[start[code]++] = static_cast<Entry>(i) | label;
  };
  if (patch.original.empty())
    for (int64_t i = 0; i < n; ++i) place(i, static_cast<uint32_t>(i));
  else
    for (int64_t i = 0; i < n; ++i) place(i, patch.original[i]);
  // start[c] is now the end of code c, that is the beginning of the next one.
  for (int64_t c = 0; c < column.n_codes; ++c)
    if (start[c] < n) list[start[c]] |= Patch<Entry>::kBoundary;
  for (int64_t i = first_missing; i < n; ++i) list[i] |= Patch<Entry>::kMissing;
}

template <class Entry>
std::vector<Entry> target_order(const Patch<Entry>& patch) {
  std::vector<Entry> list(patch.n);
  std::iota(list.begin(), list.end(), Entry{0});
  std::stable_sort(list.begin(), list.end(),
                   [&](Entry a, Entry b) { return patch.target[a] < patch.target[b]; });
  return list;
}

}  // namespace

template <class Entry>
Patch<Entry> whole_patch(const GrowInput& input, bool with_target_list, Crew& crew) {
  Patch<Entry> patch;
  patch.n = input.rows ? input.n_used : input.n_rows;
  patch.row_bits = bits_for(patch.n);
  patch.label_bits = input.classes ? bits_for(input.n_classes) : 0;
  patch.side.assign((patch.n + 63) / 64, 0);
  patch.target = input.target;
  patch.weight = input.weight;
  if (input.rows) {
    patch.original.assign(input.rows, input.rows + input.n_used);
    auto pick = [&](const double* from, std::vector<double>& to) -> const double* {
      if (!from) return nullptr;
      to.resize(patch.n);
      for (int64_t i = 0; i < patch.n; ++i) to[i] = from[patch.original[i]];
      return to.data();
    };
    patch.target = pick(input.target, patch.target_copy);
    patch.weight = pick(input.weight, patch.weight_copy);
  }
  const auto n_columns = static_cast<int64_t>(input.columns.size());
  patch.lists.resize(n_columns + (with_target_list ? 1 : 0));
  crew.run(static_cast<int64_t>(patch.lists.size()), [&](int64_t j, int) {
    if (j == n_columns) {
      patch.lists[j] = target_order(patch);
      return;
    }
    auto& list = patch.lists[j];
    list.resize(patch.n);
    const auto& column = input.columns[j];
    switch (column.width) {
      case 1:
        return sort_by_code<Entry, uint8_t>(input, column, patch, list);
      case 2:
        return sort_by_code<Entry, uint16_t>(input, column, patch, list);
      default:
        return sort_by_code<Entry, uint32_t>(input, column, patch, list);
    }
  });
  return patch;
}

template Patch<uint32_t> whole_patch<uint32_t>(const GrowInput&, bool, Crew&);
template Patch<uint64_t> whole_patch<uint64_t>(const GrowInput&, bool, Crew&);

}  // namespace hedgerow

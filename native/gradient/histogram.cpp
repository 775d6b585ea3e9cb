#include "gradient/histogram.hpp"

#include <array>
#include <cstring>
#include <utility>

#include "common/simd.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kAhead = 24;  // rows whose codes are asked for before they are needed

// Eight codes are loaded at once and taken apart by shifts: loads and stores are what the loop waits for.
template <int Width>
HEDGEROW_INLINE void add_row(const uint8_t* codes, int64_t word, int64_t* cells, int64_t spacing) {
  uint64_t low, high = 0;
  std::memcpy(&low, codes, 8);
  if constexpr (Width > 8) std::memcpy(&high, codes + 8, 8);
  int64_t* at = cells;
#pragma GCC unroll 16
  for (int k = 0; k < Width; ++k) {
    const uint64_t code = k < 8 ? (low >> (8 * k)) & 0xff : (high >> (8 * (k - 8))) & 0xff;
    at[code] += word;
    at += spacing;
  }
}

template <int Width>
void add_rows(const uint8_t* codes, const int64_t* words, const uint32_t* rows, int64_t begin, int64_t end,
              int64_t* cells, int64_t spacing) {
  if (!rows) {
    for (int64_t i = begin; i < end; ++i) add_row<Width>(codes + i * Width, words[i], cells, spacing);
    return;
  }
  const int64_t calm = std::max(begin, end - kAhead);
  for (int64_t k = begin; k < calm; ++k) {
    __builtin_prefetch(codes + static_cast<int64_t>(rows[k + kAhead]) * Width);
    __builtin_prefetch(words + rows[k + kAhead]);
    add_row<Width>(codes + static_cast<int64_t>(rows[k]) * Width, words[rows[k]], cells, spacing);
  }
  for (int64_t k = calm; k < end; ++k)
    add_row<Width>(codes + static_cast<int64_t>(rows[k]) * Width, words[rows[k]], cells, spacing);
}

using AddRows = void (*)(const uint8_t*, const int64_t*, const uint32_t*, int64_t, int64_t, int64_t*,
                         int64_t);

template <int... W>
constexpr std::array<AddRows, sizeof...(W)> table_of(std::integer_sequence<int, W...>) {
  return {&add_rows<W + 1>...};
}
constexpr auto kAddRows = table_of(std::make_integer_sequence<int, kGroupWidth>());

void add_entries(const int64_t* start, const uint16_t* entries, const int64_t* words, const uint32_t* rows,
                 int64_t begin, int64_t end, int64_t* cells) {
  for (int64_t k = begin; k < end; ++k) {
    if (rows && k + kAhead < end) {
      __builtin_prefetch(words + rows[k + kAhead]);
      __builtin_prefetch(start + rows[k + kAhead]);
      __builtin_prefetch(entries + start[rows[k + kAhead / 2]]);
    }
    const int64_t row = rows ? rows[k] : k, word = words[row];
    for (int64_t e = start[row]; e < start[row + 1]; ++e) cells[entries[e]] += word;
  }
}

}  // namespace

void add_to_histogram(const BinnedTable& table, const Group& group, const int64_t* words,
                      const uint32_t* rows, int64_t begin, int64_t end, int64_t* cells) {
  if (group.sparse()) {
    add_entries(table.entry_start + group.codes_start, table.entries, words, rows, begin, end, cells);
    return;
  }
  kAddRows[group.columns.size() - 1](table.grouped + group.codes_start, words, rows, begin, end, cells,
                                     group.spacing);
}

void fill_usual(const BinnedTable& table, const Group& group, int64_t total, int64_t* cells) {
  for (int32_t j : group.columns) {
    int64_t* own = cells + (table.groups.cells_of[j] - group.cells_start);
    int64_t left = total;
    for (int code = 0; code < table.columns[j].n_codes(); ++code) left -= own[code];
    own[table.columns[j].usual] += left;
  }
}

HEDGEROW_CLONES void subtract_histogram(int64_t* parent, const int64_t* smaller, int64_t n) {
  for (int64_t i = 0; i < n; ++i) parent[i] -= smaller[i];
}

}  // namespace hedgerow::gradient

// A row_set: some rows, numbered 0 .. n-1, and for each column the list of them sorted by code.
//
// An entry is one word:   [boundary | missing | class label | row]
//   boundary: this cell's code differs from the entry before it in the list
//   missing:  this cell is missing; missing entries stand at the end
// With the label and the boundary in the entry, a scan reads one stream and follows no pointer.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "grow/grow.hpp"

namespace hedgerow {

inline int bits_for(uint64_t n) { return std::bit_width(n > 1 ? n - 1 : uint64_t{1}); }

template <class Entry>
struct RowSet {
  int64_t n = 0;
  int row_bits = 1, label_bits = 0;
  std::vector<std::vector<Entry>> lists;  // one a column (and one in the order of the target, for medians)
  std::vector<uint32_t> original;         // row of the row_set -> row of the input; empty: the same
  std::vector<double> target_copy, weight_copy;
  const double* target = nullptr;   // by row of the row_set
  const double* weight = nullptr;   // null: all one
  const double* term = nullptr;     // weight * (target - centre), where it is known and the target is not
  const int64_t* before = nullptr;  // rows before each entry of the only list, where one stands for many
  std::vector<uint64_t> side;       // one bit a row, set while a node is parted: 1 = second child

  static constexpr int kBits = sizeof(Entry) * 8;
  static constexpr Entry kBoundary = Entry{1} << (kBits - 1);
  static constexpr Entry kMissing = Entry{1} << (kBits - 2);

  uint32_t row(Entry e) const { return static_cast<uint32_t>(e & ((Entry{1} << row_bits) - 1)); }
  uint32_t label(Entry e) const { return static_cast<uint32_t>((e & ~(kBoundary | kMissing)) >> row_bits); }
  int64_t rows_before(int64_t entry) const { return before ? before[entry] : entry; }
  // The first of n entries that has so many rows before it; n: none has.
  int64_t entry_after(int64_t rows, int64_t n) const {
    return before ? std::lower_bound(before, before + n, rows) - before : rows;
  }
  uint32_t source(uint32_t row) const { return original.empty() ? row : original[row]; }

  void set_side(uint32_t row, bool second) {
    const uint64_t bit = uint64_t{1} << (row & 63);
    if (second)
      side[row >> 6] |= bit;
    else
      side[row >> 6] &= ~bit;
  }
  Entry side_of(uint32_t row) const { return static_cast<Entry>(side[row >> 6] >> (row & 63)) & 1; }
};

// Entries of a part that are not missing: they stand first.
template <class Entry>
int64_t present_entries(const Entry* list, int64_t n) {
  if (!(list[n - 1] & RowSet<Entry>::kMissing)) return n;
  return std::partition_point(list, list + n, [](Entry e) { return !(e & RowSet<Entry>::kMissing); }) - list;
}

inline uint32_t code_at(const CodeColumn& column, uint32_t row) {
  switch (column.width) {
    case 1:
      return static_cast<const uint8_t*>(column.codes)[row];
    case 2:
      return static_cast<const uint16_t*>(column.codes)[row];
    default:
      return static_cast<const uint32_t*>(column.codes)[row];
  }
}

template <class Entry>
RowSet<Entry> whole_row_set(const GrowInput& input, bool with_target_list, ThreadTeam& team);

// The rows of lists[.][begin, end) as a row_set of their own; only the given columns are copied.
// `place` (one slot a row of `from`) is scratch; row_sets made at the same time have no rows in common.
template <class Entry, class Small>
RowSet<Small> sub_row_set(const RowSet<Entry>& from, int64_t begin, int64_t end,
                          const std::vector<int32_t>& columns, std::vector<uint32_t>& place) {
  RowSet<Small> to;
  to.n = end - begin;
  to.row_bits = bits_for(to.n);
  to.label_bits = from.label_bits;
  to.lists.resize(from.lists.size());
  to.side.assign((to.n + 63) / 64, 0);
  to.original.resize(to.n);
  if (from.target) to.target_copy.resize(to.n);
  if (from.weight) to.weight_copy.resize(to.n);

  const Entry* first = from.lists[columns.front()].data() + begin;
  for (int64_t i = 0; i < to.n; ++i) {
    const uint32_t row = from.row(first[i]);
    place[row] = static_cast<uint32_t>(i);
    to.original[i] = from.source(row);
    if (from.target) to.target_copy[i] = from.target[row];
    if (from.weight) to.weight_copy[i] = from.weight[row];
  }
  to.target = from.target ? to.target_copy.data() : nullptr;
  to.weight = from.weight ? to.weight_copy.data() : nullptr;

  for (const int32_t j : columns) {
    const Entry* source = from.lists[j].data() + begin;
    auto& list = to.lists[j];
    list.resize(to.n);
    for (int64_t i = 0; i < to.n; ++i) {
      const Entry e = source[i];
      Small flags = (e & RowSet<Entry>::kBoundary ? RowSet<Small>::kBoundary : 0) |
                    (e & RowSet<Entry>::kMissing ? RowSet<Small>::kMissing : 0);
      list[i] =
          flags | static_cast<Small>(from.label(e)) << to.row_bits | static_cast<Small>(place[from.row(e)]);
    }
  }
  return to;
}

}  // namespace hedgerow

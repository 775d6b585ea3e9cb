// Rows after a split.   In: a list's part and the side of each row.   Out: the part, first child's rows
// first.
//
//    rows = [a b c d e f]   sides = [0 1 0 1 1 0]   ->   [a c f | b d e]
//
// Stable, so both parts stay sorted. An entry's boundary flag means "differs from the entry before it"; when
// the entries between are gone, their flags are carried to the next one that stays.
#pragma once

#include <algorithm>

#include "grow/row_set.hpp"

namespace hedgerow {

template <class Entry>
void part_both(const RowSet<Entry>& row_set, Entry* list, int64_t n, Entry* spare) {
  constexpr Entry boundary = RowSet<Entry>::kBoundary;
  Entry carried[2] = {0, 0};
  int64_t first = 0, second = 0;
  for (int64_t i = 0; i < n; ++i) {
    const Entry e = list[i];
    const Entry flag = e & boundary;
    const Entry side = row_set.side_of(row_set.row(e));
    const Entry keep_first = Entry{0} - side;  // all ones when the entry goes to the second child
    carried[0] |= flag;
    carried[1] |= flag;
    list[first] = e | carried[0];
    spare[second] = e | carried[1];
    first += 1 - side;
    second += side;
    carried[0] &= keep_first;
    carried[1] &= ~keep_first;
  }
  std::copy(spare, spare + second, list + first);
}

// The same for a list whose entries all differ: every flag stays as it is.
template <class Entry>
void part_both_distinct(const RowSet<Entry>& row_set, Entry* list, int64_t n, Entry* spare) {
  int64_t second = 0;
  for (int64_t i = 0; i < n; ++i) {
    const Entry e = list[i];
    list[i - second] = e;
    spare[second] = e;
    second += static_cast<int64_t>(row_set.side_of(row_set.row(e)));
  }
  std::copy(spare, spare + second, list + n - second);
}

// Only the entries of one side, kept at the front (side 0) or at the back (side 1) of the part.
template <class Entry>
void part_one(const RowSet<Entry>& row_set, Entry* list, int64_t n, Entry side, int64_t n_side) {
  constexpr Entry boundary = RowSet<Entry>::kBoundary;
  Entry carried = 0;
  int64_t kept = 0;
  for (int64_t i = 0; i < n; ++i) {
    const Entry e = list[i];
    const Entry mine = Entry{1} - (row_set.side_of(row_set.row(e)) ^ side);
    carried |= e & boundary;
    list[kept] = e | carried;
    kept += mine;
    carried &= mine - 1;
  }
  if (side == 1) std::copy_backward(list, list + n_side, list + n);
}

}  // namespace hedgerow

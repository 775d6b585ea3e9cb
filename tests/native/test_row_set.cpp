#include "grow/row_set.hpp"

#include <vector>

#include "check.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Column;
using sample::Dice;
using sample::Sample;

namespace {

Sample draw_sample(Dice& dice, int64_t n) {
  Sample s;
  s.n = n;
  s.criterion = dice.chance(0.5) ? "gini" : "squared_error";
  for (int j = 0; j < 3; ++j)
    s.columns.push_back(sample::draw_column(dice, n, dice.between(1, 1 + n), dice.chance(0.5) ? 0.2 : 0.0));
  if (dice.chance(0.1)) s.columns[1] = sample::draw_column(dice, n, 70000, 0.1);
  if (dice.chance(0.1)) s.columns[2] = sample::draw_column(dice, n, 3, 1.0);  // nothing but missing
  sample::draw_target(dice, s, static_cast<int32_t>(dice.between(1, 9)));
  if (dice.chance(0.5)) s.weight = sample::draw_weights(dice, n);
  if (dice.chance(0.5))  // with repetitions
    for (int64_t k = dice.between(1, n); k > 0; --k)
      s.rows.push_back(static_cast<uint32_t>(dice.between(0, n - 1)));
  return s;
}

template <class Entry>
void check_list(const Sample& s, const RowSet<Entry>& row_set, const Column& column,
                const std::vector<Entry>& list) {
  std::vector<int> seen(row_set.n, 0);
  for (size_t i = 0; i < list.size(); ++i) {
    const uint32_t row = row_set.row(list[i]), source = row_set.source(row);
    CHECK(row < row_set.n);
    ++seen[row];
    CHECK(((list[i] & RowSet<Entry>::kMissing) != 0) == column.missing(source));
    if (s.of_classes()) CHECK(row_set.label(list[i]) == static_cast<uint32_t>(s.classes[source]));
    if (i == 0) continue;
    const uint32_t before = column.codes[row_set.source(row_set.row(list[i - 1]))],
                   here = column.codes[source];
    CHECK(before <= here);
    CHECK(((list[i] & RowSet<Entry>::kBoundary) != 0) == (before != here));
  }
  for (const int times : seen) CHECK(times == 1);
}

template <class Entry>
void check_numbers(const Sample& s, const RowSet<Entry>& row_set) {
  for (uint32_t row = 0; row < row_set.n; ++row) {
    if (!s.of_classes()) CHECK(row_set.target[row] == s.target[row_set.source(row)]);
    if (!s.weight.empty()) CHECK(row_set.weight[row] == s.weight[row_set.source(row)]);
  }
  CHECK((row_set.weight == nullptr) == s.weight.empty());
}

template <class Entry, class Small>
void check_patches(Dice& dice, const Sample& s, ThreadTeam& team) {
  const GrowInput input = s.input();
  const RowSet<Entry> row_set = whole_row_set<Entry>(input, !s.of_classes(), team);
  const auto used = s.used();
  CHECK(row_set.n == static_cast<int64_t>(used.size()));
  for (uint32_t row = 0; row < row_set.n; ++row) CHECK(row_set.source(row) == used[row]);
  for (size_t j = 0; j < s.columns.size(); ++j) {
    check_list(s, row_set, s.columns[j], row_set.lists[j]);
    for (size_t i = 1; i < row_set.lists[j].size(); ++i)  // stable: equal codes in the order of the rows
      if (!(row_set.lists[j][i] & RowSet<Entry>::kBoundary))
        CHECK(row_set.row(row_set.lists[j][i - 1]) < row_set.row(row_set.lists[j][i]));
  }
  check_numbers(s, row_set);
  if (!s.of_classes())
    for (size_t i = 1; i < row_set.lists[3].size(); ++i)
      CHECK(row_set.target[row_set.row(row_set.lists[3][i - 1])] <=
            row_set.target[row_set.row(row_set.lists[3][i])]);

  // All rows as a row_set of their own: with the columns given, and only those.
  std::vector<uint32_t> place(row_set.n);
  const auto left_out = static_cast<int32_t>(dice.between(0, 2));
  std::vector<int32_t> columns;
  for (int32_t j = 0; j < 3; ++j)
    if (j != left_out) columns.push_back(j);
  const RowSet<Small> sub = sub_row_set<Entry, Small>(row_set, 0, row_set.n, columns, place);
  check_numbers(s, sub);
  for (const int32_t j : columns) {
    CHECK(sub.lists[j].size() == row_set.lists[j].size());
    check_list(s, sub, s.columns[j], sub.lists[j]);
    for (size_t i = 0; i < sub.lists[j].size(); ++i)
      CHECK(sub.source(sub.row(sub.lists[j][i])) == row_set.source(row_set.row(row_set.lists[j][i])));
  }
  CHECK(sub.lists[left_out].empty());
}

}  // namespace

TEST(bits_hold_the_numbers_below) {
  for (uint64_t n = 1; n < 3000; ++n) {
    CHECK((uint64_t{1} << bits_for(n)) >= n);
    CHECK(n <= 2 || (uint64_t{1} << (bits_for(n) - 1)) < n);
  }
}

TEST(patch_lists_are_sorted_and_flagged) {
  Dice dice(51);
  Stop stop;
  ThreadTeam team(1, stop);
  for (int round = 0; round < 400; ++round) {
    check::scene() = "round " + std::to_string(round);
    const Sample s = draw_sample(dice, dice.between(1, round % 10 ? 30 : 300));
    check_patches<uint32_t, uint32_t>(dice, s, team);
    check_patches<uint64_t, uint64_t>(dice, s, team);
    check_patches<uint64_t, uint32_t>(dice, s, team);
  }
}

TEST(patch_of_a_part_of_the_lists) {  // a part that is closed under rows: made by sorting all columns alike
  Dice dice(52);
  Stop stop;
  ThreadTeam team(3, stop);
  for (int round = 0; round < 200; ++round) {
    Sample s = draw_sample(dice, dice.between(2, 60));
    s.rows.clear();
    for (int64_t i = 0; i < s.n; ++i)
      for (auto& column : s.columns) column.codes[i] = static_cast<uint32_t>(i * column.n_codes / s.n);
    for (auto& column : s.columns) column.pack(4);
    const GrowInput input = s.input();
    const auto row_set = whole_row_set<uint32_t>(input, false, team);
    const int64_t begin = dice.between(0, s.n - 1), end = dice.between(begin + 1, s.n);
    std::vector<uint32_t> place(s.n);
    const auto sub = sub_row_set<uint32_t, uint32_t>(row_set, begin, end, {0, 1, 2}, place);
    CHECK(sub.n == end - begin);
    check_numbers(s, sub);
    for (int j = 0; j < 3; ++j) check_list(s, sub, s.columns[j], sub.lists[j]);
  }
}

#include "grow/partition.hpp"

#include <vector>

#include "check.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;
using sample::Sample;

namespace {

// Entries without their boundary flag, and the flags as the codes say (the first of a part has none to
// compare with).
template <class Entry>
void check_part(const Sample& s, const RowSet<Entry>& row_set, const Entry* list,
                const std::vector<Entry>& wanted) {
  const auto& codes = s.columns[0].codes;
  for (size_t i = 0; i < wanted.size(); ++i) {
    CHECK((list[i] & ~RowSet<Entry>::kBoundary) == (wanted[i] & ~RowSet<Entry>::kBoundary));
    if (i == 0) continue;
    const bool differs =
        codes[row_set.source(row_set.row(wanted[i]))] != codes[row_set.source(row_set.row(wanted[i - 1]))];
    CHECK(((list[i] & RowSet<Entry>::kBoundary) != 0) == differs);
  }
}

template <class Entry>
void check_partitions(Dice& dice, int64_t n, int64_t n_codes, ThreadTeam& team) {
  Sample s;
  s.n = n;
  s.criterion = "gini";
  s.columns.push_back(sample::draw_column(dice, n, n_codes, dice.chance(0.5) ? 0.3 : 0.0));
  if (dice.chance(0.3)) {  // no two rows alike
    auto& column = s.columns[0];
    column.n_codes = 3 * n;
    for (int64_t i = 0; i < n; ++i) column.codes[i] = static_cast<uint32_t>((i * 7 % n) * 3);
    if (n % 7 == 0) std::iota(column.codes.begin(), column.codes.end(), 0u);
    column.pack(4);
  }
  sample::draw_target(dice, s, 5);
  const GrowInput input = s.input();
  RowSet<Entry> row_set = whole_row_set<Entry>(input, false, team);
  const double share = dice.unit() * 1.2 - 0.1;  // now and then all on one side
  for (uint32_t row = 0; row < n; ++row) {
    const bool second = dice.chance(share);
    row_set.set_side(row, !second);
    row_set.set_side(row, second);
    CHECK(row_set.side_of(row) == (second ? 1u : 0u));
  }
  std::vector<Entry> wanted[2];
  for (const Entry e : row_set.lists[0]) wanted[row_set.side_of(row_set.row(e))].push_back(e);
  const auto n_first = static_cast<int64_t>(wanted[0].size());

  std::vector<Entry> both = row_set.lists[0], spare(n);
  part_both(row_set, both.data(), n, spare.data());
  check_part(s, row_set, both.data(), wanted[0]);
  check_part(s, row_set, both.data() + n_first, wanted[1]);

  const auto differs = [](Entry e) { return (e & RowSet<Entry>::kBoundary) != 0; };
  if (std::all_of(row_set.lists[0].begin() + 1, row_set.lists[0].end(), differs)) {
    std::vector<Entry> distinct = row_set.lists[0];
    part_both_distinct(row_set, distinct.data(), n, spare.data());
    check_part(s, row_set, distinct.data(), wanted[0]);
    check_part(s, row_set, distinct.data() + n_first, wanted[1]);
  }

  std::vector<Entry> first = row_set.lists[0];
  part_one(row_set, first.data(), n, Entry{0}, n_first);
  check_part(s, row_set, first.data(), wanted[0]);

  std::vector<Entry> second = row_set.lists[0];
  part_one(row_set, second.data(), n, Entry{1}, n - n_first);
  check_part(s, row_set, second.data() + n_first, wanted[1]);

  // Parted once more: flags survive being carried twice.
  if (n_first < 2) return;
  for (const Entry e : wanted[0]) row_set.set_side(row_set.row(e), dice.chance(0.5));
  std::vector<Entry> again[2];
  for (const Entry e : wanted[0]) again[row_set.side_of(row_set.row(e))].push_back(e);
  part_both(row_set, both.data(), n_first, spare.data());
  check_part(s, row_set, both.data(), again[0]);
  check_part(s, row_set, both.data() + again[0].size(), again[1]);
}

}  // namespace

TEST(partition_is_the_naive_stable_one) {
  Dice dice(61);
  Stop stop;
  ThreadTeam team(1, stop);
  for (int round = 0; round < 1500; ++round) {
    check::scene() = "round " + std::to_string(round);
    const int64_t n = dice.between(1, round % 20 ? 40 : 700),
                  n_codes = dice.between(1, dice.chance(0.5) ? 5 : n + 3);
    if (round % 2)
      check_partitions<uint32_t>(dice, n, n_codes, team);
    else
      check_partitions<uint64_t>(dice, n, n_codes, team);
  }
}

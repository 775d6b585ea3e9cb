#include "grow/scan_absolute.hpp"

#include "check.hpp"
#include "criteria/absolute_error.hpp"
#include "scanning.hpp"

using namespace scanning;
using sample::Dice;
using sample::Halves;
using sample::Sample;

namespace {

template <class Entry>
void check_absolute(Dice& dice, const Sample& s, ThreadTeam& team) {
  const GrowInput input = s.input();
  const RowSet<Entry> row_set = whole_row_set<Entry>(input, true, team);
  const MomentContext context{1, nullptr};
  NodeStats node;
  node.end = row_set.n;
  Measure<AbsoluteError, Entry>(row_set, context)(row_set.lists[1].data(), node);
  const auto rows = s.used();
  CHECK_NEAR(node.moments[0], sample::median_of(s, rows), 1e-12);
  CHECK(node.pure == sample::is_pure(s, rows));
  if (node.pure) return;
  const double loss = sample::loss_of(s, rows);
  CHECK_NEAR(node.impurity * node.weight, loss, 1e-10);

  const AbsoluteScan<Entry> absolute(row_set, input.limits);
  MedianBoard board;
  MedianScratch scratch;
  absolute.prepare(row_set.lists[1].data(), node, board);
  const Guard guard = draw_guard(dice, node, node.centre);
  const Entry* list = row_set.lists[0].data();
  const int64_t last =
      std::count_if(list, list + row_set.n, [](Entry e) { return !(e & RowSet<Entry>::kMissing); });
  const Candidate got = absolute.best(list, last, node, guard, board, scratch, team.stop());

  Best best;
  sample::each_threshold(s.columns[0], rows,
                         [&](const Halves& h, uint32_t, bool) { best.offer(s, rows, guard, h); });
  CHECK(got.found() || best.strict == -kInfinity);
  if (!got.found()) return;
  Halves h;
  for (int64_t i = 0; i < row_set.n; ++i)
    ((i < last ? i < got.position : got.missing_left) ? h.left : h.right)
        .push_back(row_set.source(row_set.row(list[i])));
  CHECK(!h.left.empty() && !h.right.empty());
  if (h.left.empty() || h.right.empty()) return;
  CHECK(sample::enough(s, h));
  CHECK(allowed(s, guard, h, 1e-9));
  CHECK_NEAR(got.gain, sample::gain_of(s, rows, h.left, h.right), 1e-9);
  const double slack = 1e-9 * (1 + loss);
  CHECK(got.gain >= best.strict - slack && got.gain <= best.loose + slack);
}

}  // namespace

TEST(scan_absolute_error) {
  Dice dice(101);
  Stop stop;
  ThreadTeam team(1, stop);
  for (int round = 0; round < 1200; ++round) {
    check::scene() = "round " + std::to_string(round);
    Sample s;
    s.n = dice.between(1, round % 40 ? 30 : 200);
    s.criterion = "absolute_error";
    s.columns.push_back(sample::draw_column(dice, s.n, dice.between(1, dice.chance(0.5) ? 4 : s.n + 2),
                                            dice.chance(0.5) ? 0.25 : 0.0));
    sample::draw_target(dice, s, 0);
    if (dice.chance(0.5)) s.weight = sample::draw_weights(dice, s.n);
    draw_limits(dice, s);
    if (round % 2)
      check_absolute<uint32_t>(dice, s, team);
    else
      check_absolute<uint64_t>(dice, s, team);
  }
}

TEST(indexed_sums_are_prefix_sums) {
  Dice dice(102);
  for (int round = 0; round < 200; ++round) {
    const int64_t n = dice.between(1, 50);
    std::vector<double> sums(n + 1, 0.0), plain(n, 0.0);
    for (int k = 0; k < 60; ++k) {
      const int64_t at = dice.between(0, n - 1);
      const auto x = static_cast<double>(dice.between(-8, 8));
      indexed_add(sums, static_cast<uint32_t>(at), x);
      plain[at] += x;
    }
    double wanted = 0;
    for (int64_t i = 0; i < n; ++i) {
      wanted += plain[i];
      double got = 0;
      for (int64_t k = i + 1; k > 0; k -= k & -k) got += sums[k];
      CHECK(got == wanted);
    }
  }
}

#include "grow/scan.hpp"

#include "check.hpp"
#include "scanning.hpp"

using namespace scanning;
using sample::Dice;
using sample::Halves;
using sample::Sample;

namespace {

template <class Rule, class Entry>
void check_scan(Dice& dice, Sample drawn, ThreadTeam& team) {
  const Scene<Rule, Entry> scene(std::move(drawn), team);
  const Sample& s = scene.s;
  const auto rows = s.used();
  CHECK_NEAR(scene.node.weight, sample::weight_of(s, rows), 1e-12);
  CHECK(scene.node.pure == sample::is_pure(s, rows));
  if (scene.node.pure) return;  // nobody scans it
  CHECK_NEAR(scene.node.impurity * scene.node.weight, sample::loss_of(s, rows), 1e-10);

  const Guard guard = draw_guard(dice, scene.node, sample::answer_of(s, rows));
  ScanScratch scratch;
  const Candidate got = scene.best(guard, scratch);
  Best best;
  sample::each_threshold(s.columns[0], rows,
                         [&](const Halves& h, uint32_t, bool) { best.offer(s, rows, guard, h); });
  const double slack = 1e-9 * (1 + sample::loss_of(s, rows));
  CHECK(!got.found() || best.loose > -kInfinity);
  const double largest = scene.largest(guard, -kInfinity, scratch);
  CHECK((largest > -kInfinity) == got.found());  // what is measured is also located
  if (got.found()) {
    CHECK_NEAR(largest, got.gain, 1e-10);
    const double floor = largest * (dice.unit() * 2);
    CHECK_NEAR(scene.largest(guard, floor, scratch), std::max(floor, largest), 1e-12);
  }
  CHECK(got.found() || best.strict == -kInfinity);
  if (!got.found()) return;
  const Halves h = scene.halves(got);
  CHECK(!h.left.empty() && !h.right.empty());
  if (h.left.empty() || h.right.empty()) return;
  CHECK(sample::enough(s, h));
  CHECK(allowed(s, guard, h, 1e-9));
  CHECK_NEAR(got.gain, sample::gain_of(s, rows, h.left, h.right), 1e-9);
  CHECK(got.gain >= best.strict - slack && got.gain <= best.loose + slack);
  // The place is one where a threshold may stand.
  const int64_t last = scene.scan.present(scene.list(), s.n);
  CHECK(got.position >= 1 && got.position <= last);
  if (got.position < last) CHECK((scene.list()[got.position] & RowSet<Entry>::kBoundary) != 0);
  if (got.position == last) CHECK(last < s.n && !got.missing_left);
}

template <class Rule>
void check_many(uint64_t seed, int32_t n_classes, int rounds, int64_t most_rows) {
  Dice dice(seed);
  Stop stop;
  ThreadTeam team(1, stop);
  for (int round = 0; round < rounds; ++round) {
    check::scene() = name_of<Rule>() + " round " + std::to_string(round);
    Sample s;
    s.n = dice.between(1, most_rows);
    s.criterion = name_of<Rule>();
    s.columns.push_back(sample::draw_column(dice, s.n, dice.between(1, dice.chance(0.5) ? 4 : s.n + 2),
                                            dice.chance(0.5) ? 0.25 : 0.0));
    sample::draw_target(dice, s, n_classes);
    if (dice.chance(0.5)) s.weight = sample::draw_weights(dice, s.n);
    draw_limits(dice, s);
    if (round % 2)
      check_scan<Rule, uint32_t>(dice, std::move(s), team);
    else
      check_scan<Rule, uint64_t>(dice, std::move(s), team);
  }
}

}  // namespace

TEST(scan_gini_of_two_classes) { check_many<Gini>(71, 2, 1000, 40); }
TEST(scan_gini_of_three_classes) { check_many<Gini>(72, 3, 1000, 40); }
TEST(scan_entropy) { check_many<Entropy>(73, 3, 800, 40), check_many<Entropy>(74, 2, 800, 40); }
TEST(scan_misclassification) { check_many<Misclassification>(75, 3, 600, 40); }
TEST(scan_squared_error) { check_many<SquaredError>(76, 0, 1000, 40); }
TEST(scan_poisson) { check_many<Poisson>(77, 0, 1000, 40); }

// More thresholds than one block holds, the best of them anywhere: one step in the target at a known place.
TEST(scan_over_several_blocks) {
  Dice dice(78);
  Stop stop;
  ThreadTeam team(1, stop);
  for (int round = 0; round < 40; ++round) {
    Sample s;
    s.n = dice.between(2 * kBlock, 4 * kBlock);
    s.criterion = round % 2 ? "gini" : "squared_error";
    auto column = sample::draw_column(dice, s.n, s.n, 0.0);
    std::iota(column.codes.begin(), column.codes.end(), 0u);
    column.pack(4);
    s.columns.push_back(std::move(column));
    const int64_t step = dice.between(1, s.n - 1);
    for (int64_t i = 0; i < s.n; ++i) {
      s.classes.push_back(i >= step);
      s.target.push_back(i >= step ? 3.5 : -1.0);
    }
    if (dice.chance(0.5)) s.weight = sample::draw_weights(dice, s.n);
    if (round % 2) s.n_classes = 2;
    ScanScratch scratch;
    auto find = [&]<class Rule>(Rule) {
      const Scene<Rule, uint32_t> scene(s, team);
      return scene.best(Guard{}, scratch);
    };
    const Candidate got = round % 2 ? find(Gini{}) : find(SquaredError{});
    CHECK(got.position == step);
  }
}

TEST(scan_takes_the_first_of_tied_thresholds) {
  Stop stop;
  ThreadTeam team(1, stop);
  Sample s;  // 0 1 0 | 1 0 1 reversed: gains are the same from both ends
  s.n = 6;
  s.n_classes = 2;
  s.classes = {0, 1, 0, 0, 1, 0};
  s.criterion = "gini";
  sample::Column column;
  column.codes = {0, 1, 2, 3, 4, 5};
  column.n_codes = 6;
  column.pack(1);
  s.columns.push_back(column);
  const Scene<Gini, uint32_t> scene(s, team);
  ScanScratch scratch;
  CHECK(scene.best(Guard{}, scratch).position == 1);
}

// Nothing finite may lead a scan out of its arrays, however absurd: either a split or none.
TEST(scan_survives_absurd_numbers) {
  Dice dice(79);
  Stop stop;
  ThreadTeam team(1, stop);
  for (const double weight : {1e-320, 1e-200, 1e-160, 1e150, 1e300})
    for (const double scale : {1e-320, 1e-160, 1.0, 1e155, 1e200, 1e307})
      for (const double missing : {0.0, 0.3}) {
        check::scene() = "weight " + check::both(weight, scale);
        Sample s;
        s.n = 30;
        s.criterion = "squared_error";
        s.columns.push_back(sample::draw_column(dice, s.n, 20, missing));
        for (int64_t i = 0; i < s.n; ++i) {
          s.target.push_back(static_cast<double>(dice.between(-3, 3)) * scale);
          s.classes.push_back(static_cast<int32_t>(dice.between(0, 1)));
          s.weight.push_back(weight);
        }
        ScanScratch scratch;
        const Scene<SquaredError, uint32_t> numbers(s, team);
        const Candidate a = numbers.best(Guard{}, scratch);
        CHECK(!a.found() || (a.position >= 1 && a.position <= s.n));
        s.n_classes = 2;
        s.criterion = "gini";
        const Scene<Gini, uint32_t> classes(s, team);
        const Candidate b = classes.best(Guard{}, scratch);
        CHECK(!b.found() || (b.position >= 1 && b.position <= s.n));
      }
}

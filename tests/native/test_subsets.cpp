#include "grow/subsets.hpp"

#include <set>

#include "check.hpp"
#include "scanning.hpp"

using namespace scanning;
using sample::Dice;
using sample::Halves;
using sample::Sample;

namespace {

template <class Rule, class Entry>
Halves halves_of(const Scene<Rule, Entry>& scene, const Candidate& c, const SubsetScratch& t) {
  Halves h;
  const int64_t last = scene.scan.present(scene.list(), scene.row_set.n);
  for (int64_t g = 0; g < t.groups.size; ++g)
    for (int64_t i = t.groups.begin[g]; i < t.groups.begin[g + 1]; ++i)
      (t.goes_left[g] ? h.left : h.right).push_back(scene.row_set.source(scene.row_set.row(scene.list()[i])));
  for (int64_t i = last; i < scene.row_set.n; ++i)
    (c.missing_left ? h.left : h.right).push_back(scene.row_set.source(scene.row_set.row(scene.list()[i])));
  return h;
}

enum class Promise { exact, no_better };  // all subsets were tried; or it is a heuristic

template <class Rule, class Entry>
void check_subset(Dice& dice, Sample drawn, Promise promise, ThreadTeam& team, double& found,
                  double& possible) {
  const Scene<Rule, Entry> scene(std::move(drawn), team);
  const Sample& s = scene.s;
  const auto rows = s.used();
  if (scene.node.pure) return;
  const SubsetScan<Rule, Entry> subsets(scene.scan, scene.context);
  ScanScratch scratch;
  SubsetScratch t;
  Guard guard;  // bounds from above; a category has no direction of its own
  if (promise == Promise::exact && Rule::kOfClasses && s.n_classes > 2)
    guard = draw_guard(dice, scene.node, sample::answer_of(s, rows));
  guard.direction = 0;
  Best best;
  sample::each_subset(s.columns[0], rows, [&](const Halves& h) { best.offer(s, rows, guard, h); });
  const double slack = 1e-9 * (1 + sample::loss_of(s, rows));
  auto check_one = [&](const Candidate& got) {
    const Halves h = halves_of(scene, got, t);
    CHECK(!h.left.empty() && !h.right.empty());
    if (h.left.empty() || h.right.empty()) return;
    CHECK(sample::enough(s, h));
    CHECK(allowed(s, guard, h, 1e-9));
    CHECK_NEAR(got.gain, sample::gain_of(s, rows, h.left, h.right), 1e-9);
    CHECK(got.gain <= best.loose + slack);
  };
  const Candidate got = subsets.best(scene.list(), scene.node, guard, scratch, t);
  if (got.found()) check_one(got);
  if (promise == Promise::exact) {
    CHECK(got.found() || best.strict == -kInfinity);
    if (got.found()) CHECK(got.gain >= best.strict - slack);
  }
  if (got.found()) found += got.gain, possible += best.loose;

  Random random(dice.bits());
  const Candidate by_chance = subsets.random(scene.list(), scene.node, guard, random, scratch, t);
  if (by_chance.found()) check_one(by_chance);
}

struct Plan {
  uint64_t seed;
  int32_t n_classes;
  int rounds;
  int64_t rows, fewest_levels, most_levels;
  Promise promise;
  bool limits, above_zero = false;
};

// The share of the possible gain that was found.
template <class Rule>
double check_many(const Plan& plan) {
  Dice dice(plan.seed);
  Stop stop;
  ThreadTeam team(1, stop);
  double found = 0, possible = 0;
  for (int round = 0; round < plan.rounds; ++round) {
    check::scene() = name_of<Rule>() + " round " + std::to_string(round);
    Sample s;
    s.n = dice.between(2, plan.rows);
    s.criterion = name_of<Rule>();
    const int64_t levels = dice.between(plan.fewest_levels, plan.most_levels);
    s.columns.push_back(
        sample::draw_column(dice, s.n, levels, dice.chance(0.5) ? 0.2 : 0.0, static_cast<int32_t>(levels)));
    sample::draw_target(dice, s, plan.n_classes);
    if (plan.above_zero)
      for (auto& y : s.target) y += 0.5;
    if (dice.chance(0.5)) s.weight = sample::draw_weights(dice, s.n);
    if (plan.limits) draw_limits(dice, s);
    if (round % 2)
      check_subset<Rule, uint32_t>(dice, std::move(s), plan.promise, team, found, possible);
    else
      check_subset<Rule, uint64_t>(dice, std::move(s), plan.promise, team, found, possible);
  }
  return found / possible;
}

}  // namespace

TEST(subsets_of_two_classes_are_the_best_of_all) {
  check_many<Gini>({81, 2, 400, 40, 1, 7, Promise::exact, false});
  check_many<Entropy>({82, 2, 300, 40, 1, 7, Promise::exact, false});
  check_many<Misclassification>({83, 2, 300, 40, 1, 7, Promise::exact, false});
}

TEST(subsets_by_mean_are_the_best_of_all) {
  check_many<SquaredError>({84, 0, 400, 40, 1, 7, Promise::exact, false});
  check_many<Poisson>({85, 0, 300, 40, 1, 7, Promise::exact, false, true});
}

TEST(subsets_of_three_classes_are_tried_one_by_one) {
  check_many<Gini>({86, 3, 300, 40, 1, 7, Promise::exact, true});
  check_many<Entropy>({87, 4, 200, 40, 1, 7, Promise::exact, true});
  check_many<Misclassification>({88, 3, 200, 40, 1, 7, Promise::exact, true});
  check_many<Gini>({89, 3, 15, 60, 10, 10, Promise::exact, true});
}

TEST(subsets_with_limits_keep_them) {
  check_many<Gini>({90, 2, 300, 40, 1, 7, Promise::no_better, true});
  check_many<SquaredError>({91, 0, 300, 40, 1, 7, Promise::no_better, true});
  check_many<Poisson>({92, 0, 300, 40, 1, 7, Promise::no_better, true});
}

TEST(subsets_of_many_levels_are_nearly_the_best) {
  CHECK(check_many<Gini>({93, 3, 20, 90, 11, 12, Promise::no_better, false}) > 0.93);
  CHECK(check_many<Entropy>({94, 4, 12, 90, 11, 11, Promise::no_better, false}) > 0.9);
}

TEST(random_subsets_reach_every_subset) {
  Stop stop;
  ThreadTeam team(1, stop);
  Dice dice(95);
  Sample s;
  s.n = 40;
  s.criterion = "gini";
  s.columns.push_back(sample::draw_column(dice, s.n, 4, 0.0, 4));
  sample::draw_target(dice, s, 2);
  const Scene<Gini, uint32_t> scene(s, team);
  const SubsetScan<Gini, uint32_t> subsets(scene.scan, scene.context);
  ScanScratch scratch;
  SubsetScratch t;
  std::set<std::vector<uint8_t>> seen;
  for (uint64_t key = 0; key < 500; ++key) {
    Random random(mix(key));
    CHECK(subsets.random(scene.list(), scene.node, Guard{}, random, scratch, t).found());
    seen.insert(t.goes_left);
  }
  CHECK(seen.size() == 14);  // all but none and all
}

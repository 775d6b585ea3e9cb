#include "grow/branches.hpp"

#include "criteria/gain_ratio.hpp"

#include "check.hpp"
#include "grow/grow.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;
using sample::Sample;

namespace {

Sample drawn(Dice& dice, const std::string& criterion) {
  Sample s;
  s.n = dice.between(2, 60);
  s.criterion = criterion == "squared_error" ? criterion : "entropy";
  const double missing = dice.chance(0.5) ? 0.25 : 0.0;
  s.columns.push_back(sample::draw_column(dice, s.n, 5, missing, 5));
  s.columns.push_back(sample::draw_column(dice, s.n, 3, missing, 3));
  s.columns.push_back(sample::draw_column(dice, s.n, 20, missing));
  sample::draw_target(dice, s, 3);
  s.criterion = criterion;
  if (dice.chance(0.5)) s.weight = sample::draw_weights(dice, s.n);
  s.limits.min_rows_leaf = dice.between(1, 3);
  return s;
}

GrownTree grow(const Sample& s, bool multiway, bool fractional) {
  Stop stop;
  ThreadTeam team(1, stop);
  GrowInput input = s.input();
  input.multiway = multiway;
  input.fractional = fractional;
  return grow_tree(input, team);
}

// Nothing is lost on the way down: children weigh what their parent weighs, and their classes add up.
void check_sums(const GrownTree& t) {
  for (int64_t node = 0; node < t.size(); ++node) {
    if (t.kind[node] == kLeaf) continue;
    double weight = 0;
    std::vector<double> moments(t.n_moments, 0.0);
    int64_t rows = 0;
    for (int32_t k = 0; k < t.n_children[node]; ++k) {
      const int32_t child = t.first_child[node] + k;
      weight += t.weight[child];
      rows += t.n_rows[child];
      if (t.n_rows[child] == 0) {
        CHECK(t.kind[child] == kLeaf && t.weight[child] == 0);
        for (int m = 0; m < t.n_moments; ++m)
          CHECK(t.value[child * t.n_moments + m] == t.value[node * t.n_moments + m]);
        continue;
      }
      for (int m = 0; m < t.n_moments; ++m)
        moments[m] += t.value[child * t.n_moments + m] * (t.n_moments > 1 ? 1.0 : t.weight[child]);
    }
    CHECK_NEAR(weight, t.weight[node], 1e-9);
    CHECK(rows >= t.n_rows[node]);  // a row that is shared out surrogates in several
    if (t.missing_branch[node] >= 0) CHECK(rows == t.n_rows[node]);
    for (int m = 0; m < t.n_moments; ++m)
      CHECK_NEAR(moments[m], t.value[node * t.n_moments + m] * (t.n_moments > 1 ? 1.0 : t.weight[node]),
                 1e-9);
  }
}

void check_kinds(const Sample& s, const GrownTree& t, bool multiway, bool fractional) {
  for (int64_t node = 0; node < t.size(); ++node) {
    if (t.kind[node] == kLeaf) continue;
    const int32_t n_levels = s.columns[t.feature[node]].n_levels;
    CHECK((t.kind[node] == kMultiway) == (multiway && n_levels > 0));
    CHECK(t.n_children[node] == (t.kind[node] == kMultiway ? n_levels : 2));
    CHECK((t.missing_branch[node] == kAllBranches) == fractional);
    CHECK(t.missing_branch[node] < t.n_children[node]);
  }
}

}  // namespace

TEST(multiway_trees_lose_no_weight) {
  Dice dice(71);
  for (const std::string criterion : {"gini", "entropy", "gain_ratio", "squared_error"})
    for (int round = 0; round < 150; ++round) {
      check::scene() = criterion + " round " + std::to_string(round);
      const Sample s = drawn(dice, criterion);
      const bool multiway = dice.chance(0.7), fractional = !multiway || dice.chance(0.5);
      const GrownTree t = grow(s, multiway, fractional);
      check_sums(t);
      check_kinds(s, t, multiway, fractional);
    }
}

TEST(split_information_counts_missing_as_a_branch) {
  const std::vector<double> halves{2.0, 2.0};
  CHECK_NEAR(GainRatio::split_information(halves, 0.0, 4.0), 4.0, 1e-12);   // one bit each
  CHECK_NEAR(GainRatio::split_information(halves, 4.0, 8.0), 12.0, 1e-12);  // 1/2, 1/4, 1/4: 1.5 bits each
}

TEST(thresholds_have_a_smallest_branch_and_a_price) {
  CHECK(GainRatio::least_branch(30, 2, 2) == 2);
  CHECK(GainRatio::least_branch(200, 2, 2) == 10);
  CHECK(GainRatio::least_branch(1e6, 2, 2) == 25);
  CHECK(GainRatio::threshold_cost(8) == 3);
}

// Forests: draws, each tree against the single tree, packed prediction against plain recursion.
#include <cmath>
#include <vector>

#include "check.hpp"
#include "forest/draws.hpp"
#include "forest/forest.hpp"
#include "forest/pack.hpp"
#include "grow/row_set.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// --- draws
struct Line {
  std::vector<uint32_t> order;
  std::vector<double> ends;

  DrawPlan plan(How how, int64_t n_rows, int64_t size, uint64_t seed) const {
    DrawPlan plan;
    plan.how = how;
    plan.n_rows = n_rows;
    plan.size = size;
    plan.order = order.data();
    plan.n_order = static_cast<int64_t>(order.size());
    plan.line = ends.empty() ? nullptr : ends.data();
    plan.seed = seed;
    return plan;
  }
};

// Every row but each seventh; whole weights of 1 to 3 where they are asked for.
Line draw_line(Dice& dice, int64_t n, bool weighted) {
  Line line;
  double end = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (i % 7 == 6) continue;
    line.order.push_back(static_cast<uint32_t>(i));
    end += weighted ? static_cast<double>(dice.between(1, 3)) : 1.0;
    if (weighted) line.ends.push_back(end);
  }
  for (size_t i = line.order.size(); i > 1; --i)
    std::swap(line.order[i - 1], line.order[dice.between(0, static_cast<int64_t>(i) - 1)]);
  return line;
}

TEST(draws_have_their_size_and_come_from_the_line) {
  Dice dice(31);
  for (int round = 0; round < 40; ++round) {
    const int64_t n = dice.between(1, 300);
    const bool weighted = round % 2;
    const Line line = draw_line(dice, n, weighted);
    const int64_t size = dice.between(1, static_cast<int64_t>(line.order.size()));
    for (const How how : {How::kBootstrap, How::kSubsample, How::kAll}) {
      const DrawPlan plan = line.plan(how, n, size, dice.bits());
      std::vector<uint32_t> counts(n, 99), again(n);
      draw_counts(plan, round, counts.data());
      draw_counts(plan, round, again.data());
      CHECK(counts == again);
      const int64_t drawn = std::accumulate(counts.begin(), counts.end(), int64_t{0});
      CHECK(drawn == (how == How::kAll ? static_cast<int64_t>(line.order.size()) : size));
      for (int64_t i = 6; i < n; i += 7) CHECK(counts[i] == 0);
      if (how == How::kSubsample)
        for (const uint32_t count : counts) CHECK(count <= 1);
    }
  }
}

TEST(each_tree_draws_anew) {
  Dice dice(32);
  const Line line = draw_line(dice, 200, false);
  std::vector<uint32_t> one(200), other(200);
  draw_counts(line.plan(How::kBootstrap, 200, 171, 5), 0, one.data());
  draw_counts(line.plan(How::kBootstrap, 200, 171, 5), 1, other.data());
  CHECK(one != other);
  CHECK(tree_seed(5, 0) != tree_seed(5, 1));
}

TEST(hashes_do_not_see_the_sign_of_zero_nor_the_kind_of_nan) {
  const double a[] = {0.0, kNan, 1.5}, b[] = {-0.0, -kNan, 1.5};
  uint64_t one[3] = {}, other[3] = {};
  hash_numbers(one, a, 1, 3);
  hash_numbers(other, b, 1, 3);
  for (int i = 0; i < 3; ++i) CHECK(one[i] == other[i]);
  CHECK(one[0] != one[2]);
}

// --- growing
struct Case {
  sample::Sample s;
  Line line;
  std::vector<double> class_weight;
  ForestInput input;
};

struct Kind {
  const char* criterion;
  int32_t n_classes;
  int64_t n;
  bool categories, missing, weights, random;
};

// Few distinct values, many, and (where asked for) categories; borrowed by `out.input`.
void draw_case(Dice& dice, const Kind& kind, Case& out) {
  sample::Sample& s = out.s;
  s.n = kind.n;
  s.criterion = kind.criterion;
  const double missing = kind.missing ? 0.15 : 0.0;
  for (const int64_t n_codes : {int64_t{3}, int64_t{17}, kind.n + 400, int64_t{1}, int64_t{200}})
    s.columns.push_back(sample::draw_column(dice, s.n, n_codes, missing));
  if (kind.categories)
    for (const int32_t levels : {4, 70})
      s.columns.push_back(sample::draw_column(dice, s.n, levels, missing, levels));
  if (dice.chance(0.5))  // float32 numbers, which random thresholds read themselves
    for (auto& column : s.columns)
      for (double& value : column.values) value = static_cast<double>(static_cast<float>(value));
  sample::draw_target(dice, s, kind.n_classes);
  if (kind.weights) s.weight = sample::draw_weights(dice, s.n);
  if (kind.weights && kind.n_classes)
    for (int k = 0; k < kind.n_classes; ++k) out.class_weight.push_back(static_cast<double>(1 + k % 3));
  const auto d = static_cast<int32_t>(s.columns.size());
  s.limits.max_features = static_cast<int32_t>(dice.between(1, d));
  s.limits.random_splits = kind.random;
  s.limits.min_rows_leaf = dice.chance(0.3) ? 3 : 1;
  out.line = draw_line(dice, s.n, false);
  out.input.one = s.input();
  out.input.edges.assign(d, nullptr);
  out.input.class_weight = out.class_weight.empty() ? nullptr : out.class_weight.data();
  out.input.balanced = kind.weights && kind.n_classes && dice.chance(0.5);
  const How how = dice.chance(0.7) ? How::kBootstrap : dice.chance(0.5) ? How::kSubsample : How::kAll;
  out.input.draws = out.line.plan(how, s.n, std::max<int64_t>(1, kind.n / 2), dice.bits());
  out.input.first_tree = 3;
  out.input.n_trees = 4;
  check::scene() = std::string(kind.criterion) + " n=" + std::to_string(kind.n) +
                   " classes=" + std::to_string(kind.n_classes);
}

GrownTree single_tree(const ForestInput& input, int64_t tree) {
  TreeRows rows;
  draw_rows(input, tree, rows);
  if (rows.weight.empty()) rows.weight.assign(rows.counts.begin(), rows.counts.end());
  std::vector<uint32_t> used;
  for (int64_t i = 0; i < input.one.n_rows; ++i)
    if (rows.counts[i]) used.push_back(static_cast<uint32_t>(i));
  GrowInput one = input.one;
  one.weight = rows.weight.data();
  one.rows = used.data();
  one.n_used = static_cast<int64_t>(used.size());
  one.seed = tree_seed(input.draws.seed, tree);
  Stop stop;
  ThreadTeam team(1, stop);
  return grow_tree(one, team);
}

double threshold_of(const ForestInput& input, const GrownTree& tree, int32_t at) {
  if (!std::isnan(tree.threshold[at])) return tree.threshold[at];
  const CodeColumn& column = input.one.columns[tree.feature[at]];
  return threshold_between(input, tree.feature[at], code_at(column, tree.low_row[at]),
                           code_at(column, tree.high_row[at]));
}

void same_below(const ForestInput& input, const GrownTree& ours, int32_t a, const GrownTree& single,
                int32_t b) {
  CHECK(ours.kind[a] == single.kind[b]);
  CHECK(ours.n_rows[a] == single.n_rows[b]);
  CHECK_NEAR(ours.weight[a], single.weight[b], 1e-12);
  for (int k = 0; k < ours.n_moments; ++k)
    CHECK_NEAR(ours.value[int64_t{a} * ours.n_moments + k], single.value[int64_t{b} * ours.n_moments + k],
               1e-12);
  if (ours.kind[a] != single.kind[b] || ours.kind[a] == kLeaf) return;
  CHECK(ours.feature[a] == single.feature[b]);
  CHECK(ours.missing_branch[a] == single.missing_branch[b]);
  if (ours.feature[a] != single.feature[b]) return;
  if (ours.kind[a] == kThreshold) {
    CHECK(threshold_of(input, ours, a) == threshold_of(input, single, b));
  } else {
    for (int word = 0; word <= input.one.columns[ours.feature[a]].n_levels / 64; ++word)
      CHECK(ours.subset_bits[ours.subset_start[a] + word] ==
            single.subset_bits[single.subset_start[b] + word]);
  }
  for (int k = 0; k < 2; ++k)
    same_below(input, ours, ours.first_child[a] + k, single, single.first_child[b] + k);
}

std::vector<GrownTree> grown(const ForestInput& input, int threads) {
  Stop stop;
  ThreadTeam team(threads, stop);
  return grow_forest(input, team);
}

const Kind kKinds[] = {
    {"gini", 2, 3100, false, false, false, false},
    {"gini", 7, 2500, false, false, false, false},
    {"gini", 7, 61, false, false, false, true},
    {"gini", 2, 700, false, false, false, true},
    {"gini", 2, 500, true, true, false, false},
    {"gini", 7, 333, true, true, true, false},
    {"gini", 3, 2300, false, false, true, true},
    {"entropy", 2, 900, false, false, false, false},
    {"entropy", 7, 257, true, true, true, true},
    {"misclassification", 7, 129, false, true, false, false},
    {"squared_error", 0, 2300, false, false, false, false},
    {"squared_error", 0, 401, true, true, true, false},
    {"squared_error", 0, 97, true, true, false, true},
    {"poisson", 0, 300, true, false, true, false},
    {"gini", 2, 1, false, false, false, false},
    {"squared_error", 0, 2, false, false, false, false},
};

TEST(each_tree_of_a_forest_is_the_single_tree_for_any_number_of_threads) {
  Dice dice(33);
  for (const Kind& kind : kKinds)
    for (int round = 0; round < (kind.n > 1000 ? 2 : 8); ++round) {
      Case drawn;
      draw_case(dice, kind, drawn);
      const std::vector<GrownTree> alone = grown(drawn.input, 1), together = grown(drawn.input, 3);
      for (int64_t t = 0; t < drawn.input.n_trees; ++t) {
        same_below(drawn.input, alone[t], 0, single_tree(drawn.input, drawn.input.first_tree + t), 0);
        CHECK(alone[t].value == together[t].value);
        CHECK(alone[t].feature == together[t].feature);
        CHECK(alone[t].n_rows == together[t].n_rows);
        CHECK(alone[t].subset_bits == together[t].subset_bits);
      }
    }
}

// --- prediction
struct Forest {
  std::vector<GrownTree> grown;
  std::vector<std::vector<int32_t>> missing_child;
  std::vector<TreeArrays> trees;
};

Forest forest_of(const ForestInput& input) {
  Forest out{grown(input, 2), {}, {}};
  for (const GrownTree& tree : out.grown) {
    std::vector<int32_t> child;
    for (int64_t i = 0; i < tree.size(); ++i)
      child.push_back(tree.kind[i] == kLeaf ? -1 : tree.first_child[i] + tree.missing_branch[i]);
    out.missing_child.push_back(std::move(child));
  }
  for (size_t t = 0; t < out.grown.size(); ++t) {
    const GrownTree& tree = out.grown[t];
    out.trees.push_back({tree.size(), tree.feature.data(), tree.first_child.data(),
                         out.missing_child[t].data(), tree.kind.data(), tree.threshold.data(),
                         tree.value.data(), tree.subset_start.data(), tree.subset_bits.data(),
                         static_cast<int64_t>(tree.subset_bits.size())});
  }
  return out;
}

int32_t leaf_of(const TreeArrays& tree, const std::vector<double>& rows, int64_t row, int64_t d) {
  int32_t at = 0;
  while (tree.kind[at] != kLeaf) {
    const double x = rows[row * d + tree.feature[at]];
    bool first = x <= tree.threshold[at];
    if (std::isnan(x)) {
      at = tree.missing_child[at];
      continue;
    }
    if (tree.kind[at] == kSubset) {
      const auto level = static_cast<uint64_t>(x);
      first = tree.subset_bits[tree.subset_start[at] + (level >> 6)] >> (level & 63) & 1;
    }
    at = tree.first_child[at] + !first;
  }
  return at;
}

std::vector<double> draw_rows(Dice& dice, const sample::Sample& s, int64_t n, double missing) {
  std::vector<double> rows;
  for (int64_t i = 0; i < n; ++i)
    for (const sample::Column& column : s.columns) {
      double x = column.n_levels ? static_cast<double>(dice.between(0, column.n_levels))
                                 : column.values[dice.between(0, column.n_codes - 1)];
      if (!column.n_levels && dice.chance(0.1)) x = dice.chance(0.5) ? 1e30 : -1e30;
      // Both widths of row say the same number.
      rows.push_back(dice.chance(missing) ? kNan : static_cast<double>(static_cast<float>(x)));
    }
  return rows;
}

void compare_values(const Forest& forest, const std::vector<double>& rows, int64_t n, int64_t d,
                    const PackedForest& packed, const Matrix& m) {
  const int outputs = forest.grown[0].n_moments;
  const auto n_trees = static_cast<int64_t>(forest.trees.size());
  const ForestView view{packed.nodes.data(), packed.feature_bits,  packed.start.data(), n_trees,
                        packed.words.data(), !packed.words.empty()};
  std::vector<double> wanted(n * outputs, 0.0);
  std::vector<int32_t> wanted_leaf(n * n_trees);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t t = 0; t < n_trees; ++t) {
      const int32_t leaf = wanted_leaf[i * n_trees + t] = leaf_of(forest.trees[t], rows, i, d);
      for (int k = 0; k < outputs; ++k)
        wanted[i * outputs + k] += forest.trees[t].value[int64_t{leaf} * outputs + k];
    }
  for (double& w : wanted) w /= static_cast<double>(n_trees);
  for (const int threads : {1, 3}) {
    Stop stop;
    ThreadTeam team(threads, stop);
    std::vector<double> out(n * outputs, kNan);
    std::vector<int32_t> leaf(n * n_trees, -1);
    forest_values(view, m, d, packed.table.data(), outputs, out.data(), team);
    forest_leaves(view, m, d, leaf.data(), team);
    CHECK(out == wanted);
    CHECK(leaf == wanted_leaf);
  }
}

TEST(packed_prediction_is_plain_prediction_at_odd_sizes) {
  Dice dice(34);
  for (const Kind& kind : kKinds) {
    Case drawn;
    draw_case(dice, kind, drawn);
    drawn.input.n_trees = dice.between(1, 11);
    const Forest forest = forest_of(drawn.input);
    const auto d = static_cast<int64_t>(drawn.s.columns.size());
    for (const int64_t n : {1, 3, 8, 9, 65, 1027})
      for (const double missing : {0.0, 0.1}) {
        const std::vector<double> rows = draw_rows(dice, drawn.s, n, missing);
        const std::vector<float> narrow(rows.begin(), rows.end());
        std::vector<double> by_column(rows.size());
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = 0; j < d; ++j) by_column[j * n + i] = rows[i * d + j];
        const int outputs = forest.grown[0].n_moments;
        const PackedForest wide = pack_forest(forest.trees, outputs, static_cast<int>(d), false);
        const PackedForest tight = pack_forest(forest.trees, outputs, static_cast<int>(d), true);
        CHECK(wide.feature_bits == 0);
        CHECK((tight.feature_bits > 0) == tight.words.empty());
        compare_values(forest, rows, n, d, wide, {rows.data(), true, n, d, 1});
        compare_values(forest, rows, n, d, wide, {by_column.data(), true, n, 1, n});
        compare_values(forest, rows, n, d, tight, {narrow.data(), false, n, d, 1});
      }
  }
}

}  // namespace

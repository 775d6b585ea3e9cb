#include "grow/grow.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "check.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Column;
using sample::Dice;
using sample::Halves;
using sample::Rows;
using sample::Sample;

namespace {

const std::vector<std::string> kCriteria{"gini",          "entropy",        "misclassification",
                                         "squared_error", "absolute_error", "poisson"};

GrownTree grow(const Sample& s, int threads = 1) {
  Stop stop;
  ThreadTeam team(threads, stop);
  return grow_tree(s.input(), team);
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

bool same(const GrownTree& a, const GrownTree& b) {
  return a.n_moments == b.n_moments && same_bits(a.feature, b.feature) &&
         same_bits(a.first_child, b.first_child) && same_bits(a.kind, b.kind) &&
         same_bits(a.missing_branch, b.missing_branch) && same_bits(a.n_children, b.n_children) &&
         same_bits(a.low_row, b.low_row) && same_bits(a.high_row, b.high_row) &&
         same_bits(a.threshold, b.threshold) && same_bits(a.subset_start, b.subset_start) &&
         same_bits(a.subset_bits, b.subset_bits) && same_bits(a.value, b.value) &&
         same_bits(a.weight, b.weight) && same_bits(a.impurity, b.impurity) && same_bits(a.n_rows, b.n_rows);
}

bool same_trace(const GrownTree& a, const GrownTree& b) {
  return same_bits(a.trace_gain, b.trace_gain) && same_bits(a.trace_low, b.trace_low) &&
         same_bits(a.trace_high, b.trace_high);
}

bool same_shape(const GrownTree& a, const GrownTree& b) {
  return same_bits(a.feature, b.feature) && same_bits(a.first_child, b.first_child) &&
         same_bits(a.kind, b.kind) && same_bits(a.subset_bits, b.subset_bits) &&
         same_bits(a.missing_branch, b.missing_branch) && same_bits(a.n_children, b.n_children);
}

bool goes_first(const Sample& s, const GrownTree& t, int64_t node, uint32_t row) {
  const Column& column = s.columns[t.feature[node]];
  const uint32_t code = column.codes[row];
  if (column.missing(row)) return t.missing_branch[node] == 0;
  if (t.kind[node] == kSubset) return t.subset_bits[t.subset_start[node] + (code >> 6)] >> (code & 63) & 1;
  if (s.limits.random_splits) return column.values[code] <= t.threshold[node];
  return t.threshold[node] == std::numeric_limits<double>::infinity() ||
         code <= column.codes[t.low_row[node]];
}

// Which rows reach each node, by asking the tree's own questions.
std::vector<Rows> rows_of_nodes(const Sample& s, const GrownTree& t) {
  std::vector<Rows> rows(t.size());
  rows[0] = s.used();
  for (int64_t node = 0; node < t.size(); ++node)
    if (t.kind[node] != kLeaf)
      for (const uint32_t row : rows[node])
        rows[t.first_child[node] + (goes_first(s, t, node, row) ? 0 : 1)].push_back(row);
  return rows;
}

void check_shape(const Sample& s, const GrownTree& t) {
  const auto n = static_cast<size_t>(t.size());
  CHECK(n >= 1 && t.kind.size() == n && t.first_child.size() == n && t.missing_branch.size() == n &&
        t.n_children.size() == n);
  CHECK(t.low_row.size() == n && t.high_row.size() == n && t.threshold.size() == n &&
        t.subset_start.size() == n);
  CHECK(t.weight.size() == n && t.impurity.size() == n && t.n_rows.size() == n);
  CHECK(t.value.size() == n * static_cast<size_t>(t.n_moments));
  std::vector<int> parents(n, 0), depth(n, 0);
  int64_t leaves = 0;
  for (int64_t node = 0; node < t.size(); ++node) {
    CHECK((t.kind[node] == kLeaf) == (t.feature[node] < 0));
    CHECK((t.kind[node] == kSubset) == (t.subset_start[node] >= 0));
    CHECK(depth[node] <= s.limits.max_depth);
    if (t.kind[node] == kLeaf) {
      ++leaves;
      CHECK(t.first_child[node] == -1 && t.n_children[node] == 0);
      continue;
    }
    const int32_t child = t.first_child[node];
    CHECK(child > node && child + 1 < t.size() && t.n_children[node] == 2);
    if (child <= node || child + 1 >= t.size()) return;
    for (const int which : {0, 1}) {
      ++parents[child + which];
      depth[child + which] = depth[node] + 1;
    }
  }
  for (size_t node = 1; node < n; ++node) CHECK(parents[node] == 1);
  if (s.limits.max_leaves) CHECK(leaves <= s.limits.max_leaves);
}

void check_numbers(const Sample& s, const GrownTree& t, const std::vector<Rows>& rows) {
  for (int64_t node = 0; node < t.size(); ++node) {
    const Rows& here = rows[node];
    CHECK(t.n_rows[node] == static_cast<int64_t>(here.size()));
    if (here.empty()) return;
    CHECK_NEAR(t.weight[node], sample::weight_of(s, here), 1e-12);
    const double loss = sample::loss_of(s, here);
    CHECK_NEAR(t.impurity[node] * t.weight[node], std::isinf(loss) ? 0.0 : loss, 1e-9);
    if (sample::is_pure(s, here)) CHECK(t.impurity[node] == 0);
    if (s.promises()) continue;  // values are clipped
    if (s.of_classes()) {
      const auto count = sample::shares_of(s, here);
      for (int k = 0; k < s.n_classes; ++k) CHECK_NEAR(t.value[node * s.n_classes + k], count[k], 1e-12);
    } else {
      CHECK_NEAR(t.value[node], sample::answer_of(s, here), 1e-11);
      if (s.criterion == "poisson" && node > 0)
        CHECK(t.value[node] > 0);  // no split makes an impossible mean
    }
  }
}

void check_question(const Sample& s, const GrownTree& t, int64_t node, const Rows& here, const Halves& h) {
  const Column& column = s.columns[t.feature[node]];
  CHECK(sample::enough(s, h));
  CHECK(static_cast<int64_t>(here.size()) >= s.limits.min_rows_split);
  const bool heavier = sample::weight_of(s, h.left) > sample::weight_of(s, h.right);
  if (std::none_of(here.begin(), here.end(), [&](uint32_t r) { return column.missing(r); }))
    CHECK(t.missing_branch[node] == (heavier ? 0 : 1));
  if (t.kind[node] == kSubset) {  // levels absent here, and the one never seen, go with most of the rows
    std::vector<bool> present(column.n_levels + 1, false);
    for (const uint32_t row : here)
      if (!column.missing(row)) present[column.codes[row]] = true;
    for (int32_t level = 0; level <= column.n_levels; ++level)
      if (!present[level])
        CHECK((t.subset_bits[t.subset_start[node] + (level >> 6)] >> (level & 63) & 1) ==
              (heavier ? 1u : 0u));
    return;
  }
  // The rows at the gap are the nearest ones.
  std::optional<uint32_t> low, high;
  for (const uint32_t row : h.left)
    if (!column.missing(row)) low = std::max(low.value_or(0), column.codes[row]);
  for (const uint32_t row : h.right)
    if (!column.missing(row)) high = std::min(high.value_or(~0u), column.codes[row]);
  CHECK(low.has_value());
  if (low) CHECK(column.codes[t.low_row[node]] == *low);
  if (high) CHECK(column.codes[t.high_row[node]] == *high);
  if (!high) CHECK(t.high_row[node] == t.low_row[node] && std::isinf(t.threshold[node]));
  if (high && !s.limits.random_splits) CHECK(std::isnan(t.threshold[node]));
}

struct Possible {
  double gain = -1;
  bool exact = true;  // a grower must find it
};

Possible best_possible(const Sample& s, const Rows& here) {
  Possible best;
  auto offer = [&](const Halves& h) {
    if (sample::enough(s, h)) best.gain = std::max(best.gain, sample::gain_of(s, here, h.left, h.right));
  };
  for (const Column& column : s.columns) {
    if (!column.n_levels) {
      sample::each_threshold(column, here, [&](const Halves& h, uint32_t, bool) { offer(h); });
      continue;
    }
    sample::each_subset(column, here, offer);
    const bool prefixes = !s.of_classes() || s.n_classes == 2;
    const bool limited = s.limits.min_rows_leaf > 1 || s.limits.min_weight_leaf > 0;
    if (s.criterion == "absolute_error" || s.criterion == "poisson" || (prefixes && limited))
      best.exact = false;
  }
  return best;
}

bool may_split(const Sample& s, const GrownTree& t, int64_t node, const Rows& here, int depth) {
  const auto n = static_cast<int64_t>(here.size());
  return !sample::is_pure(s, here) && depth < s.limits.max_depth && n >= s.limits.min_rows_split &&
         n >= 2 * s.limits.min_rows_leaf && t.weight[node] >= 2 * s.limits.min_weight_leaf;
}

void check_choices(const Sample& s, const GrownTree& t, const std::vector<Rows>& rows, bool all_columns) {
  std::vector<int> depth(t.size(), 0);
  for (int64_t node = 0; node < t.size(); ++node) {
    const Rows& here = rows[node];
    const double slack = 1e-9 * (1 + std::abs(sample::loss_of(s, here)));
    if (t.kind[node] == kLeaf) {
      if (!all_columns || s.limits.max_leaves || !may_split(s, t, node, here, depth[node])) continue;
      const Possible best = best_possible(s, here);
      if (best.exact && best.gain >= 0) CHECK(best.gain / t.weight[0] < s.limits.min_decrease + slack);
      continue;
    }
    const int32_t child = t.first_child[node];
    depth[child] = depth[child + 1] = depth[node] + 1;
    const Halves h{rows[child], rows[child + 1]};
    CHECK(may_split(s, t, node, here, depth[node]));
    CHECK(!h.left.empty() && !h.right.empty());
    if (h.left.empty() || h.right.empty()) return;
    check_question(s, t, node, here, h);
    const double gain = sample::gain_of(s, here, h.left, h.right);
    CHECK(gain >= s.limits.min_decrease * t.weight[0] - slack);
    if (!all_columns) continue;
    const Possible best = best_possible(s, here);
    CHECK(gain <= best.gain + slack);
    if (best.exact) CHECK(gain >= best.gain - slack);
  }
}

void check_trace(const Sample& s, const GrownTree& t) {
  const size_t d = s.columns.size();
  CHECK(t.trace_gain.size() == t.feature.size() * d);
  CHECK(t.trace_low.size() == t.trace_gain.size() && t.trace_high.size() == t.trace_gain.size());
  for (int64_t node = 0; node < t.size(); ++node) {
    if (t.kind[node] == kLeaf) continue;
    const int32_t child = t.first_child[node];
    const double gain = t.impurity[node] * t.weight[node] - t.impurity[child] * t.weight[child] -
                        t.impurity[child + 1] * t.weight[child + 1];
    const size_t at = node * d + t.feature[node];
    CHECK_NEAR(t.trace_gain[at], gain, 1e-9);
    for (size_t j = 0; j < d; ++j) {
      const double other = t.trace_gain[node * d + j];
      CHECK(std::isnan(other) || other <= gain + 1e-9 * (1 + gain));
    }
    if (t.kind[node] != kThreshold) continue;
    CHECK(t.trace_low[at] == t.low_row[node]);
    CHECK(t.trace_high[at] == t.high_row[node]);
  }
}

// The answer never falls (rises) when the code of a rising (falling) column rises, for every row and column.
void check_monotone(Sample s, const GrownTree& t) {
  auto answer = [&](uint32_t row) {
    int64_t node = 0;
    while (t.kind[node] != kLeaf) node = t.first_child[node] + (goes_first(s, t, node, row) ? 0 : 1);
    return s.of_classes() ? t.value[node * s.n_classes + 1] / t.weight[node] : t.value[node];
  };
  const Sample before = s;
  for (auto& column : s.columns) {
    if (!column.monotone) continue;
    for (uint32_t row = 0; row < s.n; ++row) {
      // Codes that thresholds refer to are those of other rows: keep them, move one row only.
      const uint32_t kept = column.codes[row];
      double last = 0;
      bool referred = false;
      for (int64_t node = 0; node < t.size(); ++node)
        referred |= t.kind[node] == kThreshold && (t.low_row[node] == row || t.high_row[node] == row);
      if (referred) continue;
      for (uint32_t code = 0; code < column.n_codes; ++code) {
        column.codes[row] = code;
        const double now = answer(row);
        if (code) CHECK((now - last) * column.monotone >= -1e-9);
        last = now;
      }
      column.codes[row] = kept;
    }
  }
}

struct Wish {
  bool categories = true, missing = true, limits = true;
};

Sample draw_sample(Dice& dice, const std::string& criterion, int64_t n, const Wish& wish) {
  Sample s;
  s.n = n;
  s.criterion = criterion;
  s.seed = dice.bits();
  for (int64_t j = dice.between(1, 4); j > 0; --j) {
    const double missing = wish.missing && dice.chance(0.4) ? 0.2 : 0.0;
    const int64_t levels = dice.between(1, dice.chance(0.2) ? 200 : 5);
    if (wish.categories && levels < 100 && dice.chance(0.4))
      s.columns.push_back(
          sample::draw_column(dice, n, std::min<int64_t>(levels, 5), missing, static_cast<int32_t>(levels)));
    else
      s.columns.push_back(
          sample::draw_column(dice, n, dice.between(1, dice.chance(0.5) ? 4 : n + 2), missing));
    if (Column& c = s.columns.back(); c.n_levels) c.n_levels = static_cast<int32_t>(c.n_codes);
  }
  sample::draw_target(dice, s, static_cast<int32_t>(dice.between(2, 4)));
  if (dice.chance(0.4)) s.weight = sample::draw_weights(dice, n);
  if (dice.chance(0.3))
    for (int64_t k = dice.between(1, n); k > 0; --k)
      s.rows.push_back(static_cast<uint32_t>(dice.between(0, n - 1)));
  if (!wish.limits) return s;
  if (dice.chance(0.3)) s.limits.max_depth = static_cast<int32_t>(dice.between(0, 4));
  if (dice.chance(0.3)) s.limits.min_rows_leaf = dice.between(1, 4);
  if (dice.chance(0.2)) s.limits.min_rows_split = dice.between(2, 9);
  if (dice.chance(0.2)) s.limits.min_weight_leaf = static_cast<double>(dice.between(0, 20)) / 8;
  if (dice.chance(0.2)) s.limits.min_decrease = dice.unit() * 0.05;
  return s;
}

void each_criterion(uint64_t seed, int rounds, const std::function<void(Dice&, const std::string&)>& body) {
  Dice dice(seed);
  for (const auto& criterion : kCriteria)
    for (int round = 0; round < rounds; ++round) {
      check::scene() = criterion + " round " + std::to_string(round);
      body(dice, criterion);
    }
}

}  // namespace

TEST(grown_trees_are_what_the_definitions_say) {
  each_criterion(111, 120, [](Dice& dice, const std::string& criterion) {
    const Sample s = draw_sample(dice, criterion, dice.between(1, 28), {});
    const GrownTree t = grow(s);
    check_shape(s, t);
    const auto rows = rows_of_nodes(s, t);
    check_numbers(s, t, rows);
    check_choices(s, t, rows, true);
  });
}

TEST(grown_trees_with_few_features_or_random_splits) {
  each_criterion(112, 150, [](Dice& dice, const std::string& criterion) {
    Sample s = draw_sample(dice, criterion, dice.between(1, 40), {});
    if (dice.chance(0.7)) s.limits.max_features = static_cast<int32_t>(dice.between(1, 3));
    s.limits.random_splits = dice.chance(0.6);
    if (dice.chance(0.3)) s.limits.max_leaves = dice.between(1, 9);
    const GrownTree t = grow(s);
    check_shape(s, t);
    const auto rows = rows_of_nodes(s, t);
    check_numbers(s, t, rows);
    check_choices(s, t, rows, false);
  });
}

TEST(threads_and_patches_never_change_a_tree) {
  each_criterion(113, 40, [](Dice& dice, const std::string& criterion) {
    Sample s = draw_sample(dice, criterion, dice.between(1, 150), {});
    if (dice.chance(0.3)) s.limits.max_features = static_cast<int32_t>(dice.between(1, 3));
    if (dice.chance(0.3)) s.limits.random_splits = true;
    const GrownTree one = grow(s);
    for (const int64_t subtree_rows : {1, 7, 100, 65536})
      for (const int threads : {1, 3}) {
        s.subtree_rows = subtree_rows;
        CHECK(same(one, grow(s, threads)));
      }
  });
}

TEST(threads_never_change_a_large_tree) {  // large enough for columns to be shared between threads
  Dice dice(114);
  for (const auto& criterion : kCriteria)
    for (int variant = 0; variant < 4; ++variant) {
      check::scene() = criterion + " variant " + std::to_string(variant);
      Sample s;
      s.n = 21000;
      s.criterion = criterion;
      s.columns.push_back(sample::draw_column(dice, s.n, 20000, 0.0));
      s.columns.push_back(sample::draw_column(dice, s.n, 30, 0.1));
      s.columns.push_back(sample::draw_column(dice, s.n, 12, 0.1, 12));
      s.columns.push_back(sample::draw_column(dice, s.n, 3000, 0.0));
      s.columns.push_back(sample::draw_column(dice, s.n, 2, 0.0));
      sample::draw_target(dice, s, 3);
      for (int64_t i = 0; i < s.n; ++i)  // something to find
        if (s.of_classes() ? s.columns[1].codes[i] < 9 : s.columns[0].codes[i] < 9000)
          s.of_classes() ? s.classes[i] = 1 : s.target[i] += 2;
      s.limits.max_depth = 3;
      if (variant == 1) s.weight = sample::draw_weights(dice, s.n);
      if (variant == 2) s.limits.max_leaves = 5;
      if (variant == 3) s.limits.random_splits = true, s.limits.max_features = 5;
      s.trace = variant == 1;
      const GrownTree one = grow(s, 1);
      CHECK(one.size() > 3);
      for (const int threads : {2, variant % 2 ? 3 : 8}) {
        s.subtree_rows = threads == 3 ? 3000 : 65536;
        const GrownTree many = grow(s, threads);
        CHECK(same(one, many));
        CHECK(same_trace(one, many));
      }
    }
}

// Sizes and weights near perfect: a split that is nearly perfect ends the search in one thread; so it must in
// many.
TEST(nearly_perfect_splits_do_not_depend_on_threads) {
  Dice dice(115);
  Sample s;
  s.n = 40000;
  s.criterion = "gini";
  s.n_classes = 2;
  s.weight.assign(s.n, 1.0);
  for (int64_t i = 0; i < s.n; ++i) s.classes.push_back(i % 2);
  // Each column separates the classes but for one row whose weight makes its gain fall short by a part of the
  // tie.
  const double tie = 1e-11 * static_cast<double>(s.n) * 0.5;
  for (const double share : {1.6, 0.9, 0.0}) {
    Column column = sample::draw_column(dice, s.n, 2, 0.0);
    for (int64_t i = 0; i < s.n; ++i) column.codes[i] = s.classes[i];
    const auto odd = static_cast<int64_t>(s.columns.size()) * 2;
    if (share > 0) {
      column.codes[odd] = 1;
      s.weight[odd] = share * tie / 2;  // misplaced weight w costs about 2 w
    }
    column.pack(1);
    s.columns.push_back(std::move(column));
  }
  s.limits.max_depth = 1;
  const GrownTree one = grow(s, 1);
  for (const int threads : {2, 8}) CHECK(same(one, grow(s, threads)));
}

TEST(entries_of_eight_bytes_grow_the_same_tree) {
  // 17 bits of row, 14 bits of label, 2 flags: more than 32. The same labels as 3 classes need fewer.
  Dice dice(116);
  for (const std::string criterion : {"gini", "entropy", "misclassification"})
    for (const bool weighted : {false, true}) {
      check::scene() = criterion;
      Sample s;
      s.n = 65537 + 500;
      s.criterion = criterion;
      s.columns.push_back(sample::draw_column(dice, s.n, 40, 0.1));
      s.columns.push_back(sample::draw_column(dice, s.n, 5, 0.0));
      s.columns.push_back(sample::draw_column(dice, s.n, 12, 0.05, 12));
      s.columns.back().codes.assign(s.n, 3);  // one level only: thousands of class orders would take long
      s.columns.back().pack(1);
      sample::draw_target(dice, s, 3);
      for (int64_t i = 0; i < s.n; ++i)
        if (s.columns[0].codes[i] < 11) s.classes[i] = s.columns[1].codes[i] < 2 ? 0 : 2;
      if (weighted) s.weight = sample::draw_weights(dice, s.n);
      s.limits.max_depth = 3;
      const GrownTree narrow = grow(s, 2);
      s.n_classes = 8193;
      s.subtree_rows = weighted ? 20000 : 65536;
      const GrownTree wide = grow(s, 2);
      CHECK(narrow.size() > 7);
      CHECK(same_shape(narrow, wide));
      CHECK(same_bits(narrow.low_row, wide.low_row) && same_bits(narrow.high_row, wide.high_row));
      CHECK(same_bits(narrow.n_rows, wide.n_rows) && same_bits(narrow.weight, wide.weight));
      for (int64_t node = 0; node < std::min(narrow.size(), wide.size()); ++node)
        for (int k = 0; k < 3; ++k) CHECK(narrow.value[node * 3 + k] == wide.value[node * 8193 + k]);
      CHECK(same(wide, grow(s, 1)));
    }
}

TEST(a_trace_tells_the_choices_and_changes_nothing) {
  each_criterion(117, 50, [](Dice& dice, const std::string& criterion) {
    Sample s = draw_sample(dice, criterion, dice.between(1, 60), {});
    if (dice.chance(0.3)) s.limits.max_leaves = dice.between(1, 9);
    if (dice.chance(0.2)) s.limits.max_features = static_cast<int32_t>(dice.between(1, 3));
    const GrownTree plain = grow(s);
    s.trace = true;
    const GrownTree traced = grow(s);
    CHECK(same(plain, traced));
    CHECK(plain.trace_gain.empty());
    check_trace(s, traced);
    const GrownTree again = grow(s, 3);
    CHECK(same(traced, again) && same_trace(traced, again));
  });
}

TEST(the_best_leaf_is_split_first) {
  each_criterion(118, 40, [](Dice& dice, const std::string& criterion) {
    Sample s = draw_sample(dice, criterion, dice.between(10, 60), {});
    const GrownTree full = grow(s);
    s.limits.max_leaves = 1000000;
    CHECK(same(full, grow(s)));  // enough leaves for all: the order does not matter
    // The greedy choice from the full tree. Where gains are tied, rounding decides: stop there.
    auto gain = [&](int64_t node) {
      const int32_t child = full.first_child[node];
      return full.impurity[node] * full.weight[node] - full.impurity[child] * full.weight[child] -
             full.impurity[child + 1] * full.weight[child + 1];
    };
    std::map<int64_t, double> open;
    auto offer = [&](int64_t node) {
      if (full.kind[node] != kLeaf) open[node] = gain(node);
    };
    std::vector<bool> split(full.size(), false);
    offer(0);
    for (int64_t leaves = 1; leaves <= 6; ++leaves) {
      s.limits.max_leaves = leaves;
      const GrownTree small = grow(s);
      // Walk both trees side by side.
      std::vector<std::pair<int64_t, int64_t>> stack{{0, 0}};
      while (!stack.empty()) {
        const auto [a, b] = stack.back();
        stack.pop_back();
        CHECK(full.n_rows[a] == small.n_rows[b]);
        CHECK((small.kind[b] != kLeaf) == split[a]);
        if (small.kind[b] == kLeaf || !split[a]) continue;
        CHECK(full.feature[a] == small.feature[b]);
        for (const int which : {0, 1})
          stack.push_back({full.first_child[a] + which, small.first_child[b] + which});
      }
      if (open.empty()) break;
      auto best = open.begin();
      bool tied = false;
      for (auto it = open.begin(); it != open.end(); ++it)
        if (it->second > best->second) best = it;
      for (auto it = open.begin(); it != open.end(); ++it)
        tied |= it != best && check::near(it->second, best->second, 1e-9);
      if (tied) break;
      const int64_t node = best->first;
      open.erase(best);
      split[node] = true;
      offer(full.first_child[node]);
      offer(full.first_child[node] + 1);
    }
  });
}

TEST(rows_picked_are_rows_copied) {
  each_criterion(119, 50, [](Dice& dice, const std::string& criterion) {
    Sample s = draw_sample(dice, criterion, dice.between(1, 60), {});
    s.rows.clear();
    for (int64_t k = dice.between(1, s.n); k > 0; --k)
      s.rows.push_back(static_cast<uint32_t>(dice.between(0, s.n - 1)));
    Sample copy = s;
    copy.n = static_cast<int64_t>(s.rows.size());
    copy.rows.clear();
    auto pick = [&](auto& to, const auto& from) {
      if (from.empty()) return;
      to.clear();
      for (const uint32_t row : s.rows) to.push_back(from[row]);
    };
    pick(copy.classes, s.classes);
    pick(copy.target, s.target);
    pick(copy.weight, s.weight);
    for (size_t j = 0; j < s.columns.size(); ++j) {
      pick(copy.columns[j].codes, s.columns[j].codes);
      copy.columns[j].pack(s.columns[j].width);
    }
    const GrownTree picked = grow(s);
    GrownTree copied = grow(copy);
    for (int64_t node = 0; node < copied.size(); ++node)
      if (copied.kind[node] == kThreshold) {
        copied.low_row[node] = s.rows[copied.low_row[node]];
        copied.high_row[node] = s.rows[copied.high_row[node]];
      }
    CHECK(same(picked, copied));
  });
}

TEST(a_weight_of_two_is_a_row_twice) {
  each_criterion(120, 60, [](Dice& dice, const std::string& criterion) {
    Sample s = draw_sample(dice, criterion, dice.between(1, 40), {true, true, false});
    if (!s.of_classes() && criterion != "poisson")
      for (auto& y : s.target) y = std::round(y * 16) / 16;  // sums of both forms are then the same
    s.rows.clear();
    s.weight.clear();
    for (int64_t i = 0; i < s.n; ++i) s.weight.push_back(static_cast<double>(dice.between(1, 3)));
    Sample repeated = s;
    repeated.weight.clear();
    for (uint32_t i = 0; i < s.n; ++i)
      for (int k = 0; k < static_cast<int>(s.weight[i]); ++k) repeated.rows.push_back(i);
    const GrownTree a = grow(s), b = grow(repeated);
    CHECK(a.size() == b.size());
    if (a.size() != b.size()) return;
    CHECK(same_bits(a.weight, b.weight));
    for (int64_t node = 0; node < a.size(); ++node) {
      CHECK(a.feature[node] == b.feature[node]);
      CHECK_NEAR(a.impurity[node], b.impurity[node], 1e-10);
    }
    for (size_t k = 0; k < a.value.size(); ++k) CHECK_NEAR(a.value[k], b.value[k], 1e-12);
  });
}

TEST(monotone_columns_keep_their_promise) {
  each_criterion(121, 120, [](Dice& dice, const std::string& criterion) {
    Sample s = draw_sample(dice, criterion, dice.between(4, 40), {true, false, true});
    if (s.of_classes()) {
      s.n_classes = 2;
      for (auto& c : s.classes) c %= 2;
    }
    for (auto& column : s.columns)
      if (!column.n_levels) column.monotone = static_cast<int8_t>(dice.between(-1, 1));
    if (dice.chance(0.3)) s.limits.random_splits = true;
    if (dice.chance(0.3)) s.limits.max_leaves = dice.between(1, 9);
    const GrownTree t = grow(s);
    check_shape(s, t);
    const auto rows = rows_of_nodes(s, t);
    check_numbers(s, t, rows);
    check_choices(s, t, rows, false);
    check_monotone(s, t);
    CHECK(same(t, grow(s, 2)));
  });
}

TEST(growing_stops_when_asked) {
  Dice dice(122);
  for (const std::string criterion : {"gini", "absolute_error"})
    for (const int threads : {1, 2})
      for (const int64_t max_leaves : {0, 100000}) {
        Sample s;
        s.n = 150000;
        s.criterion = criterion;
        for (int j = 0; j < 4; ++j) s.columns.push_back(sample::draw_column(dice, s.n, s.n, 0.0));
        sample::draw_target(dice, s, 3);
        s.limits.max_leaves = max_leaves;
        const auto begin = std::chrono::steady_clock::now();
        Stop stop([] { return true; });
        ThreadTeam team(threads, stop);
        CHECK_THROWS(grow_tree(s.input(), team), Stopped);
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5));
      }
}

// Finite numbers, however absurd, give a tree: never a crash, an empty child or a loop.
TEST(absurd_numbers_give_a_tree) {
  Dice dice(123);
  for (const auto& criterion : kCriteria)
    for (const double weight : {0.0, 1e-320, 1e-200, 1e-160, 1e150, 1e300})  // 0: no weights
      for (const double scale : {1e-320, 1e-160, 1.0, 1e155, 1e200, 1e307})
        for (const bool trace : {false, true}) {
          check::scene() = criterion + " weight, scale " + check::both(weight, scale);
          Sample s = draw_sample(dice, criterion, 40, {true, true, false});
          s.rows.clear();
          s.weight.clear();
          s.trace = trace;
          for (auto& y : s.target) y *= scale;
          if (weight > 0)
            for (int64_t i = 0; i < s.n; ++i)
              s.weight.push_back(weight * (dice.chance(0.5) ? 1 : dice.unit() + 0.1));
          if (dice.chance(0.3)) s.limits.random_splits = true;
          const GrownTree t = grow(s);
          check_shape(s, t);
          const auto rows = rows_of_nodes(s, t);
          for (int64_t node = 0; node < t.size(); ++node) {
            CHECK(t.n_rows[node] > 0);
            CHECK(t.n_rows[node] == static_cast<int64_t>(rows[node].size()));
          }
        }
}

TEST(an_unknown_criterion_is_an_error) {
  Dice dice(124);
  Sample s = draw_sample(dice, "gini", 5, {});
  s.criterion = "ginny";
  CHECK_THROWS(grow(s), std::invalid_argument);
}

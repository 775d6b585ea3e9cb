// Optimal trees against plain loops: bits, sums over pairs, trees of two levels, the cache, the search.
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "check.hpp"
#include "optimal/bits.hpp"
#include "optimal/cache.hpp"
#include "optimal/depth_two.hpp"
#include "optimal/pair_sums.hpp"
#include "optimal/reward.hpp"
#include "optimal/search.hpp"
#include "sample.hpp"

using namespace hedgerow;
using namespace hedgerow::optimal;
using sample::Dice;

namespace {

using Set = std::vector<uint32_t>;

// A problem with the arrays it points to.
struct Case {
  int64_t n;
  std::vector<std::vector<bool>> answers;  // questions x points
  std::vector<uint64_t> bits;
  std::vector<int64_t> channels, base, farthest, least;
  std::vector<int32_t> group;
  std::vector<uint16_t> cells;
  int n_channels, n_groups, n_limits = 0;
  bool of_classes = true;
  double price = 0.0;

  Problem problem(int depth, int64_t splits) const {
    Problem p;
    p.n_points = n;
    p.n_questions = static_cast<int>(answers.size());
    p.bits = bits.data();
    p.n_channels = n_channels;
    p.channels = channels.data();
    p.base = base.data();
    p.farthest = farthest.data();
    p.n_groups = n_groups;
    p.group = group.data();
    p.cells = cells.data();
    p.of_classes = of_classes;
    p.n_limits = n_limits;
    p.least = least.data();
    p.price = price;
    p.max_depth = depth;
    p.max_splits = splits;
    return p;
  }

  int64_t sum(int m, const Set& set) const {
    int64_t s = 0;
    for (const uint32_t p : set) s += channels[m * n + p];
    return s;
  }

  Set all() const {
    Set set;
    for (int64_t p = 0; p < n; ++p) set.push_back(static_cast<uint32_t>(p));
    return set;
  }

  Set part(const Set& set, int question, bool yes) const {
    Set kept;
    for (const uint32_t p : set)
      if (answers[question][p] == yes) kept.push_back(p);
    return kept;
  }

  double leaf(const Set& set) const {
    double cost = price;
    for (const uint32_t p : set) cost += static_cast<double>(base[p]);
    const int own = n_channels - n_limits;
    for (int l = 0; l < n_limits; ++l)
      if (sum(own + l, set) < least[l]) return cost + kForbidden;
    if (of_classes) {
      int64_t best = 0;
      for (int m = 0; m < own; ++m) best = std::max(best, sum(m, set));
      return cost - static_cast<double>(best);
    }
    const auto weight = static_cast<double>(sum(0, set)), total = static_cast<double>(sum(1, set));
    return weight > 0 ? cost - std::floor(total * (total / weight)) : cost;
  }

  double least_cost(const Set& set, int depth, int64_t splits) const {
    double best = leaf(set);
    if (depth == 0 || splits == 0) return best;
    for (size_t q = 0; q < answers.size(); ++q) {
      const Set yes = part(set, static_cast<int>(q), true), no = part(set, static_cast<int>(q), false);
      if (yes.empty() || no.empty()) continue;
      for (int64_t left = 0; left < splits; ++left)
        best =
            std::min(best, least_cost(yes, depth - 1, left) + least_cost(no, depth - 1, splits - 1 - left));
    }
    return best;
  }

  double cost_of(const Tree& tree, const Set& set) const {
    if (!tree) return leaf(set);
    return cost_of(tree->yes, part(set, tree->question, true)) +
           cost_of(tree->no, part(set, tree->question, false));
  }
};

void draw_questions(Dice& dice, Case& c, int n_groups, int64_t most_cells) {
  c.n_groups = n_groups;
  c.cells.assign(n_groups * c.n, 0);
  const int64_t words = (c.n + 63) / 64;
  for (int g = 0; g < n_groups; ++g) {
    const int64_t cells = dice.between(1, most_cells);
    for (int64_t p = 0; p < c.n; ++p)
      c.cells[g * c.n + p] = static_cast<uint16_t>(dice.between(0, cells - 1));
    for (int64_t cut = 0; cut + 1 < cells; ++cut) {
      std::vector<bool> yes;
      c.bits.resize(c.bits.size() + words, 0);
      for (int64_t p = 0; p < c.n; ++p) {
        yes.push_back(c.cells[g * c.n + p] <= cut);
        if (yes.back()) c.bits[c.bits.size() - words + p / 64] |= uint64_t{1} << (p % 64);
      }
      c.answers.push_back(yes);
      c.group.push_back(g);
    }
  }
}

void draw_classes(Dice& dice, Case& c, int classes) {
  std::vector<std::vector<int64_t>> cost(c.n);
  for (auto& one : cost) {
    for (int k = 0; k < classes; ++k) one.push_back(dice.between(0, 9));
    one[dice.between(0, classes - 1)] = 0;
    c.base.push_back(one[0]);
    c.farthest.push_back(*std::max_element(one.begin(), one.end()));
  }
  c.n_channels = classes - 1;
  for (int k = 1; k < classes; ++k)
    for (int64_t p = 0; p < c.n; ++p) c.channels.push_back(cost[p][0] - cost[p][k]);
}

void draw_numbers(Dice& dice, Case& c) {
  c.of_classes = false;
  c.n_channels = 2;
  std::vector<int64_t> weight, sum;
  double low = 0.0, high = 0.0;
  for (int64_t p = 0; p < c.n; ++p) {
    weight.push_back(dice.between(1, 3));
    sum.push_back(dice.between(-40, 40));
    const double mean = static_cast<double>(sum[p]) / static_cast<double>(weight[p]);
    low = std::min(low, mean), high = std::max(high, mean);
  }
  for (int64_t p = 0; p < c.n; ++p) {
    const auto w = static_cast<double>(weight[p]), s = static_cast<double>(sum[p]);
    const double reach = std::max(s / w - low, high - s / w);
    c.base.push_back(static_cast<int64_t>(std::ceil(s * (s / w))));
    c.farthest.push_back(static_cast<int64_t>(std::ceil(w * reach * reach)) + 2);
  }
  c.channels = weight;
  c.channels.insert(c.channels.end(), sum.begin(), sum.end());
}

Case draw_case(Dice& dice, int64_t n, int n_groups, int64_t most_cells) {
  Case c;
  c.n = n;
  draw_questions(dice, c, n_groups, most_cells);
  if (dice.chance(0.4))
    draw_numbers(dice, c);
  else
    draw_classes(dice, c, static_cast<int>(dice.between(2, 4)));
  if (dice.chance(0.3)) c.price = static_cast<double>(dice.between(1, 12));
  if ((c.n_channels > 1 || !c.of_classes) && dice.chance(0.3)) {  // TwoClasses has no limits
    c.n_limits = 1;
    ++c.n_channels;
    for (int64_t p = 0; p < n; ++p) c.channels.push_back(1);
    c.least.push_back(dice.between(1, std::min<int64_t>(3, n)));
  }
  return c;
}

template <class Use>
void with_reward(const Problem& problem, Use use) {
  if (!problem.of_classes)
    use.template operator()<optimal::Numbers>();
  else if (problem.n_channels == 1)
    use.template operator()<TwoClasses>();
  else
    use.template operator()<ManyClasses>();
}

}  // namespace

TEST(optimal_bits_are_packed_and_counted) {
  Dice dice(71);
  for (int round = 0; round < 300; ++round) {
    const int64_t n = dice.between(1, 400), words = (n + 63) / 64;
    std::vector<uint64_t> row(words), kept(words);
    for (int64_t w = 0; w < words; ++w) {
      row[w] = dice.bits();
      kept[w] = dice.chance(0.2) ? 0 : dice.chance(0.2) ? ~0ull : dice.bits() & dice.bits();
    }
    row.back() &= tail_of(n), kept.back() &= tail_of(n);
    std::vector<bool> wanted;
    int64_t common = 0;
    for (int64_t p = 0; p < n; ++p)
      if ((kept[p / 64] >> (p % 64)) & 1) {
        wanted.push_back((row[p / 64] >> (p % 64)) & 1);
        common += wanted.back();
      }
    CHECK(count_ones(kept.data(), words) == static_cast<int64_t>(wanted.size()));
    int64_t sums[3] = {5, -1, 7};
    std::vector<uint64_t> two = row;
    two.insert(two.end(), kept.begin(), kept.end());
    add_common(kept.data(), words, two.data(), 2, words, -3, 2, sums);
    CHECK(sums[0] == 5 - 3 * common);
    CHECK(sums[1] == -1);
    CHECK(sums[2] == 7 - 3 * static_cast<int64_t>(wanted.size()));
    std::vector<uint64_t> out((wanted.size() + 63) / 64);
    pack(row.data(), kept.data(), words, out.data());
    for (size_t k = 0; k < wanted.size(); ++k) CHECK(((out[k / 64] >> (k % 64)) & 1) == wanted[k]);
  }
}

TEST(optimal_sums_over_pairs_are_those_of_a_loop) {  // by planes and by cells: few and many points a cell
  Dice dice(72);
  for (int round = 0; round < 120; ++round) {
    check::scene() = "round " + std::to_string(round);
    const bool many = round % 3 == 0;
    const Case c = draw_case(dice, dice.between(2, many ? 900 : 90), many ? 2 : 5, many ? 12 : 3);
    const Problem problem = c.problem(3, 7);
    const Points points(problem);
    Subset set = points.all();
    if (set.size() && dice.chance(0.7)) {
      const int at = static_cast<int>(dice.between(0, set.size() - 1));
      const Totals yes = points.totals_of_yes(set, at);
      const bool side = dice.chance(0.5);
      set = points.part(set, at, side, side ? yes : set.totals.minus(yes));
    }
    for (int m = 0; m < c.n_channels; ++m) CHECK(set.totals.sums[m] == c.sum(m, set.points));
    PairSums pairs(points, set);
    for (int i = 0; i + 1 < set.size(); ++i) {
      const int64_t* row = pairs.row(i);
      for (int j = i + 1; j < set.size(); ++j) {
        const Set both = c.part(c.part(set.points, set.questions[i], true), set.questions[j], true);
        for (int m = 0; m < c.n_channels; ++m) CHECK(row[j * c.n_channels + m] == c.sum(m, both));
      }
    }
  }
}

TEST(optimal_trees_of_two_levels) {
  Dice dice(73);
  for (int round = 0; round < 250; ++round) {
    check::scene() = "round " + std::to_string(round);
    const Case c = draw_case(dice, dice.between(1, 30), 3, 3);
    const int depth = static_cast<int>(dice.between(1, 2));
    const Problem problem = c.problem(depth, 3);
    const Points points(problem);
    with_reward(problem, [&]<class Reward>() {
      const Shallow found = solve_shallow<Reward>(points, points.all(), depth, [] { return false; });
      CHECK(found.complete);
      for (int64_t splits = 0; splits <= 3; ++splits) {
        const int at = found.best(splits);
        CHECK(found.cost[at] == c.least_cost(c.all(), depth, splits));
        CHECK(found.cost[at] == c.cost_of(found.tree[at], c.all()));
        CHECK(depth_of(found.tree[at]) <= depth && splits_of(found.tree[at]) <= splits);
      }
    });
  }
}

TEST(optimal_cache_answers_smaller_sizes_only) {
  Cache cache;
  const Key key{3, 67}, twin{3, 131};  // one shard, one bucket
  const Tree small = join(4, {}, {});
  cache.keep(key, 4, 6, {10.0, kInfinite, {}});
  CHECK(cache.look_up(key, 4, 6).lower == 10.0);
  CHECK(cache.look_up(key, 3, 2).lower == 10.0);
  CHECK(cache.look_up(key, 5, 6).lower == 0.0);
  CHECK(cache.look_up(key, 4, 7).lower == 0.0);
  CHECK(cache.look_up(twin, 3, 2).lower == 0.0);
  cache.keep(key, 4, 6, {12.0, 12.0, small});
  CHECK(cache.look_up(key, 4, 6).cost == 12.0);
  CHECK(cache.look_up(key, 2, 1).cost == kInfinite);  // of less depth another tree may come first
  CHECK(cache.look_up(key, 2, 1).lower == 12.0);
  cache.keep(key, 2, 3, {12.0, 12.0, small});
  CHECK(cache.look_up(key, 1, 1).cost == 12.0);
  CHECK(cache.look_up(key, 0, 0).cost == kInfinite);  // its tree is too large
  CHECK(cache.look_up(key, 0, 0).lower == 12.0);
}

TEST(optimal_search_is_brute_force_for_any_number_of_threads) {
  Dice dice(74);
  Stop stop;
  for (int round = 0; round < 160; ++round) {
    check::scene() = "round " + std::to_string(round);
    const Case c = draw_case(dice, dice.between(1, 26), 3, 3);
    const int depth = static_cast<int>(dice.between(0, 4));
    const int64_t splits = dice.between(0, 5);
    const Problem problem = c.problem(depth, splits);
    const double wanted = c.least_cost(c.all(), depth, splits);
    Tree first;
    for (const int threads : {1, 3}) {
      ThreadTeam team(threads, stop);
      const Found found = find_best_tree(problem, team);
      CHECK(found.solution.cost == wanted);
      CHECK(found.solution.lower == wanted);
      CHECK(c.cost_of(found.solution.tree, c.all()) == wanted);
      const std::function<bool(const Tree&, const Tree&)> same = [&](const Tree& a, const Tree& b) {
        if (!a || !b) return a == b;
        return a->question == b->question && same(a->yes, b->yes) && same(a->no, b->no);
      };
      if (threads == 1) first = found.solution.tree;
      CHECK(same(first, found.solution.tree));
    }
  }
}

TEST(optimal_search_that_is_stopped_has_a_true_bound) {  // after a few sets, by Ctrl-C or the clock
  Dice dice(75);
  for (int round = 0; round < 60; ++round) {
    check::scene() = "round " + std::to_string(round);
    const Case c = draw_case(dice, dice.between(60, 200), 4, 4);
    Problem problem = c.problem(4, 15);
    Stop stop;
    ThreadTeam team(2, stop);
    const double best = find_best_tree(problem, team).solution.cost;
    problem.seconds = std::ldexp(1.0, -static_cast<int>(dice.between(8, 20)));
    const Solution found = find_best_tree(problem, team).solution;
    CHECK(found.lower <= best);
    CHECK(found.cost >= best);
    CHECK(found.cost == c.cost_of(found.tree, c.all()));
  }
}

#include "prune/weakest_link.hpp"

#include <limits>
#include <vector>

#include "check.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;

namespace {

struct Drawn {
  std::vector<int32_t> parent;
  std::vector<double> risk;  // in 1/64, so that sums are exact and the twin must agree to the bit
};

Drawn draw_tree(Dice& dice, int64_t splits, int most_children) {
  Drawn tree{{-1}, {static_cast<double>(dice.between(0, 400)) / 64}};
  std::vector<int32_t> leaves{0};
  for (int64_t k = 0; k < splits; ++k) {
    const auto at = static_cast<size_t>(dice.between(0, static_cast<int64_t>(leaves.size()) - 1));
    const int32_t node = leaves[at];
    leaves.erase(leaves.begin() + static_cast<int64_t>(at));
    for (int64_t c = dice.between(2, most_children); c > 0; --c) {
      leaves.push_back(static_cast<int32_t>(tree.parent.size()));
      tree.parent.push_back(node);
      tree.risk.push_back(static_cast<double>(dice.between(0, dice.chance(0.3) ? 3 : 200)) / 64);
    }
  }
  return tree;
}

struct Below {
  double risk = 0;
  int64_t leaves = 0;
};

// The leaves below t when the nodes of `cut` are leaves.
Below below(const Drawn& tree, const std::vector<bool>& cut, int32_t t) {
  Below sum;
  const auto n = static_cast<int32_t>(tree.parent.size());
  std::vector<bool> inner(n, false);
  for (int32_t k = 1; k < n; ++k) inner[tree.parent[k]] = true;
  for (int32_t k = n - 1; k >= 0; --k) {
    if (inner[k] && !cut[k]) continue;
    bool under = k == t, hidden = false;
    for (int32_t up = k; up > 0;) {
      up = tree.parent[up];
      under |= up == t;
      hidden |= cut[up];
    }
    if (!under || hidden) continue;
    sum.risk += tree.risk[k];
    ++sum.leaves;
  }
  return sum;
}

Cuts by_definition(const Drawn& tree) {
  const auto n = static_cast<int32_t>(tree.parent.size());
  Cuts cuts;
  cuts.alpha.assign(n, std::numeric_limits<double>::infinity());
  std::vector<bool> cut(n, false);
  for (;;) {
    int32_t weakest = -1;
    double least = 0;
    for (int32_t t = 0; t < n; ++t) {
      const Below under = below(tree, cut, t);
      if (under.leaves < 2) continue;  // a leaf, or no longer there
      const double g = (tree.risk[t] - under.risk) / static_cast<double>(under.leaves - 1);
      if (weakest >= 0 && !(g < least)) continue;
      weakest = t;
      least = g;
    }
    if (weakest < 0) return cuts;
    cut[weakest] = true;
    cuts.alpha[weakest] = least;
    cuts.order.push_back(weakest);
    cuts.risk.push_back(below(tree, cut, 0).risk);
  }
}

}  // namespace

TEST(weakest_links_are_the_definition) {
  Dice dice(21);
  for (int round = 0; round < 600; ++round) {
    check::scene() = "round " + std::to_string(round);
    const Drawn tree = draw_tree(dice, dice.between(0, 14), round % 3 ? 2 : 4);
    const Cuts got =
        weakest_links(tree.parent.data(), tree.risk.data(), static_cast<int64_t>(tree.parent.size()));
    const Cuts wanted = by_definition(tree);
    CHECK(got.alpha == wanted.alpha);
    CHECK(got.order == wanted.order);
    CHECK(got.risk == wanted.risk);
  }
}

TEST(weakest_links_of_a_large_tree_rise_and_end_at_the_root) {
  Dice dice(22);
  const int64_t splits = 20000;
  Drawn tree = draw_tree(dice, splits, 2);
  for (size_t t = tree.parent.size() - 1; t > 0;
       --t)  // a split never raises the risk: true trees are like this
    tree.risk[t] = 0;
  std::vector<int64_t> size(tree.parent.size(), 1);
  for (size_t t = tree.parent.size() - 1; t > 0; --t) size[tree.parent[t]] += size[t];
  for (size_t t = 0; t < size.size(); ++t) tree.risk[t] = static_cast<double>(size[t] * size[t]) / 1024;
  const Cuts cuts =
      weakest_links(tree.parent.data(), tree.risk.data(), static_cast<int64_t>(tree.parent.size()));
  CHECK(!cuts.order.empty() && cuts.order.back() == 0);
  CHECK(cuts.risk.back() == tree.risk[0]);
  for (size_t k = 1; k < cuts.order.size(); ++k) {
    CHECK(cuts.alpha[cuts.order[k]] >= cuts.alpha[cuts.order[k - 1]]);
    CHECK(cuts.risk[k] >= cuts.risk[k - 1]);
  }
}

TEST(weakest_links_of_a_leaf_are_none) {
  const int32_t parent = -1;
  const double risk = 0.5;
  const Cuts cuts = weakest_links(&parent, &risk, 1);
  CHECK(cuts.order.empty() && cuts.risk.empty());
  CHECK(cuts.alpha.size() == 1 && cuts.alpha[0] == std::numeric_limits<double>::infinity());
}

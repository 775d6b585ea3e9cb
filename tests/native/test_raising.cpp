#include "prune/raising.hpp"

#include <cmath>
#include <limits>

#include "check.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;

namespace {

constexpr double kGone = std::numeric_limits<double>::quiet_NaN();

// A random tree of thresholds, subsets and multiway nodes over one number and one category of four levels.
struct Grove {
  std::vector<MultiwayNode> nodes;
  std::vector<uint64_t> words;
  std::vector<int64_t> surrogate_begin;
  std::vector<SurrogateNode> surrogate;
  std::vector<double> part, cells;
  std::vector<int32_t> classes;
  int64_t n = 0;

  MultiwayTree tree() const {
    return {nodes.data(),
            static_cast<int64_t>(nodes.size()),
            words.data(),
            surrogate.data(),
            surrogate_begin.data(),
            words.data(),
            part.data()};
  }
  Matrix rows() const { return {cells.data(), true, n, 2, 1}; }
};

Grove drawn(Dice& dice) {
  Grove g;
  const bool spreads = dice.chance(0.5);
  g.words = {0b01011};
  g.nodes.push_back({});
  g.part.push_back(1.0);
  for (size_t t = 0; t < g.nodes.size() && g.nodes.size() < 40; ++t) {
    if (!dice.chance(t == 0 ? 1.0 : 0.6)) continue;
    MultiwayNode& node = g.nodes[t];
    node.kind = static_cast<int32_t>(dice.between(1, 3));
    node.feature = node.kind == 1 ? 0 : 1;
    node.levels = node.kind == 1 ? 0 : 4;
    node.threshold = dice.unit();
    node.n_children = node.kind == 3 ? 4 : 2;
    node.child = static_cast<int32_t>(g.nodes.size());
    node.missing = spreads ? kEveryChild : node.child + static_cast<int32_t>(dice.between(0, 1));
    const int32_t many = node.n_children;
    for (int32_t c = 0; c < many; ++c) {
      g.nodes.push_back({});
      g.part.push_back(1.0 / many);
    }
  }
  g.surrogate_begin.assign(g.nodes.size() + 1, 0);
  g.n = dice.between(1, 90);
  for (int64_t i = 0; i < g.n; ++i) {
    g.cells.push_back(dice.chance(0.2) ? kGone : dice.unit());
    g.cells.push_back(dice.chance(0.2) ? kGone : static_cast<double>(dice.between(0, 4)));
    g.classes.push_back(static_cast<int32_t>(dice.between(0, 2)));
  }
  return g;
}

}  // namespace

TEST(shares_of_a_row_add_up_to_one_and_threads_change_nothing) {
  Dice dice(5);
  for (int round = 0; round < 200; ++round) {
    const Grove g = drawn(dice);
    Stop stop;
    ThreadTeam one(1, stop), three(3, stop);
    const Ends ends = multiway_ends(g.tree(), g.rows(), one);
    std::vector<double> whole(g.n, 0.0);
    for (size_t i = 0; i < ends.row.size(); ++i) {
      whole[ends.row[i]] += ends.share[i];
      CHECK(g.nodes[ends.leaf[i]].kind == 0);
    }
    for (const double sum : whole) CHECK_NEAR(sum, 1.0, 1e-12);
    const std::vector<double> ones(g.nodes.size(), 1.0);
    std::vector<double> a(g.n), b(g.n);
    multiway_values(g.tree(), g.rows(), ones.data(), 1, a.data(), one);
    multiway_values(g.tree(), g.rows(), ones.data(), 1, b.data(), three);
    CHECK(a == b);
    std::vector<int32_t> leaf(g.n);
    multiway_leaves(g.tree(), g.rows(), leaf.data(), three);
    for (const int32_t at : leaf) CHECK(at == kEveryChild || g.nodes[at].kind == 0);
  }
}

TEST(raising_loses_no_row) {
  Dice dice(6);
  for (int round = 0; round < 300; ++round) {
    const Grove g = drawn(dice);
    Stop stop;
    ThreadTeam team(2, stop);
    const RaisingInput input{g.tree(), g.rows(),       g.classes.data(), nullptr,
                             3,        std::log(0.25), 0.6745,           0.1 + 1e-6};
    const Raised found = raise_branches(input, team);
    bool moved = false;
    for (size_t t = 0; t < g.nodes.size(); ++t) {
      CHECK(found.test[t] >= -1 && found.test[t] < static_cast<int32_t>(g.nodes.size()));
      if (found.test[t] >= 0) CHECK(g.nodes[found.test[t]].kind != 0);
      moved |= found.moved[t] != 0;
    }
    if (!moved) continue;
    CHECK(found.n_rows[0] == g.n);
    CHECK_NEAR(found.counts[0] + found.counts[1] + found.counts[2], static_cast<double>(g.n), 1e-9);
  }
}

TEST(expected_errors_are_quinlans) {
  const double quarter = std::log(0.25);
  CHECK_NEAR(expected_errors(6, 0, quarter, 0.6745) / 6, 0.206, 1e-3);
  CHECK_NEAR(expected_errors(9, 0, quarter, 0.6745) / 9, 0.143, 1e-3);
  CHECK_NEAR(expected_errors(1, 0, quarter, 0.6745), 0.750, 1e-3);
  CHECK(expected_errors(0, 0, quarter, 0.6745) == 0);
}

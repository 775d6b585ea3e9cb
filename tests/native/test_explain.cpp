#include <limits>
#include <vector>

#include "check.hpp"
#include "explain/outside.hpp"
#include "explain/shap.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kColumns = 4, kOutputs = 3;
constexpr int kLevels[kColumns] = {0, 5, 70, 0};  // numbers, and categories of few and of many levels

// Trees of every kind of node, with surrogates, one after the other.
struct Drawn {
  std::vector<FlatNode> nodes;
  std::vector<int64_t> starts{0};
  std::vector<uint64_t> words, surrogate_words;
  std::vector<FlatSurrogate> surrogates;
  std::vector<double> value, weight;

  FlatTrees trees() const {
    return {nodes.data(), starts.data(),     static_cast<int64_t>(starts.size()) - 1,
            words.data(), surrogates.data(), surrogate_words.data(),
            value.data(), weight.data(),     kOutputs};
  }
};

void add_node(Drawn& drawn, Dice& dice) {
  drawn.nodes.push_back({kNan, -1, 0, -1, -1, kLeaf, 0, 0, 0});
  for (int c = 0; c < kOutputs; ++c) drawn.value.push_back(dice.chance(0.3) ? 0.0 : dice.unit());
  drawn.weight.push_back(dice.chance(0.1) ? 0.0 : dice.unit());
}

void split(Drawn& drawn, Dice& dice, int64_t root, int64_t at) {
  const auto column = static_cast<int32_t>(dice.between(0, kColumns - 1));
  const int levels = kLevels[column];
  const auto begin = static_cast<int32_t>(drawn.surrogates.size());
  FlatNode node = drawn.nodes[at];
  node.feature = column;
  node.first = static_cast<int32_t>(static_cast<int64_t>(drawn.nodes.size()) - root);
  node.kind = levels == 0 ? kThreshold : dice.chance(0.5) && levels < 64 ? kMultiway : kSubset;
  node.n_children = node.kind == kMultiway ? levels : 2;
  node.missing = dice.chance(0.3) ? kToAll : static_cast<int32_t>(dice.between(0, node.n_children - 1));
  node.threshold = dice.unit() * 2 - 1;
  if (node.kind == kSubset) {
    node.threshold = static_cast<double>(drawn.words.size());
    for (int word = 0; word <= levels / 64; ++word) drawn.words.push_back(dice.bits());
  } else if (node.kind == kThreshold && dice.chance(0.3)) {
    drawn.surrogates.push_back({0.2, -1, 3, 0, dice.chance(0.5), 0});
    drawn.surrogates.push_back(
        {kNan, static_cast<int64_t>(drawn.surrogate_words.size()), 1, kLevels[1], 0, 0});
    drawn.surrogate_words.push_back(dice.bits());
  }
  node.surrogate_begin = begin;
  node.surrogate_end = static_cast<int32_t>(drawn.surrogates.size());
  drawn.nodes[at] = node;
  for (int k = 0; k < node.n_children; ++k) add_node(drawn, dice);
}

Drawn draw_trees(Dice& dice, int n_trees, int splits) {
  Drawn drawn;
  for (int t = 0; t < n_trees; ++t) {
    const int64_t root = drawn.starts.back();
    add_node(drawn, dice);
    for (int k = 0; k < splits; ++k) {
      const int64_t at = dice.between(root, static_cast<int64_t>(drawn.nodes.size()) - 1);
      if (drawn.nodes[at].n_children == 0) split(drawn, dice, root, at);
    }
    drawn.starts.push_back(static_cast<int64_t>(drawn.nodes.size()));
  }
  return drawn;
}

std::vector<double> draw_rows(Dice& dice, int64_t n) {
  std::vector<double> x;
  for (int64_t i = 0; i < n; ++i)
    for (const int levels : kLevels)
      x.push_back(dice.chance(0.2) ? kNan
                  : levels         ? static_cast<double>(dice.between(0, levels))
                                   : dice.unit() * 2 - 1);
  return x;
}

// The value of a row, by recursion.
void add_value(const FlatTrees& trees, int64_t root, int32_t at, const double* row, double share,
               double* out) {
  const FlatNode& node = trees.nodes[root + at];
  if (node.n_children == 0) {
    for (int c = 0; c < kOutputs; ++c) out[c] += share * trees.value[(root + at) * kOutputs + c];
    return;
  }
  const int32_t place = place_of(trees, node, [&](int64_t j) { return row[j]; });
  for (int32_t k = 0; k < node.n_children; ++k) {
    const double part = place == kToAll ? part_of(trees, root, node, node.first + k) : k == place;
    if (part > 0) add_value(trees, root, node.first + k, row, share * part, out);
  }
}

TEST(shap_values_add_up_to_the_value_for_any_number_of_threads) {
  Dice dice(5);
  for (int round = 0; round < 20; ++round) {
    const Drawn drawn = draw_trees(dice, 3, 14);
    const FlatTrees trees = drawn.trees();
    const int64_t n = dice.between(1, 45);
    const std::vector<double> x = draw_rows(dice, n);
    const Matrix rows{x.data(), true, n, kColumns, 1};
    std::vector<double> first;
    for (const int threads : {1, 3}) {
      Stop stop;
      ThreadTeam team(threads, stop);
      std::vector<double> out(n * kColumns * kOutputs), base(kOutputs);
      shap_values(trees, rows, kColumns, out.data(), base.data(), team);
      for (int64_t i = 0; i < n; ++i) {
        double wanted[kOutputs] = {};
        for (int64_t t = 0; t < trees.n_trees; ++t)
          add_value(trees, trees.starts[t], 0, x.data() + i * kColumns, 1.0, wanted);
        for (int c = 0; c < kOutputs; ++c) {
          double sum = base[c];
          for (int j = 0; j < kColumns; ++j) sum += out[(i * kColumns + j) * kOutputs + c];
          CHECK_NEAR(sum, wanted[c], 1e-12);
        }
      }
      if (first.empty()) first = out;
      CHECK(first == out);
    }
  }
}

TEST(quadrature_is_exact_for_polynomials) {
  for (const int n : {1, 2, 5, 17, 40}) {
    const Quadrature rule = gauss_legendre(n);
    for (int power = 0; power < 2 * n; ++power) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += rule.weight[k] * std::pow(rule.point[k], power);
      CHECK_NEAR(sum, 1.0 / (power + 1), 1e-13);
    }
  }
}

TEST(rows_outside_are_tallied_and_permuted_alike_by_any_number_of_threads) {
  Dice dice(6);
  const Drawn drawn = draw_trees(dice, 5, 14);
  const FlatTrees trees = drawn.trees();
  const int64_t n = 2500, words = (n + 63) / 64;
  const std::vector<double> x = draw_rows(dice, n);
  const Matrix rows{x.data(), true, n, kColumns, 1};
  std::vector<uint64_t> bits(5 * words);
  for (auto& word : bits) word = dice.bits() & dice.bits();
  for (int t = 0; t < 5; ++t) bits[t * words + words - 1] &= (uint64_t{1} << (n & 63)) - 1;
  const Outside outside{bits.data(), words};
  std::vector<int32_t> classes;
  for (int64_t i = 0; i < n; ++i) classes.push_back(static_cast<int32_t>(dice.between(0, kOutputs - 1)));
  const Truth truth{classes.data(), nullptr, nullptr};
  std::vector<double> first_sum, first_rise, first_pairs;
  for (const int threads : {1, 2, 5}) {
    Stop stop;
    ThreadTeam team(threads, stop);
    std::vector<double> sum(n * kOutputs), loss(5), counted(5);
    std::vector<int32_t> many(n);
    tally_outside(trees, rows, truth, outside, sum.data(), many.data(), loss.data(), counted.data(), team);
    const Rise rise = permuted_rise(trees, rows, kColumns, truth, outside, 7, 2, team);
    CHECK(rise.mass > 0);
    CHECK(loss[4] <= counted[4]);
    if (first_sum.empty()) {
      first_sum = sum;
      first_rise = rise.sum;
      first_pairs = rise.pairs;
    }
    CHECK(first_sum == sum);
    CHECK(first_rise == rise.sum);
    CHECK(first_pairs == rise.pairs);
  }
}

}  // namespace

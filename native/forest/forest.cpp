#include "forest/forest.hpp"

#include <memory>

#include "criteria/conditional_entropy.hpp"
#include "criteria/entropy.hpp"
#include "criteria/gini.hpp"
#include "criteria/misclassification.hpp"
#include "criteria/poisson.hpp"
#include "criteria/squared_error.hpp"
#include "forest/row_grower.hpp"

namespace hedgerow {
namespace {

bool takes_row_grower(const GrowInput& one) {
  const bool monotone =
      std::any_of(one.columns.begin(), one.columns.end(), [](const CodeColumn& c) { return c.monotone; });
  const bool fits = bits_for(one.n_rows) + bits_for(std::max(1, one.n_classes)) + 2 <= 32;
  return fits && !monotone && !one.limits.max_leaves && !one.multiway && !one.fractional && !one.surrogates;
}

template <class Rule>
void grow_by_rows(const ForestInput& input, Crew& crew, const Keep& keep) {
  const bool counted = Rule::of_classes && !input.one.weight && !input.class_weight && !input.balanced;
  const bool numbers = counted && Rule::sums_terms && input.one.limits.random_splits;
  const Records records = make_records(input.one, numbers, crew);
  std::vector<std::unique_ptr<RowGrower<Rule, uint32_t>>> growers(crew.size());
  crew.run(input.n_trees, [&](int64_t t, int worker) {
    auto& grower = growers[worker];
    if (!grower) grower = std::make_unique<RowGrower<Rule, uint32_t>>(input, records, crew.stop());
    keep(t, grower->grow(input.first_tree + t), counted);
  });
}

// One call of grow_tree a tree, each with one thread.
void grow_one_by_one(const ForestInput& input, Crew& crew, const Keep& keep) {
  crew.run(input.n_trees, [&](int64_t t, int) {
    TreeRows rows;
    draw_rows(input, input.first_tree + t, rows);
    GrowInput one = input.one;
    std::vector<uint32_t> used;
    bool all_one = true;
    for (int64_t i = 0; i < one.n_rows; ++i) {
      if (!rows.counts[i]) continue;
      used.push_back(static_cast<uint32_t>(i));
      all_one &= rows.weight.empty() ? rows.counts[i] == 1 : rows.weight[i] == 1;
    }
    if (rows.weight.empty()) rows.weight.assign(rows.counts.begin(), rows.counts.end());
    one.weight = all_one ? nullptr : rows.weight.data();
    one.rows = used.data();
    one.n_used = static_cast<int64_t>(used.size());
    one.seed = tree_seed(input.draws.seed, input.first_tree + t);
    Crew alone(1, crew.stop());
    keep(t, grow_tree(one, alone), false);
  });
}

}  // namespace

void grow_forest(const ForestInput& input, Crew& crew, const Keep& keep) {
  const std::string& criterion = input.one.criterion;
  if (takes_row_grower(input.one)) {
    if (criterion == Gini::name) return grow_by_rows<Gini>(input, crew, keep);
    if (criterion == Entropy::name || criterion == ConditionalEntropy::name)
      return grow_by_rows<Entropy>(input, crew, keep);
    if (criterion == Misclassification::name) return grow_by_rows<Misclassification>(input, crew, keep);
    if (criterion == SquaredError::name) return grow_by_rows<SquaredError>(input, crew, keep);
    if (criterion == Poisson::name) return grow_by_rows<Poisson>(input, crew, keep);
  }
  grow_one_by_one(input, crew, keep);
}

std::vector<GrownTree> grow_forest(const ForestInput& input, Crew& crew) {
  std::vector<GrownTree> trees(input.n_trees);
  grow_forest(input, crew, [&](int64_t t, GrownTree&& tree, bool) { trees[t] = std::move(tree); });
  return trees;
}

}  // namespace hedgerow

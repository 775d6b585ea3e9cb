// What is compiled for each criterion, in a unit of its own (the build writes it): all growers.
#pragma once

#include <memory>

#include "forest/row_grower.hpp"
#include "grow/criterion_table.hpp"
#include "grow/grow_rule.hpp"

namespace hedgerow {

template <Criterion Rule>
void grow_by_rows(const ForestInput& input, Crew& crew, const KeepTree& keep) {
  const bool counted = Rule::kOfClasses && !input.one.weight && !input.class_weight && !input.balanced;
  const bool numbers = counted && Rule::kSumsTerms && input.one.limits.random_splits;
  const Records records = make_records(input.one, numbers, crew);
  std::vector<std::unique_ptr<RowGrower<Rule, uint32_t>>> growers(crew.size());
  crew.run(input.n_trees, [&](int64_t t, int worker) {
    auto& grower = growers[worker];
    if (!grower) grower = std::make_unique<RowGrower<Rule, uint32_t>>(input, records, crew.stop());
    keep(t, grower->grow(input.first_tree + t), counted);
  });
}

template <Criterion Rule>
void fill_nodes(GrownTree& tree) {
  const MomentContext context{tree.n_moments, nullptr};
  Standing node;
  for (int64_t i = 0; i < tree.size(); ++i) {
    const auto first = tree.value.begin() + i * tree.n_moments;
    node.moments.assign(first, first + tree.n_moments);
    stand_on_classes<Rule>(node, context);
    tree.weight[i] = node.weight;
    tree.impurity[i] = node.impurity;
  }
}

template <Criterion Rule>
void impurities_of(const double* shares, int64_t n, int n_classes, double* out) {
  const MomentContext context{n_classes, nullptr};
  for (int64_t i = 0; i < n; ++i) out[i] = Rule::impurity(shares + i * n_classes, 1.0, context);
}

template <Criterion Rule>
void losses_of(const double* target, const double* value, int64_t n, double* out) {
  for (int64_t i = 0; i < n; ++i) out[i] = Rule::row_loss(1.0, target[i], value[i]);
}

template <Criterion Rule>
CriterionFunctions functions_of() {
  CriterionFunctions functions;
  functions.grow = grow_rule<Rule>;
  if constexpr (Rule::kPublic && !Rule::kMedian && !Rule::kRatio) functions.grow_forest = grow_by_rows<Rule>;
  if constexpr (Rule::kOfClasses) {
    functions.fill_nodes = fill_nodes<Rule>;
    functions.impurities = impurities_of<Rule>;
  } else {
    functions.losses = losses_of<Rule>;
  }
  return functions;
}

}  // namespace hedgerow

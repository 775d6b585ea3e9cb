// Growing one tree by one criterion: which grower, which width of entries, which subtrees are grown apart.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "grow/forker.hpp"
#include "grow/grower.hpp"
#include "grow/tree_parts.hpp"

namespace hedgerow {

template <Criterion Rule, class Entry>
GrownTree grow_with(const GrowInput& input, Crew& crew) {
  constexpr bool medians = Rule::kMedian;
  Patch<Entry> patch = whole_patch<Entry>(input, medians, crew);
  std::unique_ptr<Logs> logs;
  if (Rule::kLogTable && !input.weight) logs = std::make_unique<Logs>(patch.n);
  const MomentContext context{Rule::kOfClasses ? input.n_classes : 1, logs.get()};
  const int n_columns = static_cast<int>(input.columns.size());

  Grower<Rule, Entry> grower(input, patch, context, 0.0, &crew, crew.stop());
  OpenNode root = grower.root();
  const double root_weight = root.standing.weight;
  grower.set_root_weight(root_weight);
  if (input.limits.max_leaves > 0) {
    grower.grow_best_first(std::move(root));
  } else if (input.trace) {
    grower.grow_depth_first(std::move(root), [](const OpenNode&) { return false; });
  } else {
    // Subtrees small enough become patches of their own, one task each.
    std::vector<OpenNode> subtrees;
    const int64_t share = crew.size() > 1 ? patch.n / (4 * crew.size()) : patch.n;
    const int64_t limit = std::min(input.patch_rows, std::max<int64_t>(share, 1024));
    grower.grow_depth_first(std::move(root), [&](OpenNode& node) {
      if (node.standing.rows() > limit) return false;
      subtrees.push_back(std::move(node));
      return true;
    });
    std::vector<GrownTree> grown(subtrees.size());
    std::vector<uint32_t> place(patch.n);
    // Largest first, so that no worker is left alone with the largest at the end.
    std::vector<int32_t> order(subtrees.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return subtrees[a].standing.rows() > subtrees[b].standing.rows();
    });
    crew.run(static_cast<int64_t>(subtrees.size()), [&](int64_t task, int) {
      OpenNode& node = subtrees[order[task]];
      std::vector<int32_t> columns = node.live;
      if (medians) columns.push_back(n_columns);
      Patch<Entry> own =
          sub_patch<Entry, Entry>(patch, node.standing.begin, node.standing.end, columns, place);
      Grower<Rule, Entry> sub(input, own, context, root_weight, nullptr, crew.stop());
      OpenNode top = std::move(node);
      const int32_t id = top.id;
      top.standing.end = own.n;
      top.standing.begin = 0;
      sub.grow_depth_first(std::move(top), [](const OpenNode&) { return false; });
      node.id = id;
      grown[order[task]] = std::move(sub.tree());
    });
    for (size_t i = 0; i < subtrees.size(); ++i) graft(grower.tree(), subtrees[i].id, grown[i]);
  }
  if (input.trace) resize_trace(grower.tree(), grower.tree().size() * input.columns.size(), false);
  GrownTree tree = std::move(grower.tree());
  into_canonical_order(tree, n_columns);
  return tree;
}

template <Criterion Rule, class Entry>
GrownTree fork_with(const GrowInput& input, Crew& crew) {
  auto patch = std::make_unique<Patch<Entry>>(whole_patch<Entry>(input, false, crew));
  std::unique_ptr<Logs> logs;
  if (Rule::kLogTable && !input.weight) logs = std::make_unique<Logs>(patch->n);
  const MomentContext context{Rule::kOfClasses ? input.n_classes : 1, logs.get()};
  GrownTree tree = Forker<Rule, Entry>(input, context, crew).grow(std::move(patch));
  into_canonical_order(tree, static_cast<int>(input.columns.size()));
  return tree;
}

template <Criterion Rule>
GrownTree grow_rule(const GrowInput& input, Crew& crew) {
  const int64_t n = input.rows ? input.n_used : input.n_rows;
  const bool small = bits_for(n) + (Rule::kOfClasses ? bits_for(input.n_classes) : 0) + 2 <= 32;
  const bool forked = input.multiway || input.fractional || input.surrogates > 0 || Rule::kRatio;
  if (forked && (Rule::kMedian || input.limits.random_splits || input.limits.max_leaves > 0))
    throw std::invalid_argument(
        "multiway splits, fractional instances and gain ratio do not go with medians, "
        "random splits or a limit of leaves");
  if constexpr (!Rule::kMedian)
    if (forked)
      return small ? fork_with<Rule, uint32_t>(input, crew) : fork_with<Rule, uint64_t>(input, crew);
  if constexpr (!Rule::kRatio)
    return small ? grow_with<Rule, uint32_t>(input, crew) : grow_with<Rule, uint64_t>(input, crew);
  throw std::logic_error("not reached");
}

}  // namespace hedgerow

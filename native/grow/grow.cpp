#include "grow/grow.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "grow/grower.hpp"
#include "grow/multiway.hpp"
#include "grow/tree_parts.hpp"

namespace hedgerow {
namespace {

template <class Entry>
GrownTree grow_with(const GrowInput& input, const CriterionEntry& criterion, ThreadTeam& team) {
  const bool medians = criterion.traits.median && !input.outputs;  // of one target: sorted once
  RowSet<Entry> row_set = whole_row_set<Entry>(input, medians, team);
  std::unique_ptr<Logs> logs;
  if (criterion.traits.log_table && !input.weight && !input.outputs) logs = std::make_unique<Logs>(row_set.n);
  const int one_target = criterion.traits.of_classes ? input.n_classes : 1;
  const MomentContext context{input.outputs ? input.outputs->n_moments() : one_target, logs.get(),
                              input.exact};
  const int n_columns = static_cast<int>(input.columns.size());

  Grower<Entry> grower(input, row_set, criterion, context, 0.0, &team, team.stop());
  OpenNode root = grower.root();
  const double root_weight = root.stats.weight;
  grower.set_root_weight(root_weight);
  if (input.limits.max_leaves > 0) {
    grower.grow_best_first(std::move(root));
  } else if (input.trace) {
    grower.grow_depth_first(std::move(root), [](const OpenNode&) { return false; });
  } else {
    // Subtrees small enough become row_sets of their own, one task each.
    std::vector<OpenNode> subtrees;
    const int64_t share = team.size() > 1 ? row_set.n / (4 * team.size()) : row_set.n;
    const int64_t limit = std::min(input.subtree_rows, std::max<int64_t>(share, 1024));
    grower.grow_depth_first(std::move(root), [&](OpenNode& node) {
      if (node.stats.rows() > limit) return false;
      subtrees.push_back(std::move(node));
      return true;
    });
    std::vector<GrownTree> grown(subtrees.size());
    std::vector<uint32_t> place(row_set.n);
    // Largest first, so that no worker is left alone with the largest at the end.
    std::vector<int32_t> order(subtrees.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return subtrees[a].stats.rows() > subtrees[b].stats.rows();
    });
    team.run(static_cast<int64_t>(subtrees.size()), [&](int64_t task, int) {
      OpenNode& node = subtrees[order[task]];
      std::vector<int32_t> columns = node.live;
      if (medians) columns.push_back(n_columns);
      RowSet<Entry> own =
          sub_row_set<Entry, Entry>(row_set, node.stats.begin, node.stats.end, columns, place);
      Grower<Entry> sub(input, own, criterion, context, root_weight, nullptr, team.stop());
      OpenNode top = std::move(node);
      const int32_t id = top.id;
      top.stats.end = own.n;
      top.stats.begin = 0;
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

}  // namespace

GrownTree grow_tree(const GrowInput& input, ThreadTeam& team) {
  const CriterionEntry& criterion = find_criterion(input.criterion);
  const CriterionTraits& traits = criterion.traits;
  const int64_t n = input.rows ? input.n_used : input.n_rows;
  const bool narrow = bits_for(n) + (traits.of_classes ? bits_for(input.n_classes) : 0) + 2 <= 32;
  const bool multiway =
      input.multiway || input.fractional || input.surrogates > 0 || input.stops || traits.ratio;
  if (multiway && (traits.median || input.limits.random_splits || input.limits.max_leaves > 0))
    throw std::invalid_argument(
        "multiway splits, fractional instances and gain ratio do not go with medians, "
        "random splits or a limit of leaves");
  if (input.outputs && multiway)
    throw std::invalid_argument(
        "many outputs do not go with multiway splits, fractional instances, surrogates, stops or gain ratio");
  if (multiway) return grow_multiway(input, criterion, narrow, team);
  return narrow ? grow_with<uint32_t>(input, criterion, team) : grow_with<uint64_t>(input, criterion, team);
}

}  // namespace hedgerow

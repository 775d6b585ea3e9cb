#include "forest/forest.hpp"

#include <algorithm>
#include <numeric>

#include "forest/random_grower.hpp"
#include "forest/row_grower.hpp"
#include "grow/criterion_table.hpp"
#include "grow/sparse_columns.hpp"

namespace hedgerow {
namespace {

bool takes_row_grower(const GrowInput& one, const CriterionTraits& traits) {
  if (traits.median || traits.ratio || one.outputs || one.trace || one.limits.min_wrong > 0 ||
      one.limits.min_loss > 0)
    return false;
  // Numbers whose nodes all look at all columns: lists that are sorted once and parted (grower.hpp) are
  // cheaper than lists sorted at each node.
  const bool all_columns = one.limits.max_features >= static_cast<int32_t>(one.columns.size());
  if (!traits.of_classes && all_columns && !one.limits.random_splits && !is_sparse(one)) return false;
  const bool monotone =
      std::any_of(one.columns.begin(), one.columns.end(), [](const CodeColumn& c) { return c.monotone; });
  const bool fits = bits_for(one.n_rows) + bits_for(std::max(1, one.n_classes)) + 2 <= 32;
  return fits && !monotone && !one.limits.max_leaves && !one.multiway && !one.fractional && !one.surrogates &&
         !one.stops;
}

// A grower a thread. `take(t, grower)`: it has grown tree t.
template <class Grower, class Take>
void grow_with(const ForestInput& input, const CriterionEntry& criterion, const Records& records,
               ThreadTeam& team, Take take) {
  std::vector<std::unique_ptr<Grower>> growers(team.size());
  team.run(input.n_trees, [&](int64_t t, int worker) {
    auto& grower = growers[worker];
    if (!grower) grower = std::make_unique<Grower>(input, criterion, records, team.stop());
    const int64_t tree = input.first_tree + t;
    grower->grow(tree, tree_seed(input.draws.seed, tree));
    take(t, *grower);
  });
}

void grow_by_rows(const ForestInput& input, const CriterionEntry& criterion, ThreadTeam& team,
                  const KeepTree& keep) {
  const bool counted =
      criterion.traits.of_classes && !input.one.weight && !input.class_weight && !input.balanced;
  const bool numbers = counted && criterion.traits.sums_terms && input.one.limits.random_splits;
  const Records records = make_records(input.one, numbers, input.records, team);
  if (RandomGrower::takes(input, criterion.traits, team))
    grow_with<RandomGrower>(input, criterion, records, team, [&](int64_t t, RandomGrower& grower) {
      keep.slim ? keep.slim(t, grower.slim_tree()) : keep.whole(t, grower.tree(), counted);
    });
  else
    grow_with<RowGrower>(input, criterion, records, team, [&](int64_t t, RowGrower& grower) {
      keep.whole(t, std::move(grower.tree()), counted);
    });
}

// One call of grow_tree a tree, each with one thread.
void grow_one_by_one(ForestInput input, ThreadTeam& team, const KeepTree& keep) {
  std::vector<std::vector<uint8_t>> storage;
  if (is_sparse(input.one)) expand_columns(input.one.columns, input.one.n_rows, storage, team);
  team.run(input.n_trees, [&](int64_t t, int) {
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
    ThreadTeam alone(1, team.stop());
    keep.whole(t, grow_tree(one, alone), false);
  });
}

}  // namespace

void grow_forest(const ForestInput& input, ThreadTeam& team, const KeepTree& keep) {
  const CriterionEntry& criterion = find_criterion(input.one.criterion);
  if (takes_row_grower(input.one, criterion.traits)) return grow_by_rows(input, criterion, team, keep);
  grow_one_by_one(input, team, keep);
}

GrownTree grow_sparse_tree(ForestInput input, uint64_t seed, ThreadTeam& team) {
  const CriterionEntry& criterion = find_criterion(input.one.criterion);
  if (takes_row_grower(input.one, criterion.traits)) {
    std::vector<uint32_t> rows(input.one.rows, input.one.rows + (input.one.rows ? input.one.n_used : 0));
    if (rows.empty()) {
      rows.resize(input.one.n_rows);
      std::iota(rows.begin(), rows.end(), 0u);
    }
    input.draws.n_rows = input.one.n_rows;
    input.draws.order = rows.data();
    input.draws.n_order = static_cast<int64_t>(rows.size());
    const Records records = make_records(input.one, false, {}, team);
    RowGrower grower(input, criterion, records, team.stop());
    grower.grow(0, seed);
    return std::move(grower.tree());
  }
  std::vector<std::vector<uint8_t>> storage;
  expand_columns(input.one.columns, input.one.n_rows, storage, team);
  input.one.seed = seed;
  return grow_tree(input.one, team);
}

std::vector<GrownTree> grow_forest(const ForestInput& input, ThreadTeam& team) {
  std::vector<GrownTree> trees(input.n_trees);
  grow_forest(input, team, {[&](int64_t t, GrownTree&& tree, bool) { trees[t] = std::move(tree); }, nullptr});
  return trees;
}

}  // namespace hedgerow

#include "forest/forest.hpp"

#include <algorithm>

#include "grow/criterion_table.hpp"
#include "grow/patch.hpp"

namespace hedgerow {
namespace {

bool takes_row_grower(const GrowInput& one) {
  const bool monotone =
      std::any_of(one.columns.begin(), one.columns.end(), [](const CodeColumn& c) { return c.monotone; });
  const bool fits = bits_for(one.n_rows) + bits_for(std::max(1, one.n_classes)) + 2 <= 32;
  return fits && !monotone && !one.limits.max_leaves && !one.multiway && !one.fractional && !one.surrogates;
}

// One call of grow_tree a tree, each with one thread.
void grow_one_by_one(const ForestInput& input, Crew& crew, const KeepTree& keep) {
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

void grow_forest(const ForestInput& input, Crew& crew, const KeepTree& keep) {
  const auto by_rows = find_criterion(input.one.criterion).functions.grow_forest;
  if (by_rows && takes_row_grower(input.one)) return by_rows(input, crew, keep);
  grow_one_by_one(input, crew, keep);
}

std::vector<GrownTree> grow_forest(const ForestInput& input, Crew& crew) {
  std::vector<GrownTree> trees(input.n_trees);
  grow_forest(input, crew, [&](int64_t t, GrownTree&& tree, bool) { trees[t] = std::move(tree); });
  return trees;
}

}  // namespace hedgerow

#include "grow/multiway.hpp"

#include <memory>

#include "grow/multiway_grower.hpp"
#include "grow/tree_parts.hpp"

namespace hedgerow {
namespace {

template <class Entry>
GrownTree grow_multiway_with(const GrowInput& input, const CriterionEntry& criterion, ThreadTeam& team) {
  auto row_set = std::make_unique<RowSet<Entry>>(whole_row_set<Entry>(input, false, team));
  std::unique_ptr<Logs> logs;
  if (criterion.traits.log_table && !input.weight) logs = std::make_unique<Logs>(row_set->n);
  const MomentContext context{criterion.traits.of_classes ? input.n_classes : 1, logs.get()};
  GrownTree tree = MultiwayGrower<Entry>(input, criterion, context, team).grow(std::move(row_set));
  into_canonical_order(tree, static_cast<int>(input.columns.size()));
  return tree;
}

}  // namespace

GrownTree grow_multiway(const GrowInput& input, const CriterionEntry& criterion, bool narrow,
                        ThreadTeam& team) {
  return narrow ? grow_multiway_with<uint32_t>(input, criterion, team)
                : grow_multiway_with<uint64_t>(input, criterion, team);
}

}  // namespace hedgerow

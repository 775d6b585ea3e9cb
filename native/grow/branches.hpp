// Splits of any number of branches, and rows that go down several of them.
//
// In the other grower (grower.hpp) a split parts the lists where they lie, since every row goes one way. Here
// a split may have a branch for each level, and with fractional instances a row whose tested cell is missing
// goes down all branches, its weight shared out. So each child gets lists of its own, written in one pass
// over the parent's:
//
//    parent  [a b c d e]   branch of each row  a:0 b:2 c:all d:0 e:2   ->   0: [a c d]   2: [b c e]
//
// The scans, the measures and the criteria are the same.
#pragma once

#include <memory>
#include <numeric>
#include <vector>

#include "common/random.hpp"
#include "grow/growing.hpp"
#include "grow/node.hpp"

namespace hedgerow {

inline constexpr int32_t kAllBranches = -1;
inline constexpr int32_t kStop = 2;  // of a two-way test: the branch of the rows that stop

// One split, worked out for its column: which branch each row takes.
struct Branches {
  Candidate split;
  bool multiway = false;
  int64_t n_branches = 2;
  std::vector<int32_t> branch;  // by row of the row_set
};

// The children's row_sets; a branch without rows has none.
template <class Entry>
std::vector<std::unique_ptr<RowSet<Entry>>> branch_row_sets(const RowSet<Entry>& from,
                                                            const Branches& branches,
                                                            const std::vector<int32_t>& columns,
                                                            const std::vector<double>& share,
                                                            ThreadTeam& team) {
  const int64_t n_branches = branches.n_branches;
  std::vector<int64_t> known(n_branches, 0);
  std::vector<uint32_t> place(from.n);
  uint32_t spread = 0;
  for (int64_t row = 0; row < from.n; ++row) {
    const int32_t b = branches.branch[row];
    place[row] = b == kAllBranches ? spread++ : static_cast<uint32_t>(known[b]++);
  }
  std::vector<std::unique_ptr<RowSet<Entry>>> children(n_branches);
  std::vector<int32_t> open;  // branches with rows
  const bool weighted = from.weight || spread > 0;
  for (int64_t b = 0; b < n_branches; ++b) {
    if (known[b] == 0) continue;
    open.push_back(static_cast<int32_t>(b));
    children[b] = std::make_unique<RowSet<Entry>>();
    auto& to = *children[b];
    to.n = known[b] + spread;
    to.row_bits = bits_for(to.n);
    to.label_bits = from.label_bits;
    to.lists.resize(from.lists.size());
    to.original.resize(to.n);
    if (from.target) to.target_copy.resize(to.n);
    if (weighted) to.weight_copy.resize(to.n);
  }
  auto put_row = [&](int64_t row, int32_t b, uint32_t at, double part) {
    auto& to = *children[b];
    to.original[at] = from.source(static_cast<uint32_t>(row));
    if (from.target) to.target_copy[at] = from.target[row];
    if (weighted) to.weight_copy[at] = (from.weight ? from.weight[row] : 1.0) * part;
  };
  for (int64_t row = 0; row < from.n; ++row) {
    if (branches.branch[row] != kAllBranches)
      put_row(row, branches.branch[row], place[row], 1.0);
    else
      for (const int32_t b : open) put_row(row, b, static_cast<uint32_t>(known[b]) + place[row], share[b]);
  }
  auto put_column = [&](int32_t j) {
    std::vector<int64_t> filled(n_branches, 0), group_of(n_branches, -1);
    for (const int32_t b : open) children[b]->lists[j].resize(children[b]->n);
    int64_t group = 0;  // rises at each boundary of the parent's list; a child's boundary is a change of it
    auto put = [&](Entry e, int32_t b, uint32_t at) {
      auto& to = *children[b];
      Entry word = (e & RowSet<Entry>::kMissing) | static_cast<Entry>(from.label(e)) << to.row_bits | at;
      if (group != group_of[b]) word |= RowSet<Entry>::kBoundary;
      group_of[b] = group;
      to.lists[j][filled[b]++] = word;
    };
    for (const Entry e : from.lists[j]) {
      group += (e & RowSet<Entry>::kBoundary) != 0;
      const uint32_t row = from.row(e);
      if (branches.branch[row] != kAllBranches)
        put(e, branches.branch[row], place[row]);
      else
        for (const int32_t b : open) put(e, b, static_cast<uint32_t>(known[b]) + place[row]);
    }
  };
  const auto d = static_cast<int64_t>(columns.size());
  if (team.size() > 1 && from.n * d > kWorthSharing)
    team.run(d, [&](int64_t c, int) { put_column(columns[c]); });
  else
    for (const int32_t j : columns) put_column(j);
  for (const int32_t b : open) {
    auto& to = *children[b];
    to.target = from.target ? to.target_copy.data() : nullptr;
    to.weight = weighted ? to.weight_copy.data() : nullptr;
  }
  return children;
}

}  // namespace hedgerow

// What the two growers (grower.hpp, multiway_grower.hpp) have in common.
#pragma once

#include <algorithm>
#include <limits>

#include "common/random.hpp"
#include "grow/row_set.hpp"

namespace hedgerow {

// Cells of a node above which its columns are shared between threads.
inline constexpr int64_t kWorthSharing = 100000;

// No boundary, and missing cells in none or in all rows: such a column stays constant below.
template <class Entry>
bool is_constant(const Entry* list, int64_t n) {
  if ((list[0] ^ list[n - 1]) & RowSet<Entry>::kMissing) return false;
  return std::none_of(list + 1, list + n, [](Entry e) { return e & RowSet<Entry>::kBoundary; });
}

// The columns in a random order of their own for each node.
inline void shuffle(std::vector<int32_t>& columns, uint64_t key) {
  Random random(key);
  const auto n = static_cast<uint32_t>(columns.size());
  for (uint32_t i = 0; i + 1 < n; ++i) std::swap(columns[i], columns[i + random.below(n - i)]);
}

inline void resize_trace(GrownTree& tree, size_t size, bool with_ratio) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  tree.trace_gain.resize(size, none);
  if (with_ratio) tree.trace_ratio.resize(size, none);
  tree.trace_low.resize(size, 0);
  tree.trace_high.resize(size, 0);
}

}  // namespace hedgerow

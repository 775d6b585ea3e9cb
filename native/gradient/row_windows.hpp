// Rows sorted by leaf, a window of the table at a time.
//
// A leaf's rows rise but lie far apart: one leaf after the other, each would fetch a line of its own from
// memory. The rows of one window of the table, of whatever leaf, share theirs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/thread_team.hpp"

namespace hedgerow::gradient {

struct LeafRows {  // in `rows`, where they rise
  int64_t begin = 0, end = 0;
};

// How many rows of the table a window has: more than a few of each leaf.
inline int64_t window_rows(size_t leaves) {
  return std::max<int64_t>(1 << 14, 16 * static_cast<int64_t>(leaves));
}
inline int64_t n_windows(size_t leaves, int64_t n_rows) {
  return (n_rows + window_rows(leaves) - 1) / window_rows(leaves);
}

// visit(window, leaf, begin, end): the rows of a leaf that lie in a window, where there are any.
template <class Visit>
void over_windows(const std::vector<LeafRows>& leaves, const uint32_t* rows, int64_t n_rows, ThreadTeam& team,
                  Visit visit) {
  const int64_t width = window_rows(leaves.size());
  team.run(n_windows(leaves.size(), n_rows), [&](int64_t window, int) {
    auto first_from = [&](const LeafRows& leaf, int64_t row) {
      return std::partition_point(rows + leaf.begin, rows + leaf.end, [&](uint32_t r) { return r < row; }) -
             rows;
    };
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const int64_t begin = first_from(leaves[leaf], window * width);
      const int64_t end = first_from(leaves[leaf], (window + 1) * width);
      if (begin < end) visit(window, leaf, begin, end);
    }
  });
}

}  // namespace hedgerow::gradient

// The best trees of one and of two levels.   In: a subset.   Out: the best with 0, 1, 2 and 3 splits.
//
// Every tree of two levels is a root and, on each side, a leaf or a second question; its leaves' sums follow
// from the sums of single questions and of pairs:
//
//     yes yes  p_ij      yes no  s_i - p_ij      no yes  s_j - p_ij      no no  t - s_i - s_j + p_ij
//
// Of equal trees the one whose root, then whose second question comes first.
#pragma once

#include <functional>

#include "optimal/subset.hpp"

namespace hedgerow::optimal {

struct Shallow {
  double cost[4] = {kInfinite, kInfinite, kInfinite,
                    kInfinite};  // with exactly so many splits, price included
  Tree tree[4];
  bool complete = true;  // false: stopped

  // The best with at most so many splits; of equal ones that with the fewest.
  int best(int64_t splits) const {
    int at = 0;
    for (int t = 1; t <= 3 && t <= splits; ++t)
      if (cost[t] < cost[at]) at = t;
    return at;
  }
};

// `stopped` is asked now and then; depth is 1 or 2.
template <class Reward>
Shallow solve_shallow(const Points& points, const Subset& subset, int depth,
                      const std::function<bool()>& stopped);

}  // namespace hedgerow::optimal

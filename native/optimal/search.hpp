// Branch and bound over sets of points.   In: a problem.   Out: the best tree, and a proof of how good it is.
//
//     best(D, depth, splits) = min( leaf(D),  min over questions q and budgets l + r = splits - 1:
//                                               best(D yes, depth - 1, l) + best(D no, depth - 1, r) )
//
// A set is asked for a tree below a bound; it answers with the best, or with a lower bound that is no
// smaller. Sets of two levels are solved at once (depth_two.hpp); sets met before are looked up (cache.hpp);
// a set that differs by few points from one that was solved is bounded by what these points can cost.
// Questions are tried in an order that the set alone decides, and only a smaller cost replaces a tree: so the
// tree found is the same for any bound, any contents of the cache and any number of threads, which share the
// questions of the root.
#pragma once

#include "common/thread_team.hpp"
#include "optimal/problem.hpp"

namespace hedgerow::optimal {

struct Found {
  Solution solution;
  int64_t n_sets = 0;  // solved, not looked up
  bool interrupted = false;
};

Found find_best_tree(const Problem& problem, ThreadTeam& team);

}  // namespace hedgerow::optimal

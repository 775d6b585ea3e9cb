#include "optimal/search.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "optimal/cache.hpp"
#include "optimal/depth_two.hpp"
#include "optimal/reward.hpp"

namespace hedgerow::optimal {
namespace {

int64_t most_splits(int depth) { return depth >= 62 ? INT64_MAX : (int64_t{1} << depth) - 1; }

// A question of a set, with both its parts.
struct Branch {
  int at;  // place of the question in the subset
  Totals yes, no;
  double promise;
};

// A part that was solved, for bounds on others like it.
struct Solved {
  int at;
  bool yes;
  int64_t splits;
  double lower;
};

template <class Reward>
class Search {
 public:
  Search(const Problem& problem, ThreadTeam& team)
      : problem_(problem), team_(team), points_(problem), reward_(problem), start_(Clock::now()) {}

  Found run() {
    Found found;
    const Subset root = points_.all();
    const int64_t splits = std::min(problem_.max_splits, most_splits(problem_.max_depth));
    const int depth = static_cast<int>(std::min<int64_t>(problem_.max_depth, splits));
    if (depth <= 2 || leaf_is_best(root.totals))
      found.solution = solve(root, depth, splits, kInfinite);
    else
      found.solution = solve_root(root, depth, splits);
    found.n_sets = n_sets_;
    found.interrupted = interrupted_;
    return found;
  }

 private:
  using Clock = std::chrono::steady_clock;

  double leaf_cost(const Totals& t) const {
    return static_cast<double>(t.base) - reward_(t.sums.data()) + problem_.price;
  }
  bool leaf_is_best(const Totals& t) const { return leaf_cost(t) <= 2 * problem_.price; }

  bool stopped() {
    if (stopped_.load(std::memory_order_relaxed)) return true;
    try {
      team_.stop().check();
    } catch (const Stopped&) {
      interrupted_ = true;
      stopped_ = true;
      return true;
    }
    if (std::chrono::duration<double>(Clock::now() - start_).count() > deadline_) stopped_ = true;
    return stopped_;
  }

  // ------------------------------------------------------------------------------------------ a set of
  // points

  // The best tree below `bound` of a part, which is packed only where nothing else answers.
  Solution solve_part(const Subset& whole, int at, bool yes, const Totals& totals, int depth, int64_t splits,
                      double bound) {
    splits = std::min(splits, most_splits(depth));
    depth = static_cast<int>(std::min<int64_t>(depth, splits));
    const double leaf = leaf_cost(totals);
    if (depth == 0 || leaf_is_best(totals)) return {leaf, leaf < bound ? leaf : kInfinite, {}};
    Solution known = cache_.look_up(totals.key, depth, splits);
    if (known.cost < kInfinite) {
      if (known.cost >= bound) known.cost = kInfinite;
      return known;
    }
    known.lower = std::max(known.lower, std::min(leaf, 2 * problem_.price));
    if (known.lower >= bound) return known;
    if (stopped()) return {known.lower, leaf < bound ? leaf : kInfinite, {}};
    return solve(points_.part(whole, at, yes, totals), depth, splits, bound);
  }

  Solution solve(const Subset& set, int depth, int64_t splits, double bound) {
    ++n_sets_;
    Solution found = depth <= 2 ? solve_small(set, depth, splits) : solve_large(set, depth, splits, bound);
    if (depth > 2 && !stopped_) cache_.keep(set.totals.key, depth, splits, found);
    if (found.cost >= bound) found.cost = kInfinite;
    return found;
  }

  Solution solve_small(const Subset& set, int depth, int64_t splits) {
    const Shallow trees = solve_shallow<Reward>(points_, set, depth, [this] { return stopped(); });
    if (!trees.complete) return {std::min(trees.cost[0], 2 * problem_.price), trees.cost[0], {}};
    const auto best_of = [&](int64_t most) {
      const int t = trees.best(most);
      return Solution{trees.cost[t], trees.cost[t], trees.tree[t]};
    };
    const Solution best = best_of(splits);
    cache_.keep(set.totals.key, depth, splits, best);
    // A budget of leaves asks for fewer splits too.
    for (int64_t fewer = splits - 1; fewer > 0 && splits_of(best.tree) > fewer && has_budget(); --fewer)
      cache_.keep(set.totals.key, depth, fewer, best_of(fewer));
    return best;
  }

  bool has_budget() const { return problem_.max_splits < most_splits(problem_.max_depth); }

  Solution solve_large(const Subset& set, int depth, int64_t splits, double bound) {
    const double leaf = leaf_cost(set.totals);
    Solution best{leaf, std::min(bound, leaf), {}};
    bool any = leaf < bound;
    std::vector<Solved> solved;
    for (const Branch& branch : order(set)) {
      if (stopped()) {
        best.lower = std::min(best.lower, lower_of_branch(set, branch, depth, splits, solved));
        continue;
      }
      const Solution with = try_branch(set, branch, depth, splits, best.cost, solved);
      best.lower = std::min(best.lower, with.lower);
      if (with.cost < best.cost) best.cost = with.cost, best.tree = with.tree, any = true;
    }
    if (!any) best.cost = kInfinite;
    best.lower = std::min(best.lower, best.cost);
    return best;
  }

  // ------------------------------------------------------------------------------------------ its questions

  // Both parts of each question; of questions with the same parts the first. The most promising first.
  std::vector<Branch> order(const Subset& set) {
    std::vector<Branch> all;
    std::vector<std::pair<uint64_t, uint64_t>> seen;
    for (int i = 0; i < set.size(); ++i) {
      Totals yes = points_.totals_of_yes(set, i), no = set.totals.minus(yes);
      const bool flip = no.key.first < yes.key.first;
      seen.emplace_back(flip ? no.key.first : yes.key.first, flip ? no.key.second : yes.key.second);
      const double promised = promise(problem_, yes.sums, yes.n) + promise(problem_, no.sums, no.n);
      all.push_back({i, std::move(yes), std::move(no), promised});
    }
    std::vector<int> by_key(all.size());
    for (size_t k = 0; k < all.size(); ++k) by_key[k] = static_cast<int>(k);
    std::stable_sort(by_key.begin(), by_key.end(), [&](int a, int b) { return seen[a] < seen[b]; });
    std::vector<Branch> kept;
    for (size_t k = 0; k < by_key.size(); ++k)
      if (k == 0 || seen[by_key[k]] != seen[by_key[k - 1]]) kept.push_back(std::move(all[by_key[k]]));
    std::sort(kept.begin(), kept.end(), [](const Branch& a, const Branch& b) {
      return a.promise != b.promise ? a.promise > b.promise : a.at < b.at;
    });
    return kept;
  }

  // The best tree below `bound` with this question at its root, over all ways to share the splits out.
  Solution try_branch(const Subset& set, const Branch& branch, int depth, int64_t splits, double bound,
                      std::vector<Solved>& solved) {
    const int64_t each = most_splits(depth - 1), rest = splits - 1;
    Solution best{kInfinite, kInfinite, {}};
    for (int64_t yes = std::max<int64_t>(0, rest - each); yes <= std::min(each, rest); ++yes) {
      const Solution one =
          try_budgets(set, branch, depth, yes, rest - yes, std::min(bound, best.cost), solved);
      best.lower = std::min(best.lower, one.lower);
      if (one.cost < best.cost) best.cost = one.cost, best.tree = one.tree;
    }
    best.lower = std::min(best.lower, best.cost);
    return best;
  }

  Solution try_budgets(const Subset& set, const Branch& b, int depth, int64_t splits_yes, int64_t splits_no,
                       double bound, std::vector<Solved>& solved) {
    // The part that costs more as a leaf is solved first: it is more likely to end the matter.
    const bool yes_first = leaf_cost(b.yes) >= leaf_cost(b.no);
    const Totals &one = yes_first ? b.yes : b.no, &two = yes_first ? b.no : b.yes;
    const int64_t splits_one = yes_first ? splits_yes : splits_no,
                  splits_two = yes_first ? splits_no : splits_yes;
    double lower_one = lower_of(set, b.at, yes_first, one, depth - 1, splits_one, solved);
    const double lower_two = lower_of(set, b.at, !yes_first, two, depth - 1, splits_two, solved);
    if (lower_one + lower_two >= bound) return {lower_one + lower_two, kInfinite, {}};
    const Solution first = solve_part(set, b.at, yes_first, one, depth - 1, splits_one, bound - lower_two);
    lower_one = std::max(lower_one, first.lower);
    keep(solved, b.at, yes_first, splits_one, first.lower);
    if (first.cost == kInfinite) return {lower_one + lower_two, kInfinite, {}};
    const Solution second = solve_part(set, b.at, !yes_first, two, depth - 1, splits_two, bound - first.cost);
    keep(solved, b.at, !yes_first, splits_two, second.lower);
    Solution both{lower_one + std::max(lower_two, second.lower), first.cost + second.cost, {}};
    if (both.cost < kInfinite)
      both.tree = join(set.questions[b.at], yes_first ? first.tree : second.tree,
                       yes_first ? second.tree : first.tree);
    return both;
  }

  // ------------------------------------------------------------------------------------------ lower bounds

  double lower_of(const Subset& set, int at, bool yes, const Totals& totals, int depth, int64_t splits,
                  const std::vector<Solved>& solved) {
    splits = std::min(splits, most_splits(depth));
    const double leaf = leaf_cost(totals);
    if (splits == 0) return leaf;
    double lower = std::min(leaf, 2 * problem_.price);
    lower = std::max(
        lower, cache_.look_up(totals.key, static_cast<int>(std::min<int64_t>(depth, splits)), splits).lower);
    const double slack = problem_.of_classes ? 0.0 : static_cast<double>(splits) + 2;
    if (problem_.n_limits > 0) return lower;  // the same tree may be forbidden on other points
    for (const Solved& other : solved) {
      if (other.splits < splits || other.lower - slack <= lower) continue;
      const double enough = other.lower - slack - lower;
      const double apart = points_.farthest_between(set, other.at, other.yes, at, yes, enough);
      lower = std::max(lower, other.lower - slack - apart);
    }
    return lower;
  }

  // Of all trees that ask this question first.
  double lower_of_branch(const Subset& set, const Branch& branch, int depth, int64_t splits,
                         const std::vector<Solved>& solved) {
    return lower_of(set, branch.at, true, branch.yes, depth - 1, splits - 1, solved) +
           lower_of(set, branch.at, false, branch.no, depth - 1, splits - 1, solved);
  }

  void keep(std::vector<Solved>& solved, int at, bool yes, int64_t splits, double lower) {
    if (lower > 2 * problem_.price) solved.push_back({at, yes, splits, lower});
  }

  // ------------------------------------------------------------------------------------------ the root

  // A tree to begin with: the best of the few most promising questions, down to two levels that are solved.
  Solution greedy(const Subset& set, int depth, int64_t splits) {
    const double leaf = leaf_cost(set.totals);
    if (leaf_is_best(set.totals) || depth == 0 || splits == 0 || set.size() == 0) return {0.0, leaf, {}};
    splits = std::min(splits, most_splits(depth));
    depth = static_cast<int>(std::min<int64_t>(depth, splits));
    if (depth <= 2) return solve_small(set, depth, splits);
    Solution best{0.0, leaf, {}};
    const std::vector<Branch> branches = order(set);
    const int64_t half = std::min(most_splits(depth - 1), (splits - 1) / 2);
    for (size_t k = 0; k < branches.size() && k < kPromising && !stopped(); ++k) {
      const Branch& b = branches[k];
      const Solution yes = greedy(points_.part(set, b.at, true, b.yes), depth - 1, splits - 1 - half);
      const Solution no = greedy(points_.part(set, b.at, false, b.no), depth - 1, half);
      if (yes.cost + no.cost >= best.cost) continue;
      best.cost = yes.cost + no.cost;
      best.tree = join(set.questions[b.at], yes.tree, no.tree);
    }
    return best;
  }

  // What the passes over the questions of the root have found so far.
  struct Progress {
    std::vector<Branch> branches;
    std::vector<double> lower;  // of the trees that ask this question first
    std::vector<Solved> solved;
    Solution best;
    int64_t best_at;  // whose tree it is; -1: the leaf
    std::mutex mutex;
  };

  // First straight for the best tree. Where that takes long, no tree below a small part of the cost at hand,
  // then a larger part, and so on up to all of it: each is proved faster than the next, so that a search
  // which is stopped has a lower bound. What a pass learns stays in the cache.
  Solution solve_root(const Subset& root, int depth, int64_t splits) {
    Progress progress;
    progress.branches = order(root);
    progress.lower.assign(progress.branches.size(), 2 * problem_.price);
    progress.best = greedy(root, depth, splits);
    progress.best_at = progress.best.tree ? static_cast<int64_t>(progress.branches.size()) : -1;
    deadline_ = std::min(kStraight, problem_.seconds / 2);
    ask_all(root, depth, splits, kInfinite, progress);
    if (stopped_ && !interrupted_) raise_lower(root, depth, splits, progress);
    Solution best = progress.best;
    best.lower = std::min(best.cost, leaf_cost(root.totals));
    for (size_t k = 0; k < progress.branches.size(); ++k) {
      const double open = lower_of_branch(root, progress.branches[k], depth, splits, progress.solved);
      best.lower = std::min(best.lower, std::max(progress.lower[k], open));
    }
    return best;
  }

  void raise_lower(const Subset& root, int depth, int64_t splits, Progress& progress) {
    const double least = 2 * problem_.price, most = progress.best.cost;
    deadline_ = problem_.seconds;
    stopped_ = false;
    for (double part = 1.0 / 32; part < 0.9 && !stopped(); part *= 1.5)
      ask_all(root, depth, splits, least + part * (most - least), progress);
    if (!stopped()) ask_all(root, depth, splits, kInfinite, progress);
  }

  // Every question is asked for a tree below `bound`. Threads share the questions. Of equal trees that of
  // the earliest question: so an earlier one may equal the best so far, a later one must beat it.
  void ask_all(const Subset& root, int depth, int64_t splits, double bound, Progress& progress) {
    const auto work = [&](int64_t k, int) {
      if (stopped()) return;
      double below;
      std::vector<Solved> own;
      {
        std::lock_guard lock(progress.mutex);
        below = std::min(bound, progress.best_at < k ? progress.best.cost : progress.best.cost + 1.0);
        if (progress.lower[k] >= below) return;
        own = progress.solved;
      }
      const size_t before = own.size();
      const Solution with = try_branch(root, progress.branches[k], depth, splits, below, own);
      std::lock_guard lock(progress.mutex);
      progress.lower[k] = std::max(progress.lower[k], with.lower);
      progress.solved.insert(progress.solved.end(), own.begin() + before, own.end());
      Solution& best = progress.best;
      if (with.cost < best.cost || (with.cost == best.cost && k < progress.best_at)) {
        best.cost = with.cost;
        best.tree = with.tree;
        progress.best_at = k;
      }
    };
    try {
      team_.run(static_cast<int64_t>(progress.branches.size()), work);
    } catch (const Stopped&) {
      interrupted_ = true;
      stopped_ = true;
    }
  }

  static constexpr double kStraight = 15.0;  // seconds; most searches that end at all have ended by then
  static constexpr size_t kPromising = 3;

  const Problem& problem_;
  ThreadTeam& team_;
  const Points points_;
  const Reward reward_;
  const Clock::time_point start_;
  double deadline_ = problem_.seconds;  // of the pass, in seconds from the start
  Cache cache_;
  std::atomic<int64_t> n_sets_{0};
  std::atomic<bool> stopped_{false}, interrupted_{false};
};

}  // namespace

Found find_best_tree(const Problem& problem, ThreadTeam& team) {
  if (!problem.of_classes) return Search<Numbers>(problem, team).run();
  if (problem.n_channels == 1) return Search<TwoClasses>(problem, team).run();
  return Search<ManyClasses>(problem, team).run();
}

}  // namespace hedgerow::optimal

// The best subset of levels of one category column in one node.
//
// A category's list is sorted by code, so its levels stand in groups; one pass sums each group up, and what
// follows costs the number of levels present, whatever the number of levels there are.
//
// Two classes and squared error (and Poisson): the best of all subsets is a prefix of the levels ordered by
// mean. More classes: all subsets when at most ten levels are present; else the best prefix among several
// orders: by the share of each class in turn (of more than kMostOrders classes those with most weight in the
// node), and by the first principal component of the class shares. A heuristic, and tested as one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/random.hpp"
#include "grow/scan.hpp"

namespace hedgerow {

inline constexpr int kExhaustiveLevels = 10;
inline constexpr int kMostOrders = 32;

// The kMostOrders moments with the largest sums, in their order: all, if there are no more.
void find_orders(const Groups& groups, int n_moments, std::vector<int32_t>& found);

// First principal component of the class shares, groups weighted by their weight: a few power iterations.
void principal_order(const Groups& groups, int n_moments, std::vector<double>& key);

template <Criterion Rule, class Entry>
class SubsetScan {
 public:
  SubsetScan(const Scan<Rule, Entry>& scan, const MomentContext& context) : scan_(scan), context_(context) {}

  void gather(const Entry* list, int64_t last, const NodeStats& node, Groups& groups) const {
    groups.clear();
    const int m = context_.n_moments;
    for (int64_t i = 0; i < last; ++i) {
      if (i == 0 || (list[i] & RowSet<Entry>::kBoundary)) {
        groups.begin.push_back(i);
        groups.weight.push_back(0.0);
        groups.moments.resize(groups.moments.size() + m, 0.0);
        ++groups.size;
      }
      scan_.add(list[i], node, &groups.moments[(groups.size - 1) * m], groups.weight.back());
    }
    groups.begin.push_back(last);
    for (int64_t g = 0; g < groups.size; ++g)
      groups.rows.push_back(scan_.rows_before(groups.begin[g + 1]) - scan_.rows_before(groups.begin[g]));
  }

  Candidate best(const Entry* list, const NodeStats& node, const Guard& guard, ScanScratch& s,
                 SubsetScratch& t) const {
    const int64_t n = node.rows(), last = scan_.present(list, n);
    gather(list, last, node, t.groups);
    Search search = begin(node, guard, last, t);
    const int m = context_.n_moments;
    const bool ordered_is_exact = !Rule::kOfClasses || m == 2;
    s.right.resize(m);
    if (!ordered_is_exact && t.groups.size <= kExhaustiveLevels) {
      try_all(node, s, t, search);
    } else {
      bool tried_absent = false;  // all classes that the node lacks give one order: of 700 classes most
      t.key.resize(t.groups.size);
      find_orders(t.groups, m, t.orders);
      for (const int32_t k : t.orders) {
        if (m == 2 && k == 0) continue;
        bool is_absent = Rule::kOfClasses;
        for (int64_t g = 0; g < t.groups.size; ++g) {
          const double moment = t.groups.moments[g * m + k];
          t.key[g] = moment / t.groups.weight[g];
          is_absent = is_absent && moment == 0.0;
        }
        if (is_absent && tried_absent) continue;
        tried_absent = tried_absent || is_absent;
        try_order(node, s, t, search);
      }
      if (!ordered_is_exact) {
        principal_order(t.groups, m, t.key);
        try_order(node, s, t, search);
      }
    }
    return search.best;
  }

  Candidate random(const Entry* list, const NodeStats& node, const Guard& guard, Random& random,
                   ScanScratch& s, SubsetScratch& t) const {
    const int64_t last = scan_.present(list, node.rows());
    gather(list, last, node, t.groups);
    Search search = begin(node, guard, last, t);
    if (!draw_subset(random, t)) return search.best;
    s.right.resize(context_.n_moments);
    const std::vector<uint8_t> drawn = t.goes_left;
    try_subset(drawn, node, s, t, search);
    return search.best;
  }

 private:
  struct Search {
    Candidate best;
    std::vector<double> missing;
    double missing_weight = 0;
    int64_t missing_rows = 0;
    Guard guard;
  };

  Search begin(const NodeStats& node, const Guard& guard, int64_t last, SubsetScratch& t) const {
    Search search;
    search.guard = guard;
    const int m = context_.n_moments;
    search.missing_rows = scan_.rows(node) - scan_.rows_before(last);
    search.missing.assign(m, 0.0);
    if (search.missing_rows) {
      search.missing_weight = node.weight;
      for (int64_t g = 0; g < t.groups.size; ++g) {
        search.missing_weight -= t.groups.weight[g];
        for (int k = 0; k < m; ++k) search.missing[k] += t.groups.moments[g * m + k];
      }
      for (int k = 0; k < m; ++k) search.missing[k] = scan_.remainder(node, k, search.missing[k]);
    }
    t.goes_left.assign(t.groups.size, 0);
    return search;
  }

  // Offers "these moments go left", with the missing rows on the right and on the left. True if it is the
  // best so far.
  bool offer(const std::vector<double>& left, double weight, int64_t rows, const NodeStats& node,
             ScanScratch& s, SubsetScratch&, Search& search) const {
    bool better = take(left, weight, rows, false, node, s, search);
    if (search.missing_rows && rows + search.missing_rows < scan_.rows(node)) {
      std::vector<double> with(left);
      for (size_t k = 0; k < with.size(); ++k) with[k] += search.missing[k];
      better |= take(with, weight + search.missing_weight, rows + search.missing_rows, true, node, s, search);
    }
    return better;
  }

  bool take(const std::vector<double>& left, double weight, int64_t rows, bool missing_left,
            const NodeStats& node, ScanScratch& s, Search& search) const {
    if (rows <= 0 || rows >= scan_.rows(node) || !scan_.enough(rows, weight, node)) return false;
    const double gain = scan_.gain(left.data(), weight, node, s.right.data());
    if (!(gain > search.best.gain + (search.best.found() ? node.tie() : 0.0))) return false;
    if (search.guard.active() &&
        !search.guard.allows(scan_.value(left.data(), weight, node),
                             scan_.value(s.right.data(), node.weight - weight, node)))
      return false;
    search.best.gain = gain;
    search.best.column = 0;
    search.best.missing_left = missing_left;
    return true;
  }

  void try_order(const NodeStats& node, ScanScratch& s, SubsetScratch& t, Search& search) const {
    const Groups& groups = t.groups;
    const int m = context_.n_moments;
    scan_.stop().check();
    t.sort_by_key();
    t.left.assign(m, 0.0);
    double weight = 0;
    int64_t rows = 0, best_prefix = -1;
    for (int64_t p = 0; p < groups.size; ++p) {
      const int32_t g = t.order[p];
      for (int k = 0; k < m; ++k) t.left[k] += groups.moments[int64_t{g} * m + k];
      weight += groups.weight[g];
      rows += groups.rows[g];
      if (offer(t.left, weight, rows, node, s, t, search)) best_prefix = p;
    }
    if (best_prefix < 0) return;
    std::fill(t.goes_left.begin(), t.goes_left.end(), 0);
    for (int64_t p = 0; p <= best_prefix; ++p) t.goes_left[t.order[p]] = 1;
  }

  void try_all(const NodeStats& node, ScanScratch& s, SubsetScratch& t, Search& search) const {
    const auto size = static_cast<int>(t.groups.size);
    if (size == 0) return;
    std::vector<uint8_t> left(size);
    // The last group is on the right: a subset and its complement are the same split. (With missing cells,
    // the subset of all groups is one more: all present against missing.)
    const uint32_t end = search.missing_rows ? (1u << size) : (1u << (size - 1));
    for (uint32_t subset = 1; subset < end; ++subset) {
      for (int g = 0; g < size; ++g) left[g] = subset >> g & 1;
      try_subset(left, node, s, t, search);
    }
  }

  void try_subset(const std::vector<uint8_t>& goes_left, const NodeStats& node, ScanScratch& s,
                  SubsetScratch& t, Search& search) const {
    const int m = context_.n_moments;
    t.left.assign(m, 0.0);
    double weight = 0;
    int64_t rows = 0;
    for (int64_t g = 0; g < t.groups.size; ++g) {
      if (!goes_left[g]) continue;
      for (int k = 0; k < m; ++k) t.left[k] += t.groups.moments[g * m + k];
      weight += t.groups.weight[g];
      rows += t.groups.rows[g];
    }
    if (offer(t.left, weight, rows, node, s, t, search)) t.goes_left = goes_left;
  }

  const Scan<Rule, Entry>& scan_;
  const MomentContext& context_;
};

}  // namespace hedgerow

// The best threshold of one number column in one node: a pass over its list.
//
//   list      [a a b | c c | d ...| missing]     a threshold may stand at each boundary
//   left sums  grow as the pass goes; right sums are the node's minus the left
//
// Missing cells are tried on both sides: first on the right, then, in a second pass that starts with their sums, on
// the left; and, between the two, all of them against all others.
#pragma once

#include <algorithm>
#include <array>

#include "node.hpp"
#include "patch.hpp"
#include "score.hpp"

namespace hedgerow {

inline constexpr int64_t kBlock = 1024;

struct ScanScratch {
  std::array<double, kBlock> sum, weight, score;
  std::array<int32_t, kBlock> position;
  std::vector<double> left, right;  // moments
};

// Sums of a run of entries: one number (two classes: weight of the second; regression: centred target).
struct RunningPair {
  double sum = 0, weight = 0;
};

template <class Rule, class Entry>
class Scan {
 public:
  Scan(const Patch<Entry>& patch, const Limits& limits, const MomentContext& context)
      : patch_(patch), limits_(limits), context_(context) {}

  // Entries of the part that are not missing: they stand first.
  int64_t present(const Entry* list, int64_t n) const {
    if (!(list[n - 1] & Patch<Entry>::kMissing)) return n;
    const Entry* end = std::partition_point(list, list + n, [](Entry e) { return !(e & Patch<Entry>::kMissing); });
    return end - list;
  }

  static bool constant(const Entry* list, int64_t present, int64_t n) {
    if (present < n && present > 0) return false;  // missing against the rest is a split
    for (int64_t i = 1; i < present; ++i)
      if (list[i] & Patch<Entry>::kBoundary) return false;
    return true;
  }

  Candidate best(const Entry* list, const Standing& node, const Guard& guard, ScanScratch& scratch) const {
    const int64_t n = node.rows(), last = present(list, n);
    if (is_pair() && !guard.active())
      return patch_.weight ? best_pair<false>(list, last, node, scratch) : best_pair<true>(list, last, node, scratch);
    return patch_.weight ? best_sums<false>(list, last, node, guard, scratch)
                         : best_sums<true>(list, last, node, guard, scratch);
  }

  // Adds an entry to a vector of moments.
  void add(Entry e, const Standing& node, double* moments, double& weight) const {
    const uint32_t row = patch_.row(e);
    const double w = patch_.weight ? patch_.weight[row] : 1.0;
    weight += w;
    if constexpr (Rule::of_classes)
      moments[patch_.label(e)] += w;
    else
      moments[0] += w * (patch_.target[row] - node.centre);
  }

  double gain(const double* left, double left_weight, const Standing& node, double* right) const {
    for (int k = 0; k < context_.n_moments; ++k) right[k] = total(node, k) - left[k];
    return Rule::merit(left, left_weight, context_) + Rule::merit(right, node.weight - left_weight, context_) -
           node.merit;
  }

  // The value a child would publish, for monotone columns: share of the second class, or mean.
  double value(const double* moments, double weight, const Standing& node) const {
    if constexpr (Rule::of_classes)
      return moments[1] / weight;
    else
      return moments[0] / weight + node.centre;
  }

  bool enough(int64_t left_rows, double left_weight, const Standing& node) const {
    return left_rows >= limits_.min_rows_leaf && node.rows() - left_rows >= limits_.min_rows_leaf &&
           left_weight >= limits_.min_weight_leaf && node.weight - left_weight >= limits_.min_weight_leaf;
  }

  double total(const Standing& node, int k) const {
    if constexpr (Rule::of_classes)
      return node.moments[k];
    else
      return Rule::centred ? 0.0 : node.moments[k] * node.weight;
  }

 private:
  bool is_pair() const {
    if constexpr (std::string_view(Rule::name) == "gini")
      return context_.n_moments == 2;
    else
      return std::string_view(Rule::name) == "squared_error";
  }

  template <bool Unit>
  void add_pair(Entry e, double centre, RunningPair& run) const {
    if constexpr (Unit && Rule::of_classes) {
      run.sum += static_cast<double>(patch_.label(e));
      run.weight += 1.0;
    } else {
      const uint32_t row = patch_.row(e);
      const double w = Unit ? 1.0 : patch_.weight[row];
      const double x = Rule::of_classes ? static_cast<double>(patch_.label(e)) : patch_.target[row] - centre;
      run.sum += w * x;
      run.weight += w;
    }
  }

  template <bool Unit>
  Candidate best_pair(const Entry* list, int64_t last, const Standing& node, ScanScratch& s) const {
    const int64_t n = node.rows();
    RunningPair missing;
    for (int64_t i = last; i < n; ++i) add_pair<Unit>(list[i], node.centre, missing);
    PairSearch search{Rule::of_classes ? node.moments[1] : 0.0, node.weight,
                      (Rule::of_classes ? 2.0 : 1.0) / node.weight, {}, -1.0, 0.0};
    search.tie = node.tie() / search.factor;
    const RunningPair present = pass_pair<Unit>(list, last, RunningPair{}, 0, node, s, search, false);
    if (last < n && last > 0) {
      if (enough(last, present.weight, node)) {
        double score;
        score_thresholds(&present.sum, &present.weight, 1, search.total_sum, search.total_weight, &score);
        search.offer(score, last, false);
      }
      pass_pair<Unit>(list, last, missing, n - last, node, s, search, true);
    }
    return search.best;
  }

  struct PairSearch {
    double total_sum, total_weight, factor;
    Candidate best;
    double best_score, tie;
    void offer(double score, int64_t position, bool missing_left) {
      if (!(score > best_score + tie) && best.found()) return;
      if (score < 0) return;
      best_score = score;
      best.gain = score * factor;
      best.column = 0;
      best.position = position;
      best.missing_left = missing_left;
    }
  };

  // One pass. `run` and `offset` are the sums and the number of rows that start on the left (the missing ones).
  // Returns the sums of the whole pass.
  template <bool Unit>
  RunningPair pass_pair(const Entry* list, int64_t last, RunningPair run, int64_t offset, const Standing& node,
                        ScanScratch& s, PairSearch& search, bool missing_left) const {
    const int64_t n = node.rows();
    const int64_t lowest = std::max<int64_t>(1, limits_.min_rows_leaf - offset);
    const int64_t highest = std::min(last - 1, n - limits_.min_rows_leaf - offset);
    int64_t i = 0;
    for (; i < std::min(lowest, last); ++i) add_pair<Unit>(list[i], node.centre, run);
    while (i <= highest) {
      const int64_t stop = std::min(highest + 1, i + kBlock);
      int64_t m = 0;
      for (; i < stop; ++i) {
        const Entry e = list[i];
        s.sum[m] = run.sum;
        s.weight[m] = run.weight;
        s.position[m] = static_cast<int32_t>(i);
        m += static_cast<int64_t>(e >> (Patch<Entry>::kBits - 1));
        add_pair<Unit>(e, node.centre, run);
      }
      if (limits_.min_weight_leaf > 0) m = keep_heavy(s, m, node);
      if (m == 0) continue;
      const double top =
          score_thresholds(s.sum.data(), s.weight.data(), m, search.total_sum, search.total_weight, s.score.data());
      if (search.best.found() && !(top > search.best_score + search.tie)) continue;
      int64_t first = 0;
      while (!(s.score[first] >= top - search.tie)) ++first;
      search.offer(s.score[first], s.position[first], missing_left);
    }
    for (; i < last; ++i) add_pair<Unit>(list[i], node.centre, run);
    return run;
  }

  int64_t keep_heavy(ScanScratch& s, int64_t m, const Standing& node) const {
    int64_t kept = 0;
    for (int64_t i = 0; i < m; ++i) {
      if (s.weight[i] < limits_.min_weight_leaf || node.weight - s.weight[i] < limits_.min_weight_leaf) continue;
      s.sum[kept] = s.sum[i];
      s.weight[kept] = s.weight[i];
      s.position[kept++] = s.position[i];
    }
    return kept;
  }

  // The general form, any number of moments.
  template <bool Unit>
  Candidate best_sums(const Entry* list, int64_t last, const Standing& node, const Guard& guard,
                      ScanScratch& s) const {
    const int64_t n = node.rows();
    Candidate best;
    const int m = context_.n_moments;
    std::vector<double> missing(m, 0.0);
    double missing_weight = 0;
    for (int64_t i = last; i < n; ++i) add(list[i], node, missing.data(), missing_weight);

    s.left.assign(m, 0.0);
    s.right.resize(m);
    double weight = pass_sums<Unit>(list, last, 0.0, 0, node, guard, s, best, false);
    if (last < n && last > 0) {
      for (int k = 0; k < m; ++k) s.left[k] = total(node, k) - missing[k];
      offer(s.left.data(), weight, last, last, node, guard, s, best, false);
      s.left = missing;
      pass_sums<Unit>(list, last, missing_weight, n - last, node, guard, s, best, true);
    }
    return best;
  }

  void offer(const double* left, double weight, int64_t position, int64_t rows, const Standing& node,
             const Guard& guard, ScanScratch& s, Candidate& best, bool missing_left) const {
    if (!enough(rows, weight, node)) return;
    take_if_better(gain(left, weight, node, s.right.data()), left, weight, position, node, guard, s, best,
                   missing_left);
  }

  void take_if_better(double gain, const double* left, double weight, int64_t position, const Standing& node,
                      const Guard& guard, ScanScratch& s, Candidate& best, bool missing_left) const {
    if (!(gain > best.gain + (best.found() ? node.tie() : 0.0))) return;
    if (guard.active()) {
      for (int k = 0; k < context_.n_moments; ++k) s.right[k] = total(node, k) - left[k];
      if (!guard.allows(value(left, weight, node), value(s.right.data(), node.weight - weight, node))) return;
    }
    best.gain = gain;
    best.column = 0;
    best.position = position;
    best.missing_left = missing_left;
  }

  template <bool Unit>
  double pass_sums(const Entry* list, int64_t last, double weight, int64_t offset, const Standing& node,
                   const Guard& guard, ScanScratch& s, Candidate& best, bool missing_left) const {
    double* left = s.left.data();
    // Whole-number class counts: sums of terms are kept up row by row instead of being made anew.
    constexpr bool running = Unit && Rule::of_classes && Rule::sums_terms;
    double left_sum = 0, right_sum = 0;
    if constexpr (running) {
      for (int k = 0; k < context_.n_moments; ++k) {
        left_sum += Rule::term(left[k], context_);
        right_sum += Rule::term(node.moments[k] - left[k], context_);
      }
    }
    for (int64_t i = 0; i < last; ++i) {
      const Entry e = list[i];
      if (i && (e & Patch<Entry>::kBoundary) && enough(i + offset, weight, node)) {
        double g;
        if constexpr (running)
          g = Rule::finish(left_sum, weight, context_) + Rule::finish(right_sum, node.weight - weight, context_) -
              node.merit;
        else
          g = gain(left, weight, node, s.right.data());
        take_if_better(g, left, weight, i, node, guard, s, best, missing_left);
      }
      if constexpr (running) {
        const uint32_t k = patch_.label(e);
        const double rest = node.moments[k] - left[k];
        left_sum += Rule::term(left[k] + 1, context_) - Rule::term(left[k], context_);
        right_sum += Rule::term(rest - 1, context_) - Rule::term(rest, context_);
        left[k] += 1;
        weight += 1;
      } else {
        add(e, node, left, weight);
      }
    }
    return weight;
  }

  const Patch<Entry>& patch_;
  const Limits& limits_;
  const MomentContext& context_;
};

}  // namespace hedgerow

// The best threshold of one number column in one node: passes over its list.
//
//   list      [a a b | c c | d ...| missing]     a threshold may stand at each boundary
//   left sums  grow as the pass goes; right sums are the node's minus the left
//
// Missing cells are tried on both sides: first on the right, then all of them against all others, then, in a
// second pass that starts with their sums, on the left.
//
// Two questions: `largest` asks how good the column's best threshold is; `locate` asks for the first one that
// good. All columns are asked the first, only the winner the second.
#pragma once

#include <algorithm>
#include <tuple>
#include <type_traits>

#include "grow/gains.hpp"
#include "grow/grid.hpp"
#include "grow/node.hpp"
#include "grow/row_set.hpp"
#include "grow/score.hpp"
#include "grow/scratch.hpp"
#include "grow/stop_rules.hpp"

namespace hedgerow {

template <Criterion Rule, class Entry>
class Scan {
 public:
  Scan(const RowSet<Entry>& row_set, const Limits& limits, const MomentContext& context, Stop& stop)
      : row_set_(row_set), limits_(limits), context_(context), stop_(stop) {}

  int64_t present(const Entry* list, int64_t n) const { return present_entries(list, n); }

  // The gain of the best threshold, if it is more than `floor`; else `floor` or less. Sets `distinct` when it
  // has seen that no two rows of the node share a value; that then holds for all nodes below.
  double largest(const Entry* list, const NodeStats& node, const Guard& guard, double floor, ScanScratch& s,
                 uint8_t& distinct) const {
    Search search{false, floor, {}};
    run(list, node, guard, search, s);
    if (search.boundaries == node.rows() - 1) distinct = 1;
    return search.level;
  }

  // The first threshold with at least this gain, which `largest` has found to exist.
  Candidate locate(const Entry* list, const NodeStats& node, const Guard& guard, double gain,
                   ScanScratch& s) const {
    Search search{true, gain - node.tie(), {}};
    run(list, node, guard, search, s);
    return search.found;
  }

  // Adds an entry to a vector of moments.
  void add(Entry e, const NodeStats& node, double* moments, double& weight) const {
    const uint32_t row = row_set_.row(e);
    const double w = row_set_.weight ? row_set_.weight[row] : 1.0;
    weight += w;
    if constexpr (Rule::kOfClasses)
      moments[row_set_.label(e)] += w;
    else
      moments[0] += term(row, w, node);
  }

  double term(uint32_t row, double weight, const NodeStats& node) const {
    if (row_set_.term) return row_set_.term[row];
    return round_to_grid(weight * (row_set_.target[row] - node.centre), node.grid);
  }

  // Also leaves the right child's moments in `right`.
  double gain(const double* left, double left_weight, const NodeStats& node, double* right) const {
    for (int k = 0; k < context_.n_moments; ++k) right[k] = remainder(node, k, left[k]);
    return Rule::merit(left, left_weight, context_) +
           Rule::merit(right, node.weight - left_weight, context_) - node.merit;
  }

  // The value a child would publish, for monotone columns: share of the second class, or mean.
  double value(const double* moments, double weight, const NodeStats& node) const {
    if constexpr (Rule::kOfClasses)
      return moments[1] / weight;
    else
      return moments[0] / weight + node.centre;
  }

  bool enough(int64_t left_rows, double left_weight, const NodeStats& node) const {
    return large_enough(limits_, left_rows, rows(node), left_weight, node.weight);
  }

  int64_t rows(const NodeStats& node) const { return row_set_.rows_before(node.rows()); }
  int64_t rows_before(int64_t entry) const { return row_set_.rows_before(entry); }

  double total(const NodeStats& node, int k) const {
    if constexpr (Rule::kOfClasses)
      return node.moments[k];
    else
      return node.rest;
  }

  // The node's moment minus a part of it. Moments that cannot be negative are zero when only rounding is left
  // of them.
  double remainder(const NodeStats& node, int k, double part) const {
    const double whole = total(node, k), rest = whole - part;
    return Rule::kCentred || rest > kTie * whole ? rest : 0.0;
  }

  Stop& stop() const { return stop_; }

 private:
  struct Search {
    bool locating;
    double level;  // largest so far; or, when locating, what is wanted
    Candidate found;
    int64_t boundaries = 0;  // seen, all in one pass

    bool done() const { return locating && found.found(); }
    void take(double gain, int64_t position, bool missing_left) {
      if (!locating) {
        level = gain;
        return;
      }
      found.gain = gain;
      found.column = 0;
      found.position = position;
      found.missing_left = missing_left;
    }
    bool wants(double gain) const { return locating ? !found.found() && gain >= level : gain > level; }
  };

  // Two classes whose weights are summed apart: a share of 1e-12 counts, and would be lost in a difference.
  static constexpr bool kFast = Rule::kFastScan != FastScan::kNone;
  static constexpr bool kApart = kFast && Rule::kFastScan != FastScan::kScore;
  using Gain = std::conditional_t<Rule::kFastScan == FastScan::kEntropyGain, EntropyGain, ExponentialGain>;

  // Whether two running sums decide. Whole counts with a table of logarithms are quicker in the general pass.
  bool is_pair() const {
    return kFast && (!Rule::kOfClasses || context_.n_moments == 2) && (!Rule::kLogTable || row_set_.weight);
  }

  void run(const Entry* list, const NodeStats& node, const Guard& guard, Search& search,
           ScanScratch& s) const {
    const int64_t last = present(list, node.rows());
    // Scores are of the fourth degree in the weight, which must not overflow or vanish.
    if constexpr (kFast)
      if (is_pair() && !guard.active() && node.weight > 1e-70 && node.weight < 1e70) {
        if constexpr (Rule::kOfClasses && !kApart)
          if (!row_set_.weight) return run_pair<true>(list, last, node, search, s);
        return run_pair<false>(list, last, node, search, s);
      }
    run_sums(list, last, node, guard, search, s);
  }

  // --- two classes, or squared error: two running sums
  // ---------------------------------------------------
  template <bool Counts>
  struct Running {
    using Number = std::conditional_t<Counts, int32_t, double>;
    Number sum = 0,
           weight = 0;  // of the second class, or of targets; and of all rows (kApart: the first class)
    double all() const { return static_cast<double>(kApart ? sum + weight : weight); }
  };

  static ScoreTotals totals(const NodeStats& node) {
    if constexpr (kApart)
      return {node.moments[1], node.moments[0]};
    else
      return {Rule::kOfClasses ? node.moments[1] : node.rest, node.weight};
  }

  static double score(double sum, double weight, const ScoreTotals& total) {
    if constexpr (kApart)
      return gain_of(Gain{}, {sum, weight}, {total.sum, total.weight});
    else
      return score_of(sum, weight, total);
  }

  template <bool Counts>
  void add_pair(Entry e, const NodeStats& node, Running<Counts>& run) const {
    if constexpr (Counts) {
      run.sum += static_cast<int32_t>(row_set_.label(e));
      run.weight += 1;
    } else {
      const uint32_t row = row_set_.row(e);
      const double w = row_set_.weight ? row_set_.weight[row] : 1.0;
      if constexpr (Rule::kOfClasses) {
        const auto x = static_cast<double>(row_set_.label(e));
        run.sum += w * x;
        run.weight += kApart ? w * (1.0 - x) : w;
      } else {
        run.sum += term(row, w, node);
        run.weight += w;
      }
    }
  }

  template <bool Counts>
  void run_pair(const Entry* list, int64_t last, const NodeStats& node, Search& search,
                ScanScratch& s) const {
    const int64_t n = node.rows();
    const ScoreTotals total = totals(node);
    const double factor = kApart ? 1.0 : (Rule::kOfClasses ? 2.0 : 1.0) / node.weight;
    Running<Counts> missing;
    for (int64_t i = last; i < n; ++i) add_pair<Counts>(list[i], node, missing);

    search.level = search.level > -kInfinity ? search.level / factor : -1.0;  // scores inside, gains outside
    const Running<Counts> all = pass_pair<Counts>(list, last, {}, 0, node, total, search, false, s);
    if (last < n && last > 0 && !search.done()) {
      const double found = score(static_cast<double>(all.sum), static_cast<double>(all.weight), total);
      const int64_t present_rows = rows_before(last);
      if (enough(present_rows, all.all(), node) && search.wants(found)) search.take(found, last, false);
      if (!search.done())
        pass_pair<Counts>(list, last, missing, rows(node) - present_rows, node, total, search, true, s);
    }
    search.level = search.level < 0 ? -kInfinity : search.level * factor;
    search.found.gain *= factor;
  }

  // One pass. `run` and `offset` are the sums and the number of rows that start on the left (the missing
  // ones). Returns the sums of the whole pass (unless it has found what it was to locate).
  template <bool Counts>
  Running<Counts> pass_pair(const Entry* list, int64_t last, Running<Counts> run, int64_t offset,
                            const NodeStats& node, const ScoreTotals& total, Search& search,
                            bool missing_left, ScanScratch& s) const {
    return search.locating ? find_pair(list, last, run, offset, node, total, search, missing_left)
                           : measure_pair(list, last, run, offset, node, total, search, s);
  }

  // Thresholds are gathered block by block and scored together.
  template <bool Counts>
  Running<Counts> measure_pair(const Entry* list, int64_t last, Running<Counts> run, int64_t offset,
                               const NodeStats& node, const ScoreTotals& total, Search& search,
                               ScanScratch& s) const {
    const int64_t most = rows(node) - limits_.min_rows_leaf - offset;  // rows on the left
    const int64_t lowest = std::max<int64_t>(1, row_set_.entry_after(limits_.min_rows_leaf - offset, last));
    const int64_t highest = std::min(last, row_set_.entry_after(most + 1, last)) - 1;
    auto& block = std::get<BlockOf<Counts>>(s.blocks);
    int64_t i = 0;
    for (; i < std::min(lowest, last); ++i) add_pair<Counts>(list[i], node, run);
    while (i <= highest) {
      const int64_t stop = std::min(highest + 1, i + kBlock);
      int64_t m = 0;
      for (; i < stop; ++i) {
        const Entry e = list[i];
        block.sum[m] = run.sum;
        block.weight[m] = run.weight;
        m += static_cast<int64_t>(e >> (RowSet<Entry>::kBits - 1));
        add_pair<Counts>(e, node, run);
      }
      search.boundaries += offset == 0 ? m : 0;
      if (limits_.min_weight_leaf > 0) m = keep_heavy(block.sum.data(), block.weight.data(), m, node);
      if constexpr (kApart && !Counts)
        search.level = largest_gain(Gain{}, block.sum.data(), block.weight.data(), m,
                                    {total.sum, total.weight}, search.level);
      else
        search.level = largest_score(block.sum.data(), block.weight.data(), m, total, search.level);
    }
    for (; i < last; ++i) add_pair<Counts>(list[i], node, run);
    return run;
  }

  template <bool Counts>
  Running<Counts> find_pair(const Entry* list, int64_t last, Running<Counts> run, int64_t offset,
                            const NodeStats& node, const ScoreTotals& total, Search& search,
                            bool missing_left) const {
    for (int64_t i = 0; i < last; ++i) {
      if (i && (list[i] & RowSet<Entry>::kBoundary) && enough(rows_before(i) + offset, run.all(), node)) {
        const double found = score(static_cast<double>(run.sum), static_cast<double>(run.weight), total);
        if (search.wants(found)) {
          search.take(found, i, missing_left);
          break;
        }
      }
      add_pair<Counts>(list[i], node, run);
    }
    return run;
  }

  // Drops thresholds that leave a child too light; weights rise, so the rest stays in one piece.
  template <class Number>
  int64_t keep_heavy(Number* sum, Number* weight, int64_t m, const NodeStats& node) const {
    int64_t kept = 0;
    for (int64_t k = 0; k < m; ++k) {
      const auto w = static_cast<double>(kApart ? sum[k] + weight[k] : weight[k]);
      if (w < limits_.min_weight_leaf || node.weight - w < limits_.min_weight_leaf) continue;
      sum[kept] = sum[k];
      weight[kept++] = weight[k];
    }
    return kept;
  }

  // --- the general form, any number of moments
  // ------------------------------------------------------------------
  void run_sums(const Entry* list, int64_t last, const NodeStats& node, const Guard& guard, Search& search,
                ScanScratch& s) const {
    const int64_t n = node.rows();
    const int m = context_.n_moments;
    s.missing.assign(m, 0.0);
    double missing_weight = 0;
    for (int64_t i = last; i < n; ++i) add(list[i], node, s.missing.data(), missing_weight);

    s.left.assign(m, 0.0);
    s.right.resize(m);
    const double weight = pass_sums(list, last, 0.0, 0, node, guard, search, false, s);
    if (last == n || last == 0 || search.done()) return;
    for (int k = 0; k < m; ++k) s.left[k] = remainder(node, k, s.missing[k]);
    const int64_t present_rows = rows_before(last);
    if (enough(present_rows, weight, node))
      offer(gain(s.left.data(), weight, node, s.right.data()), weight, last, node, guard, search, false, s);
    if (search.done()) return;
    s.left = s.missing;
    pass_sums(list, last, missing_weight, rows(node) - present_rows, node, guard, search, true, s);
  }

  void offer(double gain, double weight, int64_t position, const NodeStats& node, const Guard& guard,
             Search& search, bool missing_left, ScanScratch& s) const {
    if (!search.wants(gain)) return;
    if (guard.active()) {
      for (int k = 0; k < context_.n_moments; ++k) s.right[k] = remainder(node, k, s.left[k]);
      if (!guard.allows(value(s.left.data(), weight, node),
                        value(s.right.data(), node.weight - weight, node)))
        return;
    }
    search.take(gain, position, missing_left);
  }

  double pass_sums(const Entry* list, int64_t last, double weight, int64_t offset, const NodeStats& node,
                   const Guard& guard, Search& search, bool missing_left, ScanScratch& s) const {
    if constexpr (Rule::kOfClasses && Rule::kSumsTerms)
      if (!row_set_.weight)
        return pass_counts(list, last, weight, offset, node, guard, search, missing_left, s);
    for (int64_t i = 0; i < last; ++i) {
      if ((i & 0xfff) == 0xfff) stop_.check();
      if (i && (list[i] & RowSet<Entry>::kBoundary) && enough(rows_before(i) + offset, weight, node)) {
        offer(gain(s.left.data(), weight, node, s.right.data()), weight, i, node, guard, search, missing_left,
              s);
        if (search.done()) break;
      }
      add(list[i], node, s.left.data(), weight);
    }
    return weight;
  }

  // Class counts: the sums of terms are kept up row by row instead of being made anew at each boundary.
  double pass_counts(const Entry* list, int64_t last, double weight, int64_t offset, const NodeStats& node,
                     const Guard& guard, Search& search, bool missing_left, ScanScratch& s) const {
    double* left = s.left.data();
    double left_sum = 0, right_sum = 0;
    for (int k = 0; k < context_.n_moments; ++k) {
      left_sum += Rule::term(left[k], context_);
      right_sum += Rule::term(node.moments[k] - left[k], context_);
    }
    for (int64_t i = 0; i < last; ++i) {
      if ((i & 0xffff) == 0xffff) stop_.check();
      const Entry e = list[i];
      if (i && (e & RowSet<Entry>::kBoundary) && enough(i + offset, weight, node)) {
        const double gain = Rule::finish(left_sum, weight, context_) +
                            Rule::finish(right_sum, node.weight - weight, context_) - node.merit;
        offer(gain, weight, i, node, guard, search, missing_left, s);
        if (search.done()) break;
      }
      const uint32_t k = row_set_.label(e);
      const double rest = node.moments[k] - left[k];
      left_sum += Rule::term(left[k] + 1, context_) - Rule::term(left[k], context_);
      right_sum += Rule::term(rest - 1, context_) - Rule::term(rest, context_);
      left[k] += 1;
      weight += 1;
    }
    return weight;
  }

  const RowSet<Entry>& row_set_;
  const Limits& limits_;
  const MomentContext& context_;
  Stop& stop_;
};

}  // namespace hedgerow

// Splits that serve several targets at once: the criterion's impurity, averaged over the outputs.
//
//   moments   [ output 0: class 0, 1, 2 | output 1: class 0, 1 | ... ]   or, of numbers, one sum an output
//   merit     the mean over the outputs of the criterion's merit of each part
//
// One class for all criteria that work by sums: it asks a criterion's own scan for the merit of each output.
// A pass costs rows x outputs; a threshold costs the moments. Sums of numbers whose impurity is a variance
// are taken around the node's mean, which the node publishes.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "grow/criterion_table.hpp"
#include "grow/outputs.hpp"
#include "grow/rule_scan.hpp"
#include "grow/stop_rules.hpp"

namespace hedgerow {

template <class Entry>
class JointScan final : public RuleScan<Entry> {
 public:
  JointScan(const Outputs& outputs, const CriterionEntry& criterion, const RowSet<Entry>& row_set,
            const Limits& limits, Stop& stop)
      : outputs_(outputs),
        criterion_(criterion),
        row_set_(row_set),
        limits_(limits),
        stop_(stop),
        n_moments_(outputs.n_moments()) {
    for (int k = 0, first = 0; k < outputs.n; ++k) {
      const int many = of_classes() ? outputs.n_classes[k] : 1;
      contexts_.push_back({many, nullptr});
      first_.push_back(first);
      rules_.push_back(scan_maker<Entry>(criterion)(row_set, limits, contexts_.back(), stop));
      first += many;
    }
  }

  void measure(const Entry* list, NodeStats& node) const override {
    const int64_t n = node.rows();
    node.weight = 0;
    for (int64_t i = 0; i < n; ++i) node.weight += weight(list[i]);
    node.moments.assign(n_moments_, 0.0);
    if (of_classes())
      measure_classes(list, node);
    else
      measure_numbers(list, node);
  }

  double largest(const Entry* list, const NodeStats& node, const Guard&, double floor, ScanScratch& s,
                 uint8_t&) const override {
    Search search{false, floor, {}};
    run(list, node, search, s);
    return search.level;
  }
  Candidate locate(const Entry* list, const NodeStats& node, const Guard&, double gain,
                   ScanScratch& s) const override {
    Search search{true, gain - node.tie(), {}};
    run(list, node, search, s);
    return search.found;
  }

  void gather(const Entry* list, int64_t last, const NodeStats& node, Groups& groups) const override {
    groups.clear();
    for (int64_t i = 0; i < last; ++i) {
      if (i == 0 || (list[i] & RowSet<Entry>::kBoundary)) {
        groups.begin.push_back(i);
        groups.weight.push_back(0.0);
        groups.moments.resize(groups.moments.size() + n_moments_, 0.0);
        ++groups.size;
      }
      add_one(list[i], node, &groups.moments[(groups.size - 1) * n_moments_], groups.weight.back());
    }
    groups.begin.push_back(last);
    for (int64_t g = 0; g < groups.size; ++g) groups.rows.push_back(groups.begin[g + 1] - groups.begin[g]);
  }

  // The best prefix of the levels in the order of each moment in turn: a heuristic, as for many classes.
  Candidate best_subset(const Entry* list, const NodeStats& node, const Guard&, ScanScratch& s,
                        SubsetScratch& t) const override {
    const int64_t last = present_entries(list, node.rows());
    gather(list, last, node, t.groups);
    sum_missing(list, last, node, s);
    t.goes_left.assign(t.groups.size, 0);
    Candidate best;
    for (int k = 0; k < n_moments_; ++k) {
      t.key.resize(t.groups.size);
      for (int64_t g = 0; g < t.groups.size; ++g)
        t.key[g] = t.groups.moments[g * n_moments_ + k] / t.groups.weight[g];
      t.sort_by_key();
      for (int64_t many = 1; many <= t.groups.size; ++many) try_prefix(many, last, node, s, t, best);
    }
    return best;
  }
  Candidate random_subset(const Entry* list, const NodeStats& node, const Guard&, Random& random,
                          ScanScratch& s, SubsetScratch& t) const override {
    const int64_t last = present_entries(list, node.rows());
    gather(list, last, node, t.groups);
    sum_missing(list, last, node, s);
    Candidate best;
    if (!draw_subset(random, t)) return best;
    t.order.resize(t.groups.size);
    std::iota(t.order.begin(), t.order.end(), 0);
    std::stable_partition(t.order.begin(), t.order.end(), [&](int32_t g) { return t.goes_left[g] != 0; });
    const auto many = std::count(t.goes_left.begin(), t.goes_left.end(), 1);
    try_prefix(many, last, node, s, t, best);
    return best;
  }

  void add(const Entry* list, int64_t n, const NodeStats& node, double* moments,
           double& weight) const override {
    for (int64_t i = 0; i < n; ++i) add_one(list[i], node, moments, weight);
  }
  double merit(const double* moments, double weight) const override {
    double sum = 0;
    for (int k = 0; k < outputs_.n; ++k) sum += rules_[k]->merit(moments + first_[k], weight);
    return sum / outputs_.n;
  }
  double gain(const double* left, double left_weight, const NodeStats& node, double* right) const override {
    for (int k = 0; k < n_moments_; ++k) {
      const double whole = total(node, k), rest = whole - left[k];
      right[k] = centred() || rest > kTie * whole ? rest : 0.0;
    }
    return merit(left, left_weight) + merit(right, node.weight - left_weight) - node.merit;
  }

  Candidate ratio_threshold(const Entry*, int64_t, const NodeStats&, double, double&) const override {
    return {};
  }
  double split_information(const std::vector<double>&, double, double) const override { return 0.0; }

 private:
  struct Search {
    bool locating;
    double level;  // largest so far; or, when locating, what is wanted
    Candidate found;

    bool done() const { return locating && found.found(); }
    void offer(double gain, int64_t position, bool missing_left) {
      if (locating ? found.found() || gain < level : gain <= level) return;
      if (!locating) {
        level = gain;
        return;
      }
      found.gain = gain;
      found.column = 0;
      found.position = position;
      found.missing_left = missing_left;
    }
  };

  bool of_classes() const { return !outputs_.n_classes.empty(); }
  bool centred() const { return criterion_.traits.squared_units; }
  double weight(Entry e) const { return row_set_.weight ? row_set_.weight[row_set_.row(e)] : 1.0; }
  int64_t first_output(Entry e) const { return int64_t{row_set_.source(row_set_.row(e))} * outputs_.n; }
  double centre(const NodeStats& node, int k) const { return centred() ? node.moments[k] : 0.0; }
  double total(const NodeStats& node, int k) const {
    if (of_classes()) return node.moments[k];
    return centred() ? 0.0 : node.moments[k] * node.weight;
  }

  void add_one(Entry e, const NodeStats& node, double* moments, double& sum) const {
    const double w = weight(e);
    const int64_t from = first_output(e);
    sum += w;
    if (of_classes())
      for (int k = 0; k < outputs_.n; ++k) moments[first_[k] + outputs_.classes[from + k]] += w;
    else
      for (int k = 0; k < outputs_.n; ++k) moments[k] += w * (outputs_.target[from + k] - centre(node, k));
  }

  void measure_classes(const Entry* list, NodeStats& node) const {
    double again = 0;
    for (int64_t i = 0; i < node.rows(); ++i) add_one(list[i], node, node.moments.data(), again);
    node.merit = node.impurity = 0;
    node.pure = true;
    for (int k = 0; k < outputs_.n; ++k) {
      NodeStats one;
      one.moments.assign(node.moments.begin() + first_[k],
                         node.moments.begin() + first_[k] + outputs_.n_classes[k]);
      criterion_.functions.class_stats(one, contexts_[k]);
      node.merit += one.merit / outputs_.n;
      node.impurity += one.impurity / outputs_.n;
      node.pure = node.pure && one.pure;
    }
  }

  void measure_numbers(const Entry* list, NodeStats& node) const {
    const int64_t n = node.rows();
    std::vector<double> y(n), value(n), loss(n);
    node.impurity = 0;
    node.pure = true;
    for (int k = 0; k < outputs_.n; ++k) {
      double sum = 0, left = 0;
      for (int64_t i = 0; i < n; ++i) {
        y[i] = outputs_.target[first_output(list[i]) + k];
        sum += weight(list[i]) * y[i];
      }
      const bool equal = std::all_of(y.begin(), y.end(), [&](double one) { return one == y[0]; });
      double mean = equal ? y[0] : sum / node.weight;
      for (int64_t i = 0; i < n && !equal; ++i) left += weight(list[i]) * (y[i] - mean);
      mean += left / node.weight;
      node.moments[k] = mean;
      if (equal) continue;
      node.pure = false;
      std::fill(value.begin(), value.end(), mean);
      criterion_.functions.losses(y.data(), value.data(), n, loss.data());
      sum = 0;
      for (int64_t i = 0; i < n; ++i) sum += weight(list[i]) * loss[i];
      node.impurity += std::max(0.0, sum / node.weight) / outputs_.n;
    }
    node.pure = node.pure || !(node.impurity > 0);
    std::vector<double> sums(n_moments_);
    for (int k = 0; k < n_moments_; ++k) sums[k] = total(node, k);
    node.merit = merit(sums.data(), node.weight);
  }

  double sum_missing(const Entry* list, int64_t last, const NodeStats& node, ScanScratch& s) const {
    s.missing.assign(n_moments_, 0.0);
    s.left.assign(n_moments_, 0.0);
    s.right.resize(n_moments_);
    double missing_weight = 0;
    add(list + last, node.rows() - last, node, s.missing.data(), missing_weight);
    return missing_weight;
  }

  void run(const Entry* list, const NodeStats& node, Search& search, ScanScratch& s) const {
    const int64_t n = node.rows(), last = present_entries(list, n);
    const double missing_weight = sum_missing(list, last, node, s);
    const double seen = pass(list, last, 0.0, 0, node, search, false, s);
    if (last == n || last == 0 || search.done()) return;
    if (large_enough(limits_, last, seen, node))
      search.offer(gain(s.left.data(), seen, node, s.right.data()), last, false);
    if (search.done()) return;
    s.left = s.missing;
    pass(list, last, missing_weight, n - last, node, search, true, s);
  }

  // `offset` rows, those with missing cells, start on the left.
  double pass(const Entry* list, int64_t last, double weight, int64_t offset, const NodeStats& node,
              Search& search, bool missing_left, ScanScratch& s) const {
    for (int64_t i = 0; i < last; ++i) {
      if ((i & 0xfff) == 0xfff) stop_.check();
      if (i && (list[i] & RowSet<Entry>::kBoundary) && large_enough(limits_, i + offset, weight, node)) {
        search.offer(gain(s.left.data(), weight, node, s.right.data()), i, missing_left);
        if (search.done()) break;
      }
      add_one(list[i], node, s.left.data(), weight);
    }
    return weight;
  }

  // The first `many` levels of t.order against the others, missing cells on either side.
  void try_prefix(int64_t many, int64_t last, const NodeStats& node, ScanScratch& s, SubsetScratch& t,
                  Candidate& best) const {
    const int64_t missing_rows = node.rows() - last;
    double missing_weight = node.weight;
    for (const double group : t.groups.weight) missing_weight -= group;
    for (const bool missing_left : {false, true}) {
      if (missing_left && !missing_rows) return;
      s.left = s.missing;
      if (!missing_left) std::fill(s.left.begin(), s.left.end(), 0.0);
      double weight = missing_left ? missing_weight : 0.0;
      int64_t rows = missing_left ? missing_rows : 0;
      for (int64_t p = 0; p < many; ++p) {
        const int32_t g = t.order[p];
        weight += t.groups.weight[g];
        rows += t.groups.rows[g];
        for (int k = 0; k < n_moments_; ++k) s.left[k] += t.groups.moments[g * n_moments_ + k];
      }
      if (rows == 0 || rows == node.rows() || !large_enough(limits_, rows, weight, node)) continue;
      const double found = gain(s.left.data(), weight, node, s.right.data());
      if (found <= best.gain + (best.found() ? node.tie() : 0.0)) continue;
      best.gain = found;
      best.column = 0;
      best.missing_left = missing_left;
      t.goes_left.assign(t.groups.size, 0);
      for (int64_t p = 0; p < many; ++p) t.goes_left[t.order[p]] = 1;
    }
  }

  const Outputs& outputs_;
  const CriterionEntry& criterion_;
  const RowSet<Entry>& row_set_;
  const Limits& limits_;
  Stop& stop_;
  const int n_moments_;
  std::vector<int> first_;  // of each output, its first moment
  std::vector<MomentContext> contexts_;
  std::vector<std::unique_ptr<RuleScan<Entry>>> rules_;
};

}  // namespace hedgerow

// Splits that serve several numbers at once by absolute error: the mean over the outputs of the loss around
// each output's median.
//
// Losses around medians are no function of sums, and each output has an order of its own. So each question
// sorts the node's rows by each output in turn, and one pass over the column's list adds that output's losses
// left and right of every boundary (sums over ranks: scan_absolute.hpp).
#pragma once

#include <numeric>
#include <stdexcept>
#include <vector>

#include "grow/outputs.hpp"
#include "grow/rule_scan.hpp"
#include "grow/scan_absolute.hpp"
#include "grow/stop_rules.hpp"

namespace hedgerow {

template <class Entry>
class JointMedianScan final : public RuleScan<Entry> {
 public:
  JointMedianScan(const Outputs& outputs, const RowSet<Entry>& row_set, const Limits& limits, Stop& stop)
      : outputs_(outputs), row_set_(row_set), limits_(limits), stop_(stop) {}

  void measure(const Entry* list, NodeStats& node) const override {
    const int64_t n = node.rows();
    node.weight = node.impurity = node.merit = 0;
    for (int64_t i = 0; i < n; ++i) node.weight += weight(list[i]);
    node.moments.resize(outputs_.n);
    node.pure = true;
    for (int k = 0; k < outputs_.n; ++k) {
      const std::vector<uint32_t> order = by_target(list, n, k);
      const double median = median_of(list, order, k, node.weight);
      double loss = 0;
      for (int64_t i = 0; i < n; ++i) loss += weight(list[i]) * std::abs(target(list[i], k) - median);
      node.pure = node.pure && target(list[order[0]], k) == target(list[order[n - 1]], k);
      node.moments[k] = median;
      node.impurity += loss / node.weight / outputs_.n;
    }
    node.pure = node.pure || !(node.impurity > 0);
  }

  double largest(const Entry* list, const NodeStats& node, const Guard&, double floor, ScanScratch&,
                 uint8_t&) const override {
    for (const Offer& offer : offers(list, node)) floor = std::max(floor, offer.gain);
    return floor;
  }
  Candidate locate(const Entry* list, const NodeStats& node, const Guard&, double gain,
                   ScanScratch&) const override {
    for (const Offer& offer : offers(list, node))
      if (offer.gain >= gain - node.tie()) return candidate(offer);
    return {};
  }

  void gather(const Entry* list, int64_t last, const NodeStats&, Groups& groups) const override {
    groups.clear();
    for (int64_t i = 0; i < last; ++i) {
      if (i == 0 || (list[i] & RowSet<Entry>::kBoundary)) {
        groups.begin.push_back(i);
        groups.weight.push_back(0.0);
        ++groups.size;
      }
      groups.weight.back() += weight(list[i]);
    }
    groups.begin.push_back(last);
    for (int64_t g = 0; g < groups.size; ++g) groups.rows.push_back(groups.begin[g + 1] - groups.begin[g]);
  }

  // The best prefix of the levels in the order of their medians, of each output in turn.
  Candidate best_subset(const Entry* list, const NodeStats& node, const Guard&, ScanScratch&,
                        SubsetScratch& t) const override {
    const int64_t last = present_entries(list, node.rows());
    gather(list, last, node, t.groups);
    t.key.resize(t.groups.size);
    Candidate best;
    std::vector<uint8_t> goes_left(t.groups.size, 0);
    for (int k = 0; k < outputs_.n; ++k) {
      for (int64_t g = 0; g < t.groups.size; ++g) {
        const Entry* group = list + t.groups.begin[g];
        t.key[g] = median_of(group, by_target(group, t.groups.rows[g], k), k, t.groups.weight[g]);
      }
      t.sort_by_key();
      const std::vector<Entry> ordered = in_order(list, last, node, t);
      for (const Offer& offer : offers(ordered.data(), node)) {
        if (!(offer.gain > best.gain + (best.found() ? node.tie() : 0.0))) continue;
        best = candidate(offer);
        mark_before(offer.position, t);
        goes_left = t.goes_left;
      }
    }
    t.goes_left = goes_left;
    return best;
  }

  Candidate random_subset(const Entry* list, const NodeStats& node, const Guard&, Random& random,
                          ScanScratch&, SubsetScratch& t) const override {
    const int64_t last = present_entries(list, node.rows());
    gather(list, last, node, t.groups);
    Candidate best;
    if (!draw_subset(random, t)) return best;
    t.order.resize(t.groups.size);
    std::iota(t.order.begin(), t.order.end(), 0);
    std::stable_partition(t.order.begin(), t.order.end(), [&](int32_t g) { return t.goes_left[g] != 0; });
    std::vector<Entry> ordered = in_order(list, last, node, t);
    int64_t cut = 0;
    for (int64_t g = 0; g < t.groups.size; ++g) cut += t.goes_left[g] ? t.groups.rows[g] : 0;
    for (int64_t i = 0; i < last; ++i) ordered[i] &= ~RowSet<Entry>::kBoundary;
    ordered[cut] |= RowSet<Entry>::kBoundary;
    for (const Offer& offer : offers(ordered.data(), node))
      if (offer.gain > best.gain + (best.found() ? node.tie() : 0.0)) best = candidate(offer);
    mark_before(best.position, t);  // it may be all levels against missing
    return best;
  }

  void add(const Entry*, int64_t, const NodeStats&, double*, double&) const override { not_by_sums(); }
  double merit(const double*, double) const override { return not_by_sums(); }
  double gain(const double*, double, const NodeStats&, double*) const override { return not_by_sums(); }
  Candidate ratio_threshold(const Entry*, int64_t, const NodeStats&, double, double&) const override {
    return {};
  }
  double split_information(const std::vector<double>&, double, double) const override { return 0.0; }

 private:
  // A boundary of the list: rows before `position`, and those with missing cells if `missing_left`, go left.
  struct Offer {
    int64_t position = 0;
    bool missing_left = false;
    double gain = 0;
  };

  static double not_by_sums() { throw std::logic_error("medians are not found by sums"); }
  static Candidate candidate(const Offer& offer) {
    Candidate made;
    made.gain = offer.gain;
    made.column = 0;
    made.position = offer.position;
    made.missing_left = offer.missing_left;
    return made;
  }

  double weight(Entry e) const { return row_set_.weight ? row_set_.weight[row_set_.row(e)] : 1.0; }
  double target(Entry e, int k) const {
    return outputs_.target[int64_t{row_set_.source(row_set_.row(e))} * outputs_.n + k];
  }

  // Places of the list, by rising target.
  std::vector<uint32_t> by_target(const Entry* list, int64_t n, int k) const {
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const double x = target(list[a], k), y = target(list[b], k);
      return x < y || (x == y && row_set_.row(list[a]) < row_set_.row(list[b]));
    });
    return order;
  }

  double median_of(const Entry* list, const std::vector<uint32_t>& order, int k, double whole) const {
    double below = 0;
    for (size_t i = 0; i < order.size(); ++i) {
      below += weight(list[order[i]]);
      if (below < whole / 2) continue;
      const double median = target(list[order[i]], k);
      if (below > whole / 2 || i + 1 == order.size()) return median;
      return median + (target(list[order[i + 1]], k) - median) / 2;
    }
    return target(list[order.back()], k);
  }

  // The list with its levels in the order of t, missing cells last.
  static std::vector<Entry> in_order(const Entry* list, int64_t last, const NodeStats& node,
                                     const SubsetScratch& t) {
    std::vector<Entry> ordered;
    ordered.reserve(node.rows());
    for (const int32_t g : t.order)
      for (int64_t i = t.groups.begin[g]; i < t.groups.begin[g + 1]; ++i) {
        const Entry first = i == t.groups.begin[g] ? RowSet<Entry>::kBoundary : 0;
        ordered.push_back((list[i] & ~RowSet<Entry>::kBoundary) | first);
      }
    ordered.insert(ordered.end(), list + last, list + node.rows());
    return ordered;
  }

  static void mark_before(int64_t position, SubsetScratch& t) {
    t.goes_left.assign(t.groups.size, 0);
    int64_t place = 0;
    for (const int32_t g : t.order) {
      if (place < position) t.goes_left[g] = 1;
      place += t.groups.rows[g];
    }
  }

  // Every boundary that leaves both sides large enough, first those with missing cells on the right.
  std::vector<Offer> offers(const Entry* list, const NodeStats& node) const {
    const int64_t n = node.rows(), last = present_entries(list, n);
    std::vector<Offer> found;
    for (const bool missing_left : {false, true}) {
      if (missing_left && (last == n || last == 0)) break;
      double left = 0;
      for (int64_t i = last; i < n && missing_left; ++i) left += weight(list[i]);
      const int64_t offset = missing_left ? n - last : 0, end = missing_left ? last : std::min(last + 1, n);
      for (int64_t i = 0; i < end; ++i) {
        const bool boundary = i == last || (i && (list[i] & RowSet<Entry>::kBoundary));
        if (boundary && i && large_enough(limits_, i + offset, left, node))
          found.push_back({i, missing_left, node.weight * node.impurity});
        if (i < last) left += weight(list[i]);
      }
    }
    for (int k = 0; k < outputs_.n; ++k) subtract_losses(list, last, node, k, found);
    return found;
  }

  // Takes output k's losses, left and right, off every offer.
  void subtract_losses(const Entry* list, int64_t last, const NodeStats& node, int k,
                       std::vector<Offer>& found) const {
    stop_.check();
    const int64_t n = node.rows();
    const std::vector<uint32_t> order = by_target(list, n, k);
    std::vector<uint32_t> rank(n);
    std::vector<double> y(n), weights(n + 1, 0.0), weighted(n + 1, 0.0);
    double whole = 0, total = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double w = weight(list[order[i]]);
      rank[order[i]] = static_cast<uint32_t>(i);
      y[i] = target(list[order[i]], k) - node.moments[k];
      whole += w;
      total += w * y[i];
      indexed_add(weights, static_cast<uint32_t>(i), w);
      indexed_add(weighted, static_cast<uint32_t>(i), w * y[i]);
    }
    size_t next = 0;
    for (const bool missing_left : {false, true}) {
      std::vector<double> left_weights(n + 1, 0.0), left_weighted(n + 1, 0.0);
      double left = 0, left_total = 0;
      auto put = [&](int64_t i) {
        const double w = weight(list[i]), wy = w * y[rank[i]];
        left += w;
        left_total += wy;
        indexed_add(left_weights, rank[i], w);
        indexed_add(left_weighted, rank[i], wy);
      };
      for (int64_t i = last; i < n && missing_left; ++i) put(i);
      int64_t at = 0;
      for (; next < found.size() && found[next].missing_left == missing_left; ++next) {
        for (; at < found[next].position; ++at) put(at);
        const double one = median_loss(
                               y, left, left_total, [&](size_t i) { return left_weights[i]; },
                               [&](size_t i) { return left_weighted[i]; })
                               .loss;
        const double other =
            median_loss(
                y, whole - left, total - left_total, [&](size_t i) { return weights[i] - left_weights[i]; },
                [&](size_t i) { return weighted[i] - left_weighted[i]; })
                .loss;
        found[next].gain -= (one + other) / outputs_.n;
      }
    }
  }

  const Outputs& outputs_;
  const RowSet<Entry>& row_set_;
  const Limits& limits_;
  Stop& stop_;
};

}  // namespace hedgerow

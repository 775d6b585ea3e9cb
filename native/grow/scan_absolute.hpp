// The best threshold by absolute error around the median.
//
// The rows of a node are ranked by target once (their target list is parted like any column's). Sums over
// ranks are kept in a binary indexed tree: adding a row and finding a weighted median take log n steps each.
// The right child is the node's tree minus the left child's.
#pragma once

#include <bit>
#include <cmath>
#include <vector>

#include "grow/node.hpp"
#include "grow/row_set.hpp"
#include "grow/scan.hpp"

namespace hedgerow {

struct MedianBoard {
  std::vector<uint32_t> rank;             // by row of the row_set: place in the node's target order
  std::vector<double> target;             // by rank, minus the node's centre
  std::vector<double> weights, weighted;  // binary indexed sums over ranks, 1-based
  double total_weight = 0, total = 0;
};

struct MedianScratch {
  std::vector<double> weights, weighted;  // the left child's sums
};

struct MedianLoss {
  double median, loss;
};

inline void indexed_add(std::vector<double>& sums, uint32_t rank, double x) {
  for (size_t i = rank + 1; i < sums.size(); i += i & (~i + 1)) sums[i] += x;
}

// Loss around the median of the ranks whose sums are `weight_at(i)` and `weighted_at(i)`.
template <class WeightAt, class WeightedAt>
MedianLoss median_loss(const std::vector<double>& target, double weight, double total, WeightAt weight_at,
                       WeightedAt weighted_at) {
  const size_t n = target.size();
  size_t place = 0;
  double below_weight = 0, below = 0;
  for (size_t step = std::bit_floor(n); step; step >>= 1) {
    const size_t next = place + step;
    if (next <= n && below_weight + weight_at(next) < weight / 2) {
      place = next;
      below_weight += weight_at(next);
      below += weighted_at(next);
    }
  }
  const double median = target[std::min(place, n - 1)];
  return {median, median * below_weight - below + (total - below) - median * (weight - below_weight)};
}

template <class Entry>
class AbsoluteScan {
 public:
  AbsoluteScan(const RowSet<Entry>& row_set, const Limits& limits) : row_set_(row_set), limits_(limits) {}

  void prepare(const Entry* by_target, const NodeStats& node, MedianBoard& board) const {
    const int64_t n = node.rows();
    board.rank.resize(row_set_.n);
    board.target.resize(n);
    board.weights.assign(n + 1, 0.0);
    board.weighted.assign(n + 1, 0.0);
    board.total_weight = board.total = 0;
    for (int64_t i = 0; i < n; ++i) {
      const uint32_t row = row_set_.row(by_target[i]);
      const double w = weight(row), y = row_set_.target[row] - node.centre;
      board.rank[row] = static_cast<uint32_t>(i);
      board.target[i] = y;
      board.total_weight += w;
      board.total += w * y;
      board.weights[i + 1] = w;
      board.weighted[i + 1] = w * y;
    }
    for (int64_t i = 1; i <= n; ++i) {  // turns values into a binary indexed tree in one sweep
      const int64_t up = i + (i & -i);
      if (up > n) continue;
      board.weights[up] += board.weights[i];
      board.weighted[up] += board.weighted[i];
    }
  }

  Candidate best(const Entry* list, int64_t last, const NodeStats& node, const Guard& guard,
                 const MedianBoard& board, MedianScratch& s, Stop& stop) const {
    const int64_t n = node.rows();
    Candidate best;
    Left left = start(n, s);
    pass(list, last, left, 0, node, guard, board, s, best, false, stop);
    if (last < n && last > 0) {
      offer(last, last, left, node, guard, board, s, best, false);
      left = start(n, s);
      for (int64_t i = last; i < n; ++i) add(list[i], left, board, s);
      pass(list, last, left, n - last, node, guard, board, s, best, true, stop);
    }
    return best;
  }

  double weight(uint32_t row) const { return row_set_.weight ? row_set_.weight[row] : 1.0; }

  struct Left {
    double weight = 0, total = 0;
  };

  Left start(int64_t n, MedianScratch& s) const {
    s.weights.assign(n + 1, 0.0);
    s.weighted.assign(n + 1, 0.0);
    return {};
  }

  void add(Entry e, Left& left, const MedianBoard& board, MedianScratch& s) const {
    const uint32_t row = row_set_.row(e), rank = board.rank[row];
    const double w = weight(row), wy = w * board.target[rank];
    left.weight += w;
    left.total += wy;
    indexed_add(s.weights, rank, w);
    indexed_add(s.weighted, rank, wy);
  }

  void offer(int64_t position, int64_t rows, const Left& left, const NodeStats& node, const Guard& guard,
             const MedianBoard& board, const MedianScratch& s, Candidate& best, bool missing_left) const {
    if (rows < limits_.min_rows_leaf || node.rows() - rows < limits_.min_rows_leaf) return;
    const double right_weight = board.total_weight - left.weight;
    if (left.weight < limits_.min_weight_leaf || right_weight < limits_.min_weight_leaf) return;
    const auto first = median_loss(
        board.target, left.weight, left.total, [&](size_t i) { return s.weights[i]; },
        [&](size_t i) { return s.weighted[i]; });
    const auto second = median_loss(
        board.target, right_weight, board.total - left.total,
        [&](size_t i) { return board.weights[i] - s.weights[i]; },
        [&](size_t i) { return board.weighted[i] - s.weighted[i]; });
    const double gain = node.weight * node.impurity - first.loss - second.loss;
    if (!(gain > best.gain + (best.found() ? node.tie() : 0.0))) return;
    if (guard.active() && !guard.allows(first.median + node.centre, second.median + node.centre)) return;
    best.gain = gain;
    best.column = 0;
    best.position = position;
    best.missing_left = missing_left;
  }

 private:
  void pass(const Entry* list, int64_t last, Left& left, int64_t offset, const NodeStats& node,
            const Guard& guard, const MedianBoard& board, MedianScratch& s, Candidate& best,
            bool missing_left, Stop& stop) const {
    for (int64_t i = 0; i < last; ++i) {
      if ((i & 0xffff) == 0xffff) stop.check();
      if (i && (list[i] & RowSet<Entry>::kBoundary))
        offer(i, i + offset, left, node, guard, board, s, best, missing_left);
      add(list[i], left, board, s);
    }
  }

  const RowSet<Entry>& row_set_;
  const Limits& limits_;
};

}  // namespace hedgerow

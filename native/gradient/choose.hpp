// The best split of a node by one column.
//
// In: the column's cells of the node's histogram.   Out: the split with the largest gain.
//
// With G and H the sums of gradient and hessian on a side, the value of a leaf is v = -G / (H + l2), G drawn
// to zero by l1, and kept within the node's bounds; the loss falls by
//
//     gain = [score(left) + score(right) - score(node)] / 2,    score = -(2 G v + (H + l2) v^2 + 2 l1 |v|)
//
// which is G^2 / (H + l2) where nothing binds. A missing cell is tried on both sides. Levels of a category
// are put in the order of G / (H + smoothing), and a set of levels is a beginning or an end of that order.
// The best of all sets of K levels without any effect would gain about (K / pi) sum(g^2) / sum(h), so a set
// must gain more by a share of that for each level: else a category of many levels wins by chance.
//
// A side has min_rows rows, or a hessian of enough_hessian and of kFewestRows times the largest of a row.
// Cells hold no counts: its rows are at least its hessian over the largest of a row and at most its
// hessian over the least of a row. Where these bounds do not decide about min_rows the split is not `sure`,
// and the caller counts the rows of that column and asks again with the counts.
#pragma once

#include <array>
#include <cmath>

#include "gradient/binned.hpp"
#include "gradient/quantise.hpp"

namespace hedgerow::gradient {

constexpr int64_t kFewestRows = 5;

struct SplitOptions {
  double l1 = 0.0, l2 = 0.0;
  double min_hessian = 1e-3;  // of a leaf
  double min_gain = 0.0;      // of a split
  int64_t min_rows = 1;       // of a leaf, unless it has
  double enough_hessian = HUGE_VAL;
  bool bounded = false;  // some column is monotone: leaf values have bounds
  double category_smoothing = 10.0;
  double category_l2 = 5.0;      // besides l2, where a category has more than few_levels
  double category_cost = 0.25;   // by which a set must gain more for each level but one, times the noise
  int32_t few_levels = 4;        // of a category
  double min_level_rows = 10.0;  // a level with fewer stays with the rest
};

struct NodeSums {
  int64_t total = 0;  // word
  int64_t n_rows = 0;
  double low = -HUGE_VAL, high = HUGE_VAL;  // bounds of the values below
  double least_gain = 0.0;                  // a split must gain more

  // min_gain, or what the rounding of gradients and hessians alone can pretend: values of the two sides that
  // differ by no more than (n / H) (unit of g + |v| unit of h) would be equal without it.
  void set_least_gain(const SplitOptions& options, const Units& units);
};

struct Split {
  double gain = 0.0;
  int32_t column = -1;  // -1: none
  int32_t bin = -1;     // numbers: codes up to it go left
  bool categorical = false;
  bool missing_left = false;
  bool sure = true;
  int64_t left = 0;                  // word: sums of the left side
  std::array<uint64_t, 4> levels{};  // categories: codes that go left
};

// -G / (H + l2), with G drawn to zero by l1.
inline double newton_step(double gradient, double hessian, double l1, double l2) {
  const double drawn = gradient > l1 ? gradient - l1 : gradient < -l1 ? gradient + l1 : 0.0;
  return hessian + l2 > 0.0 ? -drawn / (hessian + l2) : 0.0;
}

// The value of a leaf, before the learning rate.
double leaf_value(int64_t word, const NodeSums& bounds, const SplitOptions& options, const Units& units);

// `counts`: rows of the node by code of this column, or null. `bar`: the gain of a split of another column;
// one that gains less need not be found.
Split choose_split(const BinnedColumn& column, int32_t number, const int64_t* cells, const uint32_t* counts,
                   const NodeSums& node, const SplitOptions& options, const Units& units, double bar = 0.0);

// The best of some columns' splits, the first column among equals. One that may have too few rows on a side
// has its rows counted (`recount` gives the split with the counts of its column) and is asked again.
template <class Recount>
Split settle(std::vector<Split>& found, Recount recount) {
  while (!found.empty()) {
    const auto best = std::max_element(found.begin(), found.end(), [](const Split& a, const Split& b) {
      return a.gain < b.gain || (a.gain == b.gain && a.column > b.column);
    });
    if (best->column < 0 || best->sure) return *best;
    *best = recount(best->column);
  }
  return Split{};
}

// Whether a side of so many rows may be large enough, whatever their hessians.
bool may_suffice(int64_t n_rows, const SplitOptions& options, const Units& units);

// Which codes go left: 256 bytes of 0 and 1.
void fill_goes_left(const Split& split, const BinnedColumn& column, uint8_t* goes_left);

}  // namespace hedgerow::gradient

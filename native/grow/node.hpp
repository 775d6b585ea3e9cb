// An open node (its rows not yet parted) and a candidate split of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "grow/criterion.hpp"
#include "grow/grow.hpp"

namespace hedgerow {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Candidates whose gains differ by less than this share of the node's total impurity are tied; the first
// column, then the lowest threshold wins. Wide enough to swallow rounding, far too narrow to matter
// otherwise.
inline constexpr double kTie = 1e-11;

// Of a case: shares of rows that were sent down several branches do not add up to the last digit.
inline constexpr double kCaseSlack = 1e-6;

struct NodeStats {
  int64_t begin = 0, end = 0;  // part of every list
  double weight = 0;
  double impurity = 0;
  double centre = 0;  // regression: targets are taken from here; for squared error, nearly the mean
  double rest =
      0;  // regression: sum of weight * (target - centre); for squared error, what rounding left of it
  double merit = 0;  // of the node, around the centre
  double grid = 0;   // regression: what rounds weight * (target - centre); 0: nothing does (grid.hpp)
  bool pure = false;
  double lower = -kInfinity, upper = kInfinity;  // bounds on child values, from monotone columns above
  std::vector<double> moments;                   // classes: their weights; regression: the published value

  int64_t rows() const { return end - begin; }
  double tie() const { return kTie * weight * impurity; }

  // What is lost here without a split: guesses that are wrong, where these have a price; else impurity.
  double loss(const Limits& limits) const {
    if (limits.min_wrong > 0) return weight - *std::max_element(moments.begin(), moments.end());
    return weight * impurity;
  }
};

// Of a node's targets, without an order.
struct NumberFacts {
  double weight = 0, lowest = kInfinity, highest = -kInfinity;

  void add(double w, double y) {
    weight += w;
    lowest = std::min(lowest, y);
    highest = std::max(highest, y);
  }
};

// The price of a leaf, in units of loss: pruning will cut what does not gain that much (Limits).
//
// A leaf costs its loss and the price. Whatever grows from a node costs at least the smaller of that and two
// leaves without any loss. So a node that loses less than the price stays a leaf, and so does one that costs
// less than the least its children can.
struct LeafPrice {
  const Limits& limits;
  double price;

  LeafPrice(const Limits& limits, double root_weight)
      : limits(limits), price(std::max(limits.min_wrong, limits.min_loss) * root_weight) {}

  bool too_high_for(const NodeStats& node) const { return price > 0 && node.loss(limits) < price; }
  bool too_high_for(const NodeStats& node, const NodeStats& first, const NodeStats& second) const {
    return price > 0 && node.loss(limits) + price < least(first) + least(second);
  }
  double least(const NodeStats& node) const { return price + std::min(node.loss(limits), price); }
};

struct Candidate {
  double gain = -kInfinity;  // decrease of total impurity
  int32_t column = -1;
  int64_t position = 0;  // rows before this place of the list go to the first child (numbers)
  bool missing_left = false;
  double threshold = std::numeric_limits<double>::quiet_NaN();  // random splits

  bool found() const { return column >= 0; }
};

// Monotone columns: the children's values must be in order, and within what splits above have promised.
// Splits on free columns are not held to the promises; instead a node publishes its value clipped to them.
struct Guard {
  int direction = 0;
  double lower = -kInfinity, upper = kInfinity;

  bool active() const { return direction != 0; }
  bool allows(double first, double second) const {
    return (first - second) * direction <= 0 && first >= lower && first <= upper && second >= lower &&
           second <= upper;
  }
};

}  // namespace hedgerow

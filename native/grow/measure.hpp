// What a node is: weight, moments, impurity; one or two passes over its part of a list.
#pragma once

#include <algorithm>
#include <cmath>

#include "grow/grid.hpp"
#include "grow/node.hpp"
#include "grow/row_set.hpp"

namespace hedgerow {

// What follows from the weights of the classes.
template <Criterion Rule>
void stats_of_classes(NodeStats& node, const MomentContext& context) {
  int classes_present = 0;
  node.weight = 0;
  for (const double count : node.moments) {
    node.weight += count;
    classes_present += count > 0;
  }
  node.pure = classes_present <= 1;
  node.merit = Rule::merit(node.moments.data(), node.weight, context);
  node.impurity = node.pure ? 0.0 : std::max(0.0, Rule::impurity(node.moments.data(), node.weight, context));
}

// What is summed up of a node whose sums are exact. Losses are taken from the middle of the targets: that
// from the mean is less by the loss of the mean, for squares as for Poisson's deviance.
template <Criterion Rule>
struct NumberSums {
  double middle = 0, centre = 0, grid = 0, loss_grid = 0;

  static NumberSums around(const NumberFacts& facts) {
    NumberSums sums;
    sums.middle = facts.lowest + (facts.highest - facts.lowest) / 2;
    sums.centre = Rule::kCentred ? sums.middle : 0.0;
    const double far = std::max(facts.highest - sums.centre, sums.centre - facts.lowest);
    const double most = std::max(Rule::row_loss(1.0, facts.lowest, sums.middle),
                                 Rule::row_loss(1.0, facts.highest, sums.middle));
    sums.grid = grid_of(facts.weight * far);
    sums.loss_grid = grid_of(facts.weight * most);
    return sums;
  }
  double term(double w, double y) const { return round_to_grid(w * (y - centre), grid); }
  double loss(double w, double y) const { return round_to_grid(Rule::row_loss(w, y, middle), loss_grid); }

  void finish(const NumberFacts& facts, double rest, double loss, const MomentContext& context,
              NodeStats& node) const {
    node.weight = facts.weight;
    node.pure = facts.lowest == facts.highest;
    const double mean = node.pure ? facts.lowest : centre + rest / node.weight;
    node.centre = centre;
    node.grid = grid;
    node.rest = rest;
    node.moments.assign(1, mean);
    node.merit = Rule::merit(&node.rest, node.weight, context);
    const double least = Rule::row_loss(node.weight, mean, middle);
    node.impurity = node.pure ? 0.0 : std::max(0.0, (loss - least) / node.weight);
    node.pure |= !(node.impurity > 0);
  }
};

template <Criterion Rule, class Entry>
class Measure {
 public:
  Measure(const RowSet<Entry>& row_set, const MomentContext& context)
      : row_set_(row_set), context_(context) {}

  // `list` is the part itself, in any order; for absolute error, in the order of the target.
  void operator()(const Entry* list, NodeStats& node) const {
    if constexpr (Rule::kOfClasses)
      classes(list, node);
    else if constexpr (Rule::kMedian)
      median(list, node);
    else if (context_.exact)
      exact_mean(list, node);
    else
      mean(list, node);
  }

 private:
  double weight(uint32_t row) const { return row_set_.weight ? row_set_.weight[row] : 1.0; }

  void classes(const Entry* list, NodeStats& node) const {
    const int64_t n = node.rows();
    node.moments.assign(context_.n_moments, 0.0);
    if (row_set_.weight)
      for (int64_t i = 0; i < n; ++i) node.moments[row_set_.label(list[i])] += weight(row_set_.row(list[i]));
    else
      for (int64_t i = 0; i < n; ++i) node.moments[row_set_.label(list[i])] += 1.0;
    stats_of_classes<Rule>(node, context_);
  }

  void mean(const Entry* list, NodeStats& node) const {
    const int64_t n = node.rows();
    double sum = 0, lowest = kInfinity, highest = -kInfinity;
    node.weight = 0;
    for (int64_t i = 0; i < n; ++i) {
      const uint32_t row = row_set_.row(list[i]);
      const double w = weight(row), y = row_set_.target[row];
      node.weight += w;
      sum += w * y;
      lowest = std::min(lowest, y);
      highest = std::max(highest, y);
    }
    node.pure = lowest == highest;
    const double mean = node.pure ? lowest : sum / node.weight;
    double loss = 0, rest = 0;
    for (int64_t i = 0; i < n; ++i) {
      const uint32_t row = row_set_.row(list[i]);
      const double w = weight(row), y = row_set_.target[row];
      if constexpr (Rule::kCentred) rest += w * (y - mean);
      loss += Rule::row_loss(w, y, mean);
    }
    node.centre = Rule::kCentred ? mean : 0.0;
    node.rest = Rule::kCentred ? rest : sum;
    node.moments.assign(1, mean + (Rule::kCentred ? rest / node.weight : 0.0));
    node.merit = Rule::merit(&node.rest, node.weight, context_);
    if (Rule::kCentred) loss -= node.merit;
    node.impurity = node.pure ? 0.0 : std::max(0.0, loss / node.weight);
    node.pure |= !(node.impurity > 0);  // targets so close that their squares vanish
  }

  // The same from sums that have no order.
  void exact_mean(const Entry* list, NodeStats& node) const {
    const int64_t n = node.rows();
    NumberFacts facts;
    for (int64_t i = 0; i < n; ++i) {
      const uint32_t row = row_set_.row(list[i]);
      facts.add(weight(row), row_set_.target[row]);
    }
    const auto sums = NumberSums<Rule>::around(facts);
    double rest = 0, loss = 0;
    for (int64_t i = 0; i < n; ++i) {
      const uint32_t row = row_set_.row(list[i]);
      rest += sums.term(weight(row), row_set_.target[row]);
      loss += sums.loss(weight(row), row_set_.target[row]);
    }
    sums.finish(facts, rest, loss, context_, node);
  }

  void median(const Entry* list, NodeStats& node) const {
    const int64_t n = node.rows();
    node.weight = 0;
    for (int64_t i = 0; i < n; ++i) node.weight += weight(row_set_.row(list[i]));
    double below = 0, median = row_set_.target[row_set_.row(list[n - 1])];
    for (int64_t i = 0; i < n; ++i) {
      const uint32_t row = row_set_.row(list[i]);
      below += weight(row);
      if (below < node.weight / 2) continue;
      median = row_set_.target[row];
      if (below == node.weight / 2 && i + 1 < n)
        median += (row_set_.target[row_set_.row(list[i + 1])] - median) / 2;
      break;
    }
    double loss = 0;
    for (int64_t i = 0; i < n; ++i) {
      const uint32_t row = row_set_.row(list[i]);
      loss += Rule::row_loss(weight(row), row_set_.target[row], median);
    }
    node.pure = row_set_.target[row_set_.row(list[0])] == row_set_.target[row_set_.row(list[n - 1])];
    node.moments.assign(1, median);
    node.centre = median;
    node.merit = 0;
    node.impurity = node.pure ? 0.0 : loss / node.weight;
    node.pure |= !(node.impurity > 0);
  }

  const RowSet<Entry>& row_set_;
  const MomentContext& context_;
};

}  // namespace hedgerow

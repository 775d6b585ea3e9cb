// What a node is: weight, moments, impurity; one or two passes over its part of a list.
#pragma once

#include <algorithm>
#include <cmath>

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

// The rules that stop growing, shared by all growers: when a node is a leaf, when a split is good enough.
#pragma once

#include <algorithm>
#include <limits>

#include "grow/node.hpp"

namespace hedgerow {

// Neither child may be too small.
inline bool large_enough(const Limits& limits, int64_t left_rows, int64_t rows, double left_weight,
                         double weight) {
  return left_rows >= limits.min_rows_leaf && rows - left_rows >= limits.min_rows_leaf &&
         left_weight >= limits.min_weight_leaf && weight - left_weight >= limits.min_weight_leaf;
}
inline bool large_enough(const Limits& limits, int64_t left_rows, double left_weight, const NodeStats& node) {
  return large_enough(limits, left_rows, node.rows(), left_weight, node.weight);
}

// `cases`: the rows of the node, or their weight where rows may be shared out between branches.
inline bool must_be_leaf(const Limits& limits, const NodeStats& s, int32_t depth, double cases) {
  return s.pure || depth >= limits.max_depth || s.rows() < limits.min_rows_split ||
         s.weight < 2 * limits.min_weight_leaf || cases < 2.0 * static_cast<double>(limits.min_rows_leaf);
}
inline bool must_be_leaf(const Limits& limits, const NodeStats& s, int32_t depth) {
  return must_be_leaf(limits, s, depth, static_cast<double>(s.rows()));
}

// A gain below zero is a gain of zero and some rounding; a split without gain is still a split.
inline bool gains_enough(const Limits& limits, double gain, double root_weight) {
  return std::max(0.0, gain) / root_weight + std::numeric_limits<double>::epsilon() >= limits.min_decrease;
}

// Of the candidates that are tied with the best, the one that was looked at first; -1: none was found.
template <class Candidates, class GainOf>
int64_t first_of_the_best(const Candidates& found, double tie, GainOf gain_of) {
  double top = -kInfinity;
  for (const auto& candidate : found) top = std::max(top, gain_of(candidate));
  for (size_t i = 0; i < found.size(); ++i)
    if (found[i].found() && gain_of(found[i]) >= top - tie) return static_cast<int64_t>(i);
  return -1;
}

}  // namespace hedgerow

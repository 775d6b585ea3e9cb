// What a split criterion is.
//
// A node is summed up by moments (the weight of each class; or, for regression, the sum of weight * target)
// and its weight. `merit` is minus the node's total impurity, up to a term that a split does not change, so
// that
//     gain of a split = merit(left) + merit(right) - merit(node) >= 0.
// `impurity` is the published number, per unit of weight.
#pragma once

#include <concepts>
#include <string_view>

#include "criteria/logs.hpp"

namespace hedgerow {

struct MomentContext {
  int n_moments;               // classes, or 1
  const Logs* logs = nullptr;  // set when moments are whole numbers
};

template <class Rule>
concept Criterion = requires(const double* moments, double weight, const MomentContext& context) {
  { Rule::name } -> std::convertible_to<std::string_view>;
  { Rule::of_classes } -> std::convertible_to<bool>;
  { Rule::merit(moments, weight, context) } -> std::same_as<double>;
};

}  // namespace hedgerow

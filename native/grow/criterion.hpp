// What a split criterion is: one struct in one file of criteria/, found by the build (CMakeLists.txt).
//
// A node is summed up by moments (the weight of each class; or, for numbers, the sum of weight * target) and
// its weight. `merit` is minus the node's total impurity, up to a term that a split does not change, so that
//     gain of a split = merit(left) + merit(right) - merit(node) >= 0.
// `impurity` is the published number, per unit of weight; for numbers it is the mean of `row_loss`.
//
// A criterion starts from ClassCriterion or NumberCriterion, which say "no" to every trait, and says what is
// different. Growers and scans ask the traits, never the name; the name is the file's.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "grow/logs.hpp"

namespace hedgerow {

struct MomentContext {
  int n_moments;               // classes, or 1
  const Logs* logs = nullptr;  // set when moments are whole numbers and the criterion has kLogTable
  bool exact = false;          // regression: terms are rounded so that their sums are exact (grid.hpp)
};

// A faster pass over the thresholds of a column where two running sums decide (scan.hpp).
enum class FastScan {
  kNone,
  kScore,            // score.hpp: two-class Gini, squared error
  kEntropyGain,      // gains.hpp: two classes
  kExponentialGain,  // gains.hpp: two classes
};

struct CriterionDefaults {
  static constexpr int kOrder = 1000;              // its place in lists shown to users; then by name
  static constexpr bool kPublic = true;            // false: for the library's own use, not offered to users
  static constexpr bool kMedian = false;           // leaves predict medians; it has a scan of its own
  static constexpr bool kRatio = false;            // splits are compared by gain ratio; C4.5's rules apply
  static constexpr bool kCentred = false;          // moments are taken around the node's mean
  static constexpr bool kSquaredUnits = false;     // impurity is in squared units of the target: a variance
  static constexpr bool kNonNegative = false;      // targets must not be below zero
  static constexpr bool kSumsTerms = false;        // merit = finish(sum over classes of term(count))
  static constexpr bool kTermsAreSquares = false;  // term(c) = c * c and finish(s, w) = s / w
  static constexpr bool kLogTable = false;         // term(count) of whole counts is looked up in a table
  static constexpr FastScan kFastScan = FastScan::kNone;
};

struct ClassCriterion : CriterionDefaults {
  static constexpr bool kOfClasses = true;
};

struct NumberCriterion : CriterionDefaults {
  static constexpr bool kOfClasses = false;
};

template <class Rule>
concept HasTraits = requires {
  { Rule::kOrder } -> std::convertible_to<int>;
  { Rule::kFastScan } -> std::convertible_to<FastScan>;
  requires std::convertible_to<decltype(Rule::kPublic), bool>;
  requires std::convertible_to<decltype(Rule::kOfClasses), bool>;
  requires std::convertible_to<decltype(Rule::kMedian), bool>;
  requires std::convertible_to<decltype(Rule::kRatio), bool>;
  requires std::convertible_to<decltype(Rule::kCentred), bool>;
  requires std::convertible_to<decltype(Rule::kSquaredUnits), bool>;
  requires std::convertible_to<decltype(Rule::kNonNegative), bool>;
  requires std::convertible_to<decltype(Rule::kSumsTerms), bool>;
  requires std::convertible_to<decltype(Rule::kTermsAreSquares), bool>;
  requires std::convertible_to<decltype(Rule::kLogTable), bool>;
};

template <class Rule>
concept HasImpurity = requires(const double* shares, double weight, const MomentContext& context) {
  { Rule::impurity(shares, weight, context) } -> std::same_as<double>;
};

// weight * loss of a row with this target where `value` is predicted.
template <class Rule>
concept HasRowLoss = requires(double weight, double target, double value) {
  { Rule::row_loss(weight, target, value) } -> std::same_as<double>;
};

template <class Rule>
concept HasTerms = requires(double count, double weight, const MomentContext& context) {
  { Rule::term(count, context) } -> std::same_as<double>;
  { Rule::finish(count, weight, context) } -> std::same_as<double>;
};

template <class Rule>
concept HasMerit = requires(const double* moments, double weight, const MomentContext& context) {
  { Rule::merit(moments, weight, context) } -> std::same_as<double>;
};

// Gain ratio: the information of a split, the least weight of a branch, and the cost of choosing a threshold.
template <class Rule>
concept HasRatio = requires(const std::vector<double>& branches, double weight, int classes, int64_t tried) {
  { Rule::split_information(branches, weight, weight) } -> std::same_as<double>;
  { Rule::least_branch(weight, classes, weight) } -> std::same_as<double>;
  { Rule::threshold_cost(tried) } -> std::same_as<double>;
};

// Medians have no merit: their loss is not a function of sums.
template <class Rule>
concept Criterion =
    HasTraits<Rule> && (HasMerit<Rule> || Rule::kMedian) &&
    (Rule::kOfClasses ? HasImpurity<Rule> : HasRowLoss<Rule>) && (HasTerms<Rule> || !Rule::kSumsTerms) &&
    (HasRatio<Rule> || !Rule::kRatio) && !(Rule::kOfClasses && Rule::kMedian);

}  // namespace hedgerow

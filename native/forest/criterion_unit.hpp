// What is compiled for each criterion, in a unit of its own (the build writes it): all passes over rows.
#pragma once

#include <memory>

#include "forest/count_scan_of.hpp"
#include "grow/criterion_table.hpp"
#include "grow/rule_scan_of.hpp"

namespace hedgerow {

template <Criterion Rule>
void impurities_of(const double* shares, int64_t n, int n_classes, double* out) {
  const MomentContext context{n_classes, nullptr};
  for (int64_t i = 0; i < n; ++i) out[i] = Rule::impurity(shares + i * n_classes, 1.0, context);
}

template <Criterion Rule>
void losses_of(const double* target, const double* value, int64_t n, double* out) {
  for (int64_t i = 0; i < n; ++i) out[i] = Rule::row_loss(1.0, target[i], value[i]);
}

template <Criterion Rule>
void sum_numbers_of(const NumberFacts& facts, const double* target, const double* weight,
                    const uint32_t* rows, int64_t n, double& rest, double& loss) {
  const auto sums = NumberSums<Rule>::around(facts);
  for (int64_t i = 0; i < n; ++i) {
    rest += sums.term(weight[rows[i]], target[rows[i]]);
    loss += sums.loss(weight[rows[i]], target[rows[i]]);
  }
}

template <Criterion Rule>
void number_stats_of(const NumberFacts& facts, double rest, double loss, NodeStats& node) {
  NumberSums<Rule>::around(facts).finish(facts, rest, loss, {1, nullptr}, node);
}

template <Criterion Rule>
std::unique_ptr<CountScan> make_count_scan(const Limits& limits, const MomentContext& context) {
  return std::make_unique<CountScanOf<Rule>>(limits, context);
}

template <Criterion Rule>
CriterionFunctions functions_of() {
  CriterionFunctions functions;
  functions.scan32 = make_rule_scan<Rule, uint32_t>;
  functions.scan64 = make_rule_scan<Rule, uint64_t>;
  if constexpr (Rule::kSumsTerms && !Rule::kTermsAreSquares) functions.count_scan = make_count_scan<Rule>;
  if constexpr (Rule::kOfClasses) {
    functions.class_stats = stats_of_classes<Rule>;
    functions.impurities = impurities_of<Rule>;
  } else {
    functions.losses = losses_of<Rule>;
    if constexpr (!Rule::kMedian) {
      functions.sum_numbers = sum_numbers_of<Rule>;
      functions.number_stats = number_stats_of<Rule>;
    }
  }
  return functions;
}

}  // namespace hedgerow

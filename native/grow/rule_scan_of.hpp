// The answers of one criterion (rule_scan.hpp), compiled in the criterion's own unit.
#pragma once

#include <stdexcept>

#include "grow/measure.hpp"
#include "grow/rule_scan.hpp"
#include "grow/scan.hpp"
#include "grow/subsets.hpp"

namespace hedgerow {

template <Criterion Rule, class Entry>
class RuleScanOf final : public RuleScan<Entry> {
 public:
  RuleScanOf(const RowSet<Entry>& row_set, const Limits& limits, const MomentContext& context, Stop& stop)
      : context_(context),
        scan_(row_set, limits, context_, stop),
        subsets_(scan_, context_),
        measure_(row_set, context_) {}

  void measure(const Entry* list, NodeStats& node) const override { measure_(list, node); }

  double largest(const Entry* list, const NodeStats& node, const Guard& guard, double floor, ScanScratch& s,
                 uint8_t& distinct) const override {
    if constexpr (kSums)
      return scan_.largest(list, node, guard, floor, s, distinct);
    else
      return not_by_sums();
  }
  Candidate locate(const Entry* list, const NodeStats& node, const Guard& guard, double gain,
                   ScanScratch& s) const override {
    if constexpr (kSums)
      return scan_.locate(list, node, guard, gain, s);
    else
      return not_by_sums(), Candidate{};
  }

  void gather(const Entry* list, int64_t last, const NodeStats& node, Groups& groups) const override {
    subsets_.gather(list, last, node, groups);
  }
  Candidate best_subset(const Entry* list, const NodeStats& node, const Guard& guard, ScanScratch& s,
                        SubsetScratch& t) const override {
    if constexpr (kSums)
      return subsets_.best(list, node, guard, s, t);
    else
      return not_by_sums(), Candidate{};
  }
  Candidate random_subset(const Entry* list, const NodeStats& node, const Guard& guard, Random& random,
                          ScanScratch& s, SubsetScratch& t) const override {
    if constexpr (kSums)
      return subsets_.random(list, node, guard, random, s, t);
    else
      return not_by_sums(), Candidate{};
  }

  void add(const Entry* list, int64_t n, const NodeStats& node, double* moments,
           double& weight) const override {
    for (int64_t i = 0; i < n; ++i) scan_.add(list[i], node, moments, weight);
  }
  double merit(const double* moments, double weight) const override {
    if constexpr (kSums)
      return Rule::merit(moments, weight, context_);
    else
      return not_by_sums();
  }
  double gain(const double* left, double left_weight, const NodeStats& node, double* right) const override {
    if constexpr (kSums)
      return scan_.gain(left, left_weight, node, right);
    else
      return not_by_sums();
  }

  Candidate ratio_threshold(const Entry* list, int64_t last, const NodeStats& known, double minimum,
                            double& left_weight) const override {
    Candidate best;
    if constexpr (Rule::kRatio) {
      const double least = Rule::least_branch(known.weight, context_.n_moments, minimum);
      if (known.weight < 2 * least - kCaseSlack) return best;
      std::vector<double> left(context_.n_moments, 0.0), right(context_.n_moments);
      double weight = 0, top = 0;
      int64_t tried = 0;
      for (int64_t i = 0; i < last; ++i) {
        if (i && (list[i] & RowSet<Entry>::kBoundary) && weight >= least - kCaseSlack &&
            known.weight - weight >= least - kCaseSlack) {
          const double gain = scan_.gain(left.data(), weight, known, right.data());
          ++tried;
          if (gain > top + known.tie()) {
            top = gain;
            left_weight = weight;
            best.column = 0;
            best.position = i;
          }
        }
        scan_.add(list[i], known, left.data(), weight);
      }
      if (best.found()) best.gain = top - Rule::threshold_cost(tried);
    }
    return best;
  }
  double split_information([[maybe_unused]] const std::vector<double>& branches,
                           [[maybe_unused]] double missing_weight,
                           [[maybe_unused]] double weight) const override {
    if constexpr (Rule::kRatio)
      return Rule::split_information(branches, missing_weight, weight);
    else
      return 0.0;
  }

 private:
  static constexpr bool kSums = !Rule::kMedian;
  static double not_by_sums() { throw std::logic_error("medians are not found by sums"); }

  const MomentContext context_;
  Scan<Rule, Entry> scan_;
  SubsetScan<Rule, Entry> subsets_;
  Measure<Rule, Entry> measure_;
};

template <Criterion Rule, class Entry>
std::unique_ptr<RuleScan<Entry>> make_rule_scan(const RowSet<Entry>& row_set, const Limits& limits,
                                                const MomentContext& context, Stop& stop) {
  return std::make_unique<RuleScanOf<Rule, Entry>>(row_set, limits, context, stop);
}

}  // namespace hedgerow

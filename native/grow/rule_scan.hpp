// What a grower asks of a criterion: questions about one node, or about one column of one node.
//
// The passes over rows behind the answers are compiled for each criterion (scan.hpp, subsets.hpp,
// measure.hpp); growers are compiled once. A call costs a few nanoseconds a column and node, beside a pass
// over its rows.
#pragma once

#include <memory>

#include "common/random.hpp"
#include "grow/node.hpp"
#include "grow/row_set.hpp"
#include "grow/scratch.hpp"

namespace hedgerow {

template <class Entry>
class RuleScan {
 public:
  virtual ~RuleScan() = default;

  // Weight, moments, impurity of a node. `list` is its part of any list; medians: of the list by target.
  virtual void measure(const Entry* list, NodeStats& node) const = 0;

  // Numbers: how good the best threshold is, if it gains more than `floor`; and the first one that good.
  virtual double largest(const Entry* list, const NodeStats& node, const Guard& guard, double floor,
                         ScanScratch& s, uint8_t& distinct) const = 0;
  virtual Candidate locate(const Entry* list, const NodeStats& node, const Guard& guard, double gain,
                           ScanScratch& s) const = 0;

  // Categories: groups of equal levels, the best subset of them, a random one.
  virtual void gather(const Entry* list, int64_t last, const NodeStats& node, Groups& groups) const = 0;
  virtual Candidate best_subset(const Entry* list, const NodeStats& node, const Guard& guard, ScanScratch& s,
                                SubsetScratch& t) const = 0;
  virtual Candidate random_subset(const Entry* list, const NodeStats& node, const Guard& guard,
                                  Random& random, ScanScratch& s, SubsetScratch& t) const = 0;

  // The moments of n entries, added to what is there.
  virtual void add(const Entry* list, int64_t n, const NodeStats& node, double* moments,
                   double& weight) const = 0;
  virtual double merit(const double* moments, double weight) const = 0;
  // Also leaves the right child's moments in `right`.
  virtual double gain(const double* left, double left_weight, const NodeStats& node, double* right) const = 0;

  // Gain ratio only: C4.5's best threshold of the rows that answer, and the information of a split.
  virtual Candidate ratio_threshold(const Entry* list, int64_t last, const NodeStats& known, double minimum,
                                    double& left_weight) const = 0;
  virtual double split_information(const std::vector<double>& branches, double missing_weight,
                                   double weight) const = 0;
};

template <class Entry>
using MakeRuleScan = std::unique_ptr<RuleScan<Entry>> (*)(const RowSet<Entry>&, const Limits&,
                                                          const MomentContext&, Stop&);

}  // namespace hedgerow

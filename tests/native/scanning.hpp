// One column and one node that is the whole of it: what the tests of the scans share.
#pragma once

#include <memory>
#include <string>
#include <type_traits>

#include "check.hpp"
#include "criteria/entropy.hpp"
#include "criteria/gini.hpp"
#include "criteria/misclassification.hpp"
#include "criteria/poisson.hpp"
#include "criteria/squared_error.hpp"
#include "grow/measure.hpp"
#include "grow/scan.hpp"
#include "sample.hpp"

namespace scanning {

using namespace hedgerow;

// A criterion's name is its file's; here it is needed for the definitions in sample.hpp.
template <class Rule>
std::string name_of() {
  if (std::is_same_v<Rule, Gini>) return "gini";
  if (std::is_same_v<Rule, Entropy>) return "entropy";
  if (std::is_same_v<Rule, Misclassification>) return "misclassification";
  if (std::is_same_v<Rule, Poisson>) return "poisson";
  return "squared_error";
}

template <class Rule, class Entry>
struct Scene {
  sample::Sample s;
  GrowInput input;
  RowSet<Entry> row_set;
  std::unique_ptr<Logs> logs;
  MomentContext context;
  NodeStats node;
  Scan<Rule, Entry> scan;

  Scene(sample::Sample drawn, ThreadTeam& team)
      : s(std::move(drawn)),
        input(s.input()),
        row_set(whole_row_set<Entry>(input, false, team)),
        logs(s.weight.empty() && Rule::kLogTable ? std::make_unique<Logs>(row_set.n) : nullptr),
        context{Rule::kOfClasses ? s.n_classes : 1, logs.get()},
        scan(row_set, input.limits, context, team.stop()) {
    node.end = row_set.n;
    Measure<Rule, Entry>(row_set, context)(list(), node);
  }
  Scene(const Scene&) = delete;

  const Entry* list() const { return row_set.lists[0].data(); }

  double largest(const Guard& guard, double floor, ScanScratch& scratch) const {
    uint8_t distinct = 0;
    const double gain = scan.largest(list(), node, guard, floor, scratch, distinct);
    if (distinct) {  // it says so: no two rows have the same code
      const auto all_differ = [](Entry e) { return (e & RowSet<Entry>::kBoundary) != 0; };
      CHECK(std::all_of(list() + 1, list() + row_set.n, all_differ));
    }
    return gain;
  }

  // The column's answer to both questions: how good, and where.
  Candidate best(const Guard& guard, ScanScratch& scratch) const {
    const double gain = largest(guard, -kInfinity, scratch);
    return gain > -kInfinity ? scan.locate(list(), node, guard, gain, scratch) : Candidate{};
  }

  // Rows by "is it before this place of the list": what a candidate says.
  sample::Halves halves(const Candidate& c) const {
    sample::Halves h;
    for (int64_t i = 0; i < row_set.n; ++i) {
      const bool missing = (list()[i] & RowSet<Entry>::kMissing) != 0;
      ((missing ? c.missing_left : i < c.position) ? h.left : h.right)
          .push_back(row_set.source(row_set.row(list()[i])));
    }
    return h;
  }
};

inline bool allowed(const sample::Sample& s, const Guard& guard, const sample::Halves& h, double slack) {
  if (!guard.active()) return true;
  double first = sample::answer_of(s, h.left), second = sample::answer_of(s, h.right);
  if (s.criterion == "absolute_error") {  // the scan judges by the lowest of all medians
    first = sample::lowest_median_of(s, h.left);
    second = sample::lowest_median_of(s, h.right);
  }
  return (first - second) * guard.direction <= slack && std::min(first, second) >= guard.lower - slack &&
         std::max(first, second) <= guard.upper + slack;
}

// The best gains by the definitions. Rounding may decide whether a guard allows a split: two verdicts.
struct Best {
  double strict = -kInfinity, loose = -kInfinity;
  void offer(const sample::Sample& s, const sample::Rows& rows, const Guard& guard, const sample::Halves& h) {
    if (!sample::enough(s, h)) return;
    const double gain = sample::gain_of(s, rows, h.left, h.right);
    if (allowed(s, guard, h, -1e-9)) strict = std::max(strict, gain);
    if (allowed(s, guard, h, 1e-9)) loose = std::max(loose, gain);
  }
};

inline Guard draw_guard(sample::Dice& dice, const NodeStats& node, double answer) {
  Guard guard;
  if (node.pure || dice.chance(0.6)) return guard;
  guard.direction = static_cast<int>(dice.between(-1, 1));
  const double spread = std::sqrt(node.impurity) * 2;
  if (dice.chance(0.5)) guard.lower = answer - dice.unit() * spread;
  if (dice.chance(0.5)) guard.upper = answer + dice.unit() * spread;
  return guard;
}

inline void draw_limits(sample::Dice& dice, sample::Sample& s) {
  if (dice.chance(0.3)) s.limits.min_rows_leaf = dice.between(1, 1 + s.n / 3);
  if (dice.chance(0.2)) s.limits.min_weight_leaf = static_cast<double>(dice.between(0, 2 * s.n)) / 8;
}

}  // namespace scanning

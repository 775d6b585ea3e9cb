// Random training data for the tests, and what a node of it is by the definitions: sums over rows in plain
// loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "grow/grow.hpp"

namespace sample {

using Rows = std::vector<uint32_t>;

// The same numbers on every platform, unlike the standard distributions.
class Dice {
 public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  uint64_t bits() { return engine_(); }
  int64_t between(int64_t low, int64_t high) {  // both ends included
    return low + static_cast<int64_t>(bits() % static_cast<uint64_t>(high - low + 1));
  }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  bool chance(double p) { return unit() < p; }

 private:
  std::mt19937_64 engine_;
};

struct Column {
  std::vector<uint32_t> codes;  // n_codes = missing
  int64_t n_codes = 1;
  int32_t n_levels = 0;
  int8_t monotone = 0;
  int width = 4;
  std::vector<uint32_t> storage;  // the codes, `width` bytes each
  std::vector<double> values;

  bool missing(uint32_t row) const { return codes[row] == n_codes; }
  bool any_missing() const { return std::count(codes.begin(), codes.end(), n_codes) > 0; }

  void pack(int bytes) {
    width = bytes;
    storage.assign(codes.size(), 0);
    auto* to = reinterpret_cast<unsigned char*>(storage.data());
    for (size_t i = 0; i < codes.size(); ++i) {
      const auto one = static_cast<uint8_t>(codes[i]);
      const auto two = static_cast<uint16_t>(codes[i]);
      if (bytes == 1) std::memcpy(to + i, &one, 1);
      if (bytes == 2) std::memcpy(to + 2 * i, &two, 2);
      if (bytes == 4) std::memcpy(to + 4 * i, &codes[i], 4);
    }
  }
  void pack_any(Dice& dice) {
    const int64_t tightest = n_codes <= 255 ? 0 : n_codes <= 65535 ? 1 : 2;
    pack(1 << dice.between(tightest, 2));
  }
};

inline Column draw_column(Dice& dice, int64_t n, int64_t n_codes, double missing, int32_t n_levels = 0) {
  Column column;
  column.n_codes = n_codes;
  column.n_levels = n_levels;
  column.codes.resize(n);
  for (auto& code : column.codes)
    code = static_cast<uint32_t>(dice.chance(missing) ? n_codes : dice.between(0, n_codes - 1));
  double value = -2.0;
  for (int64_t c = 0; c < n_codes; ++c) column.values.push_back(value += 0.25 + dice.unit());
  column.pack_any(dice);
  return column;
}

struct Sample {
  int64_t n = 0;
  std::string criterion;
  std::vector<Column> columns;
  int32_t n_classes = 0;
  std::vector<int32_t> classes;
  std::vector<double> target, weight;
  Rows rows;  // empty: all
  hedgerow::Limits limits{100, 2, 1, 0.0, 0, 0.0, 1000, false};
  uint64_t seed = 0;
  bool trace = false;
  int64_t subtree_rows = 65536;

  bool of_classes() const { return n_classes > 0; }
  bool promises() const {
    return std::any_of(columns.begin(), columns.end(), [](const Column& c) { return c.monotone != 0; });
  }
  double w(uint32_t row) const { return weight.empty() ? 1.0 : weight[row]; }

  Rows used() const {
    if (!rows.empty()) return rows;
    Rows all(n);
    std::iota(all.begin(), all.end(), 0u);
    return all;
  }

  hedgerow::GrowInput input() const {  // borrows from this sample
    hedgerow::GrowInput in;
    in.n_rows = n;
    for (const Column& c : columns) {
      hedgerow::CodeColumn column;
      column.codes = c.storage.data();
      column.width = c.width;
      column.n_codes = c.n_codes;
      column.n_levels = c.n_levels;
      column.monotone = c.monotone;
      column.values = c.values.data();
      in.columns.push_back(column);
    }
    in.criterion = criterion;
    in.n_classes = n_classes;
    in.classes = of_classes() ? classes.data() : nullptr;
    in.target = of_classes() ? nullptr : target.data();
    in.weight = weight.empty() ? nullptr : weight.data();
    in.rows = rows.empty() ? nullptr : rows.data();
    in.n_used = static_cast<int64_t>(rows.size());
    in.limits = limits;
    in.seed = seed;
    in.trace = trace;
    in.subtree_rows = subtree_rows;
    return in;
  }
};

inline bool is_for_classes(const std::string& criterion) {
  return criterion == "gini" || criterion == "entropy" || criterion == "misclassification";
}

// Weights are eighths, so that their sums are exact in any order.
inline std::vector<double> draw_weights(Dice& dice, int64_t n) {
  std::vector<double> weight(n);
  for (auto& w : weight) w = static_cast<double>(dice.between(1, 40)) / 8;
  return weight;
}

inline void draw_target(Dice& dice, Sample& s, int32_t n_classes) {
  const bool tied = dice.chance(0.5);
  if (is_for_classes(s.criterion)) {
    s.n_classes = n_classes;
    for (int64_t i = 0; i < s.n; ++i)
      s.classes.push_back(static_cast<int32_t>(dice.between(0, n_classes - 1)));
  } else if (s.criterion == "poisson") {
    for (int64_t i = 0; i < s.n; ++i)
      s.target.push_back(static_cast<double>(std::max<int64_t>(0, dice.between(-2, 4))));
  } else {
    for (int64_t i = 0; i < s.n; ++i)
      s.target.push_back(tied ? static_cast<double>(dice.between(-3, 3)) / 4 : dice.unit() * 20 - 7);
  }
}

// --- a node by the definitions
// --------------------------------------------------------------------------------------
inline double weight_of(const Sample& s, const Rows& rows) {
  double sum = 0;
  for (const uint32_t row : rows) sum += s.w(row);
  return sum;
}

inline std::vector<double> shares_of(const Sample& s, const Rows& rows) {
  std::vector<double> count(s.n_classes, 0.0);
  for (const uint32_t row : rows) count[s.classes[row]] += s.w(row);
  return count;
}

inline double mean_of(const Sample& s, const Rows& rows) {
  long double sum = 0, weight = 0;
  for (const uint32_t row : rows)
    sum += static_cast<long double>(s.w(row)) * s.target[row], weight += s.w(row);
  return static_cast<double>(sum / weight);
}

// The middle of all points that are weighted medians.
inline double median_of(const Sample& s, const Rows& rows) {
  if (s.weight.empty()) {
    std::vector<double> y;
    for (const uint32_t row : rows) y.push_back(s.target[row]);
    const auto upper = y.begin() + static_cast<int64_t>(y.size() / 2);
    std::nth_element(y.begin(), upper, y.end());
    if (y.size() % 2) return *upper;
    const double low = *std::max_element(y.begin(), upper);
    return low + (*upper - low) / 2;
  }
  Rows order = rows;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return s.target[a] < s.target[b]; });
  const double half = weight_of(s, rows) / 2;
  double below = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    below += s.w(order[i]);
    const double y = s.target[order[i]];
    if (below == half) return y + (s.target[order[i + 1]] - y) / 2;
    if (below > half) return y;
  }
  return s.target[order.back()];
}

inline double lowest_median_of(const Sample& s, const Rows& rows) {
  Rows order = rows;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return s.target[a] < s.target[b]; });
  double below = 0;
  for (const uint32_t row : order)
    if ((below += s.w(row)) >= weight_of(s, rows) / 2) return s.target[row];
  return s.target[order.back()];
}

// What a node publishes, for monotone columns: the share of the second class, the mean or the median.
inline double answer_of(const Sample& s, const Rows& rows) {
  if (s.of_classes()) return shares_of(s, rows)[1] / weight_of(s, rows);
  return s.criterion == "absolute_error" ? median_of(s, rows) : mean_of(s, rows);
}

// Impurity times weight. Infinite for a Poisson node of zeros only, which must not arise from a split.
inline double loss_of(const Sample& s, const Rows& rows) {
  long double loss = 0;
  if (s.of_classes()) {
    const auto count = shares_of(s, rows);
    const long double weight = std::accumulate(count.begin(), count.end(), 0.0L);
    if (s.criterion == "misclassification")
      return static_cast<double>(weight - *std::max_element(count.begin(), count.end()));
    for (const long double c : count)
      if (c > 0) loss += s.criterion == "gini" ? c * (weight - c) / weight : c * std::log2(weight / c);
    return static_cast<double>(loss);
  }
  if (s.criterion == "absolute_error") {
    const double median = median_of(s, rows);
    for (const uint32_t row : rows) loss += s.w(row) * std::abs(s.target[row] - median);
    return static_cast<double>(loss);
  }
  const long double mean = mean_of(s, rows);
  if (s.criterion == "poisson" && !(mean > 0)) return std::numeric_limits<double>::infinity();
  for (const uint32_t row : rows) {
    const long double y = s.target[row], w = s.w(row);
    if (s.criterion == "poisson")
      loss += y > 0 ? w * y * std::log(y / mean) : 0.0L;
    else
      loss += w * (y - mean) * (y - mean);
  }
  return static_cast<double>(loss);
}

inline bool is_pure(const Sample& s, const Rows& rows) {
  for (const uint32_t row : rows)
    if (s.of_classes() ? s.classes[row] != s.classes[rows[0]] : s.target[row] != s.target[rows[0]])
      return false;
  return true;
}

inline double gain_of(const Sample& s, const Rows& rows, const Rows& left, const Rows& right) {
  return loss_of(s, rows) - loss_of(s, left) - loss_of(s, right);
}

// --- all splits of a node
// -------------------------------------------------------------------------------------------
struct Halves {
  Rows left, right;
};

template <class GoesLeft>
Halves halve(const Rows& rows, GoesLeft goes_left) {
  Halves halves;
  for (const uint32_t row : rows) (goes_left(row) ? halves.left : halves.right).push_back(row);
  return halves;
}

// Calls use(halves, code, missing_left) for each threshold "code <= ..." and each side of the missing cells.
template <class Use>
void each_threshold(const Column& column, const Rows& rows, Use use) {
  std::vector<uint32_t> present;
  for (const uint32_t row : rows)
    if (!column.missing(row)) present.push_back(column.codes[row]);
  const bool any_missing = present.size() < rows.size();
  std::sort(present.begin(), present.end());
  present.erase(std::unique(present.begin(), present.end()), present.end());
  for (const uint32_t code : present)
    for (const bool missing_left : {false, true}) {
      if (missing_left && (!any_missing || code == present.back())) continue;
      if (!any_missing && code == present.back()) continue;
      use(halve(rows, [&](uint32_t r) { return column.missing(r) ? missing_left : column.codes[r] <= code; }),
          code, missing_left);
    }
}

// The same for each set of the levels present.
template <class Use>
void each_subset(const Column& column, const Rows& rows, Use use) {
  std::vector<uint32_t> present;
  for (const uint32_t row : rows)
    if (!column.missing(row)) present.push_back(column.codes[row]);
  std::sort(present.begin(), present.end());
  present.erase(std::unique(present.begin(), present.end()), present.end());
  auto in = [&](uint32_t set, uint32_t row) {
    const auto at = std::lower_bound(present.begin(), present.end(), column.codes[row]) - present.begin();
    return (set >> at & 1) != 0;
  };
  for (uint32_t set = 0; set < (1u << present.size()); ++set) {
    // Missing cells on the left are the complement with missing cells on the right: one side is enough.
    const Halves halves = halve(rows, [&](uint32_t r) { return !column.missing(r) && in(set, r); });
    if (!halves.left.empty() && !halves.right.empty()) use(halves);
  }
}

inline bool enough(const Sample& s, const Halves& halves) {
  const auto& l = s.limits;
  return static_cast<int64_t>(std::min(halves.left.size(), halves.right.size())) >= l.min_rows_leaf &&
         std::min(weight_of(s, halves.left), weight_of(s, halves.right)) >= l.min_weight_leaf;
}

}  // namespace sample

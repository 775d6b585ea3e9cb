#include "forest/value_rows.hpp"

#include <limits>

#include "common/simd.hpp"
#include "forest/random_scan.hpp"
#include "grow/grid.hpp"
#include "grow/row_set.hpp"
#include "grow/score.hpp"
#include "grow/stop_rules.hpp"

namespace hedgerow {
namespace {

constexpr int64_t kLanes = 8;
constexpr int64_t kMostCells = 1 << 20;  // of a level: the smaller subtrees of wide tables alone have values

const double* row_at(const double* values, int64_t stride, uint64_t row) {
  return values + static_cast<int64_t>(static_cast<uint32_t>(row)) * stride;
}

HEDGEROW_CLONES
void find_ranges(const double* values, int64_t stride, const uint64_t* rows, int64_t n, double* lowest,
                 double* highest) {
  for (int64_t first = 0; first < stride; first += kLanes) {
    double low[kLanes], high[kLanes];
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      low[lane] = std::numeric_limits<double>::infinity();
      high[lane] = -low[lane];
    }
    for (int64_t i = 0; i < n; ++i) {
      const double* at = row_at(values, stride, rows[i]) + first;
      HEDGEROW_WIDE_LOOP
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        low[lane] = at[lane] < low[lane] ? at[lane] : low[lane];
        high[lane] = at[lane] > high[lane] ? at[lane] : high[lane];
      }
    }
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      lowest[first + lane] = low[lane];
      highest[first + lane] = high[lane];
    }
  }
}

// Of the rows that are not above the column's threshold: how many there are and the sum of `product`.
HEDGEROW_CLONES
void sum_rows_below(const double* values, int64_t stride, const uint64_t* rows, int64_t n,
                    const double* threshold, const double* product, const double* weight, double* sums,
                    double* weights) {
  for (int64_t first = 0; first < stride; first += kLanes) {
    double sum[kLanes] = {}, all[kLanes] = {}, most[kLanes];
    for (int64_t lane = 0; lane < kLanes; ++lane) most[lane] = threshold[first + lane];
    for (int64_t i = 0; i < n; ++i) {
      const double* at = row_at(values, stride, rows[i]) + first;
      const double x = product[i], w = weight ? weight[i] : 1.0;
      HEDGEROW_WIDE_LOOP
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        const double taken = at[lane] <= most[lane] ? 1.0 : 0.0;
        sum[lane] += taken * x;
        all[lane] += taken * w;
      }
    }
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      sums[first + lane] = sum[lane];
      weights[first + lane] = all[lane];
    }
  }
}

// draw_between for many columns; those that are constant get their value.
HEDGEROW_CLONES
void draw_thresholds(uint64_t node_key, const int32_t* columns, int64_t n, const double* low,
                     const double* high, uint64_t* bits, double* threshold) {
  for (int64_t k = 0; k < n; ++k) bits[k] = threshold_bits(node_key, columns[k]);
  for (int64_t k = 0; k < n; ++k) {
    const double drawn = low[k] + unit_of(bits[k]) * (high[k] - low[k]);
    threshold[k] = drawn >= high[k] ? low[k] : drawn;
  }
}

struct Least {
  double rows, weight;  // of a child
};

HEDGEROW_CLONES
void find_gains(const double* sum, const double* weight, const double* rows, const double* low,
                const double* high, int64_t n, double n_rows, ScoreTotals total, Least least, double* gain) {
  for (int64_t k = 0; k < n; ++k) {
    const double w = weight[k], rest = total.weight - w, left = rows[k], right = n_rows - left;
    const double difference = sum[k] * total.weight - total.sum * w;
    const bool enough = (w > 0) & (rest > 0) & (left >= least.rows) & (right >= least.rows) &
                        (w >= least.weight) & (rest >= least.weight);
    const double found = enough ? difference * difference / (w * rest) / total.weight : -kInfinity;
    gain[k] = low[k] == high[k] ? std::numeric_limits<double>::quiet_NaN() : found;
  }
}

bool has_missing(const GrowInput& input, const CodeColumn& column) {
  for (int64_t i = 0; i < input.n_rows; ++i)
    if (code_at(column, static_cast<uint32_t>(i)) == column.n_codes) return true;
  return false;
}

}  // namespace

ValueRows::ValueRows(const GrowInput& input, const Records& records) : input_(input), records_(records) {
  const auto d = static_cast<int32_t>(input.columns.size());
  slot_.assign(d, -1);
  for (int32_t j = 0; j < d; ++j) {
    const CodeColumn& column = input.columns[j];
    if (column.n_levels || has_missing(input, column)) continue;
    slot_[j] = static_cast<int32_t>(columns_.size());
    columns_.push_back(j);
  }
  if (columns_.empty()) return;
  stride_ = (static_cast<int64_t>(columns_.size()) + kLanes - 1) / kLanes * kLanes;
  first_level_ = 1;
  while (first_level_ <= kLevels && Blocks::kMostRows[first_level_ - 1] * stride_ > kMostCells)
    ++first_level_;
  bits_.resize(stride_);
  for (auto* part : {&low_, &high_, &threshold_, &sum_, &weight_, &rows_, &gain_}) part->resize(stride_);
}

void ValueRows::read(int level, const uint8_t* codes, int64_t n) {
  values_[level].assign(n * stride_, 0.0);
  constexpr int64_t kRows = 64;  // whose values stay in the nearest cache
  for (int64_t first = 0; first < n; first += kRows) {
    const int64_t last = std::min(n, first + kRows);
    for (size_t slot = 0; slot < columns_.size(); ++slot) {
      const int32_t j = columns_[slot];
      const double* table = input_.columns[j].values;
      const uint8_t* at = codes + records_.offset[j];
      double* to = values_[level].data() + slot;
      with_reader(records_, j, [&](auto read) {
        for (int64_t i = first; i < last; ++i) to[i * stride_] = table[read(at + i * records_.stride)];
      });
    }
  }
}

void ValueRows::copy(int from, int level, const uint64_t* rows, int64_t n) {
  auto& to = values_[level];
  to.resize(n * stride_);
  for (int64_t i = 0; i < n; ++i)
    std::memcpy(to.data() + i * stride_, row_at(values_[from].data(), stride_, rows[i]),
                sizeof(double) * stride_);
}

void ValueRows::measure(const Node& node, const Limits& limits) {
  const int64_t n = node.stats.rows();
  const double* values = values_[node.level].data();
  find_ranges(values, stride_, node.rows, n, low_.data(), high_.data());
  const auto d = static_cast<int64_t>(columns_.size());
  draw_thresholds(node.key, columns_.data(), d, low_.data(), high_.data(), bits_.data(), threshold_.data());
  product_.resize(n);
  for (int64_t i = 0; i < n; ++i)
    product_[i] = round_to_grid((node.weight ? node.weight[i] : 1.0) * (node.target[i] - node.stats.centre),
                                node.stats.grid);
  sum_rows_below(values, stride_, node.rows, n, threshold_.data(), product_.data(), node.weight, sum_.data(),
                 weight_.data());
  const double* rows = weight_.data();
  Least least{static_cast<double>(limits.min_rows_leaf), limits.min_weight_leaf};
  if (node.weight && limits.min_rows_leaf > 1) {
    sum_rows_below(values, stride_, node.rows, n, threshold_.data(), product_.data(), nullptr, gain_.data(),
                   rows_.data());
    rows = rows_.data();
  } else if (node.weight) {
    least.rows = -kInfinity;  // there is a row on either side, and nobody counts them
  }
  find_gains(sum_.data(), weight_.data(), rows, low_.data(), high_.data(), d, static_cast<double>(n),
             {node.stats.rest, node.stats.weight}, least, gain_.data());
}

}  // namespace hedgerow

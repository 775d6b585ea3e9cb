#include "svm/rows.hpp"

#include <algorithm>
#include <cmath>

namespace hedgerow::svm {

std::vector<double> centre_of(const Source& source) {
  if (!source.dense) return {};
  std::vector<double> mean(source.columns, 0.0), spread(source.columns, 0.0);
  const double share = 1.0 / static_cast<double>(source.rows);  // before summing: huge numbers stay finite
  for (int64_t i = 0; i < source.rows; ++i)
    for (int64_t k = 0; k < source.columns; ++k) mean[k] += source.dense[i * source.columns + k] * share;
  for (int64_t i = 0; i < source.rows; ++i)
    for (int64_t k = 0; k < source.columns; ++k)
      spread[k] += std::abs(source.dense[i * source.columns + k] - mean[k]) * share;
  // A mean that one far row has made would move all others away from zero.
  for (int64_t k = 0; k < source.columns; ++k)
    if (std::abs(mean[k]) < 4 * spread[k]) mean[k] = 0.0;
  return mean;
}

TakenRows::TakenRows(const Source& from, const int32_t* list, int64_t count) {
  source_.rows = count;
  source_.columns = from.columns;
  if (from.dense) {
    values_.reserve(size_t(count * from.columns) + 1);  // dense, even without a column
    for (int64_t i = 0; i < count; ++i) {
      const double* row = from.dense + list[i] * from.columns;
      values_.insert(values_.end(), row, row + from.columns);
    }
    source_.dense = values_.data();
    return;
  }
  starts_.push_back(0);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t first = from.starts[list[i]], end = from.starts[list[i] + 1];
    at_.insert(at_.end(), from.at + first, from.at + end);
    values_.insert(values_.end(), from.values + first, from.values + end);
    starts_.push_back(int64_t(values_.size()));
  }
  source_.starts = starts_.data();
  source_.at = at_.data();
  source_.values = values_.data();
}

namespace {

constexpr int64_t kWide = 64;         // columns, from which on it is worth to
constexpr double kMostlyZero = 0.25;  // leave out zeros if so few cells are not

template <class T>
void list_filled(Rows<T>& rows) {
  if (rows.columns < kWide) return;
  const auto cells = int64_t(rows.dense.size());
  const int64_t zeros = std::count(rows.dense.begin(), rows.dense.end(), T(0));
  if (double(cells - zeros) > kMostlyZero * double(cells)) return;
  rows.filled.reserve(size_t(cells - zeros));
  rows.filled_starts.push_back(0);
  for (int64_t i = 0; i < rows.rows; ++i) {
    const T* row = rows.row(i);
    for (int64_t k = 0; k < rows.columns; ++k)
      if (row[k] != T(0)) rows.filled.push_back(int32_t(k));
    rows.filled_starts.push_back(int64_t(rows.filled.size()));
  }
}

}  // namespace

template <class T>
Rows<T> read_rows(const Source& source, const std::vector<double>& centre, double scale) {
  Rows<T> rows;
  rows.rows = source.rows;
  rows.columns = source.columns;
  rows.norm.assign(source.rows, T(0));
  if (source.dense) {
    rows.dense.resize(source.rows * source.columns);
    for (int64_t i = 0; i < source.rows; ++i) {
      const double* from = source.dense + i * source.columns;
      T* to = rows.dense.data() + i * source.columns;
      T norm = 0;
      for (int64_t k = 0; k < source.columns; ++k) {
        const double x = centre.empty() ? from[k] : from[k] - centre[k];
        to[k] = static_cast<T>(x * scale);
        norm += to[k] * to[k];
      }
      rows.norm[i] = norm;
    }
    list_filled(rows);
    return rows;
  }
  rows.starts = source.starts;
  rows.at = source.at;
  const int64_t cells = source.starts[source.rows];
  rows.values.resize(cells);
  for (int64_t e = 0; e < cells; ++e) rows.values[e] = static_cast<T>(source.values[e] * scale);
  for (int64_t i = 0; i < source.rows; ++i) {
    T norm = 0;
    for (int64_t e = source.starts[i]; e < source.starts[i + 1]; ++e) norm += rows.values[e] * rows.values[e];
    rows.norm[i] = norm;
  }
  return rows;
}

template Rows<float> read_rows<float>(const Source&, const std::vector<double>&, double);
template Rows<double> read_rows<double>(const Source&, const std::vector<double>&, double);

}  // namespace hedgerow::svm

// What the bindings of gradient boosting share: columns of numbers, columns of bin codes, totals.
#pragma once

#include "bindings/bindings.hpp"
#include "common/exact_sum.hpp"
#include "gradient/bin.hpp"
#include "gradient/row_windows.hpp"

namespace hedgerow::bindings {

using namespace hedgerow::gradient;

template <class T>
using InOutMatrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using InOutRow = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline std::vector<NumberColumn> number_columns(const std::vector<AnyColumn>& numbers) {
  std::vector<NumberColumn> columns;
  for (const AnyColumn& c : numbers) {
    same_length(c.shape(0), numbers[0].shape(0), "a column");
    columns.push_back({c.data(), is_wide(c.dtype()), c.stride(0)});
  }
  return columns;
}

// Of sparse columns (gradient/sparse.hpp): usual, and where a column's other cells begin, their rows, their
// codes.
using OthersTuple = std::tuple<In<int32_t>, In<int64_t>, In<uint32_t>, In<uint8_t>>;

inline void check_others(const OthersTuple& others, size_t d) {
  const auto& [usual, start, row, code] = others;
  same_length(usual.shape(0), d, "usual");
  same_length(start.shape(0), d + 1, "start");
  same_length(code.shape(0), row.shape(0), "code");
  for (size_t j = 0; j < d; ++j)
    if (start.data()[j] < 0 || start.data()[j] > start.data()[j + 1])
      throw nb::value_error("start must rise");
  if (start.data()[d] > static_cast<int64_t>(row.shape(0))) throw nb::value_error("start is out of range");
}

inline void set_others(BinnedColumn& column, const OthersTuple& others, size_t j) {
  const auto& [usual, start, row, code] = others;
  column.usual = usual.data()[j];
  column.n_others = start.data()[j + 1] - start.data()[j];
}

inline void set_others(BinnedTable& table, const OthersTuple& others) {
  const auto& [usual, start, row, code] = others;
  table.other_start = start.data();
  table.other_row = row.data();
  table.other_code = code.data();
}

inline BinnedTable table_of(const InMatrix<uint8_t>& codes, const In<int32_t>& n_bins,
                            const In<uint8_t>& has_missing,
                            const std::optional<In<uint8_t>>& categorical = {},
                            const std::optional<In<int8_t>>& monotone = {},
                            const std::optional<OthersTuple>& others = {}) {
  const size_t d = n_bins.shape(0);
  if (d == 0 || codes.shape(1) > 0x3fffffff) throw nb::value_error("no columns, or more than 2^30 rows");
  if (has_missing.shape(0) != d || (categorical && categorical->shape(0) != d) ||
      (monotone && monotone->shape(0) != d))
    throw nb::value_error("n_bins, has_missing, categorical and monotone need one entry a column");
  if (others) check_others(*others, d);
  std::vector<BinnedColumn> columns;
  for (size_t j = 0; j < d; ++j) {
    BinnedColumn c{n_bins.data()[j], has_missing.data()[j] != 0};
    if (categorical) c.categorical = categorical->data()[j] != 0;
    if (monotone) c.monotone = monotone->data()[j];
    if (others) set_others(c, *others, j);
    if (c.usual >= c.n_codes()) throw nb::value_error("a usual code is larger than its column has");
    if (c.usual < kNeverSplit) throw nb::value_error("a usual code is below -2");
    if (c.n_bins < 0 || c.n_codes() > kMaxCodes) throw nb::value_error("a column has more than 256 codes");
    columns.push_back(c);
  }
  BinnedTable table(std::move(columns), static_cast<int64_t>(codes.shape(1)));
  same_length(codes.shape(0), static_cast<size_t>(table.n_dense_columns()), "codes");
  table.codes = codes.data();
  if (others) set_others(table, *others);
  return table;
}

inline std::vector<LeafRows> leaf_rows(const In<int64_t>& begin, const In<int64_t>& n_rows, size_t rows) {
  std::vector<LeafRows> leaves;
  for (size_t t = 0; t < begin.shape(0); ++t) {
    const LeafRows leaf{begin.data()[t], begin.data()[t] + n_rows.data()[t]};
    if (leaf.begin < 0 || leaf.end < leaf.begin || leaf.end > static_cast<int64_t>(rows))
      throw nb::value_error("a leaf's rows are out of range");
    leaves.push_back(leaf);
  }
  return leaves;
}

inline Out<int64_t> give_sum(const ExactSum& sum) {
  return give(std::vector<int64_t>(sum.words().begin(), sum.words().end()));
}

}  // namespace hedgerow::bindings

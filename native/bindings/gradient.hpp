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

inline BinnedTable table_of(const InMatrix<uint8_t>& codes, const In<int32_t>& n_bins,
                            const In<uint8_t>& has_missing, const In<uint8_t>& categorical,
                            const In<int8_t>& monotone, const std::optional<In<int32_t>>& usual = {}) {
  BinnedTable table;
  const size_t d = codes.shape(0);
  table.n_rows = static_cast<int64_t>(codes.shape(1));
  if (d == 0 || table.n_rows > 0x3fffffff) throw nb::value_error("no columns, or more than 2^30 rows");
  if (n_bins.shape(0) != d || has_missing.shape(0) != d || categorical.shape(0) != d ||
      monotone.shape(0) != d)
    throw nb::value_error("n_bins, has_missing, categorical and monotone need one entry a column");
  if (usual) same_length(usual->shape(0), d, "usual");
  for (size_t j = 0; j < d; ++j) {
    BinnedColumn c{n_bins.data()[j], has_missing.data()[j] != 0, categorical.data()[j] != 0,
                   monotone.data()[j]};
    if (usual) c.usual = usual->data()[j];
    if (c.usual >= c.n_codes()) throw nb::value_error("a usual code is larger than its column has");
    if (c.n_bins < 0 || c.n_codes() > kMaxCodes) throw nb::value_error("a column has more than 256 codes");
    table.columns.push_back(c);
  }
  table.codes = codes.data();
  table.groups = gradient::Groups(table.columns, table.n_rows);
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

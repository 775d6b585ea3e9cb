// What growing one tree and growing many have in common at the door: columns of codes in, nodes out.
#pragma once

#include "bindings/bindings.hpp"
#include "grow/grow.hpp"

namespace hedgerow::door {

inline CodeColumn code_column(const AnyColumn& codes, int64_t n_codes, int32_t n_levels, int8_t monotone) {
  CodeColumn column;
  column.codes = codes.data();
  column.n_codes = n_codes;
  column.n_levels = n_levels;
  column.monotone = monotone;
  if (codes.dtype() == nb::dtype<uint8_t>())
    column.width = 1;
  else if (codes.dtype() == nb::dtype<uint16_t>())
    column.width = 2;
  else if (codes.dtype() == nb::dtype<uint32_t>())
    column.width = 4;
  else
    throw nb::type_error("codes must be uint8, uint16 or uint32");
  if (codes.shape(0) > 1 && codes.stride(0) != 1) throw nb::value_error("codes must be contiguous");
  return column;
}

inline void check_codes(const GrowInput& input) {
  auto check = [&](const auto* codes, const CodeColumn& c) {
    for (int64_t i = 0; i < input.n_rows; ++i)
      if (codes[i] > c.n_codes)
        throw std::invalid_argument("a code is larger than its column's number of codes");
  };
  for (const auto& c : input.columns) {
    if (c.width == 1) check(static_cast<const uint8_t*>(c.codes), c);
    if (c.width == 2) check(static_cast<const uint16_t*>(c.codes), c);
    if (c.width == 4) check(static_cast<const uint32_t*>(c.codes), c);
  }
  if (input.classes)
    for (int64_t i = 0; i < input.n_rows; ++i)
      if (input.classes[i] < 0 || input.classes[i] >= input.n_classes)
        throw std::invalid_argument("a class is not in 0 .. n_classes - 1");
  for (int64_t i = 0; i < (input.rows ? input.n_used : 0); ++i)
    if (input.rows[i] >= input.n_rows) throw std::invalid_argument("a row number is out of range");
}

inline nb::tuple grown_tuple(GrownTree&& tree, size_t d) {
  const auto nodes = static_cast<size_t>(tree.size()), outputs = static_cast<size_t>(tree.n_moments);
  const size_t traced = tree.trace_gain.empty() ? 0 : nodes;
  nb::list out;
  out.append(give(std::move(tree.feature)));
  out.append(give(std::move(tree.kind)));
  out.append(give(std::move(tree.threshold)));
  out.append(give(std::move(tree.low_row)));
  out.append(give(std::move(tree.high_row)));
  out.append(give(std::move(tree.subset_start)));
  out.append(give(std::move(tree.subset_bits)));
  out.append(give(std::move(tree.first_child)));
  out.append(give(std::move(tree.n_children)));
  out.append(give(std::move(tree.missing_branch)));
  out.append(give_matrix(std::move(tree.value), nodes, outputs));
  out.append(give(std::move(tree.weight)));
  out.append(give(std::move(tree.n_rows)));
  out.append(give(std::move(tree.impurity)));
  const size_t with_ratio = tree.trace_ratio.empty() ? 0 : nodes;
  out.append(give_matrix(std::move(tree.trace_gain), traced, d));
  out.append(give_matrix(std::move(tree.trace_ratio), with_ratio, d));
  out.append(give_matrix(std::move(tree.trace_low), traced, d));
  out.append(give_matrix(std::move(tree.trace_high), traced, d));
  out.append(give(std::move(tree.stand_node)));
  out.append(give(std::move(tree.stand_feature)));
  out.append(give(std::move(tree.stand_first_below)));
  out.append(give(std::move(tree.stand_low)));
  out.append(give(std::move(tree.stand_high)));
  out.append(give(std::move(tree.stand_subset)));
  out.append(give(std::move(tree.stand_bits)));
  out.append(give(std::move(tree.stand_agreement)));
  out.append(give(std::move(tree.stand_adjusted)));
  return nb::tuple(out);
}

}  // namespace hedgerow::door

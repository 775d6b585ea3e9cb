// What growing one tree and growing many have in common in the bindings: columns of codes in, nodes out.
#pragma once

#include <string>
#include <type_traits>

#include "bindings/bindings.hpp"
#include "grow/grow.hpp"

namespace hedgerow::bindings {

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

// The fields of Limits (grow/limits.py), by name.
inline void read_limits(const nb::dict& given, GrowInput& input) {
  size_t read = 0;
  auto take = [&](const char* name, auto& to) {
    if (!given.contains(name)) throw nb::value_error((std::string("limits lack ") + name).c_str());
    to = nb::cast<std::remove_reference_t<decltype(to)>>(given[name]);
    ++read;
  };
  Limits& limits = input.limits;
  take("max_depth", limits.max_depth);
  take("min_rows_split", limits.min_rows_split);
  take("min_rows_leaf", limits.min_rows_leaf);
  take("min_weight_leaf", limits.min_weight_leaf);
  take("max_leaves", limits.max_leaves);
  take("min_decrease", limits.min_decrease);
  take("min_wrong", limits.min_wrong);
  take("min_loss", limits.min_loss);
  take("max_features", limits.max_features);
  take("random_splits", limits.random_splits);
  take("redraw", limits.redraw);
  take("multiway", input.multiway);
  take("fractional", input.fractional);
  take("surrogates", input.surrogates);
  if (read != given.size()) throw nb::value_error("limits hold a name that is no limit");
}

// By name: class Grown (grow/grow.py).
inline nb::dict give_tree(GrownTree&& tree, size_t d) {
  const auto nodes = static_cast<size_t>(tree.size()), outputs = static_cast<size_t>(tree.n_moments);
  const size_t traced = tree.trace_gain.empty() ? 0 : nodes;
  const size_t with_ratio = tree.trace_ratio.empty() ? 0 : nodes;
  nb::dict out;
  out["feature"] = give(std::move(tree.feature));
  out["kind"] = give(std::move(tree.kind));
  out["threshold"] = give(std::move(tree.threshold));
  out["low_row"] = give(std::move(tree.low_row));
  out["high_row"] = give(std::move(tree.high_row));
  out["subset_start"] = give(std::move(tree.subset_start));
  out["subset_bits"] = give(std::move(tree.subset_bits));
  out["first_child"] = give(std::move(tree.first_child));
  out["n_children"] = give(std::move(tree.n_children));
  out["missing_branch"] = give(std::move(tree.missing_branch));
  out["value"] = give_matrix(std::move(tree.value), nodes, outputs);
  out["weight"] = give(std::move(tree.weight));
  out["n_rows"] = give(std::move(tree.n_rows));
  out["impurity"] = give(std::move(tree.impurity));
  out["trace_gain"] = give_matrix(std::move(tree.trace_gain), traced, d);
  out["trace_ratio"] = give_matrix(std::move(tree.trace_ratio), with_ratio, d);
  out["trace_low"] = give_matrix(std::move(tree.trace_low), traced, d);
  out["trace_high"] = give_matrix(std::move(tree.trace_high), traced, d);
  out["surrogate_node"] = give(std::move(tree.surrogate_node));
  out["surrogate_feature"] = give(std::move(tree.surrogate_feature));
  out["surrogate_first_below"] = give(std::move(tree.surrogate_first_below));
  out["surrogate_low"] = give(std::move(tree.surrogate_low));
  out["surrogate_high"] = give(std::move(tree.surrogate_high));
  out["surrogate_start"] = give(std::move(tree.surrogate_subset));
  out["surrogate_bits"] = give(std::move(tree.surrogate_bits));
  out["surrogate_agreement"] = give(std::move(tree.surrogate_agreement));
  out["surrogate_adjusted"] = give(std::move(tree.surrogate_adjusted));
  return out;
}

}  // namespace hedgerow::bindings

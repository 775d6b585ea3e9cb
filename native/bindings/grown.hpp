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

// Sparse columns, as encode/sparse.py has them. Borrowed like all arrays; they outlive the columns made of
// them.
struct SparseIn {
  In<int64_t> start;
  In<uint32_t> row, code, rest;
  In<int64_t> value_start;
  In<double> values;
  In<int64_t> edge_start;
  In<double> edges;

  explicit SparseIn(const nb::tuple& given) {
    std::tie(start, row, code, rest, value_start, values, edge_start, edges) =
        nb::cast<std::tuple<In<int64_t>, In<uint32_t>, In<uint32_t>, In<uint32_t>, In<int64_t>, In<double>,
                            In<int64_t>, In<double>>>(given);
    const size_t d = rest.shape(0);
    check_starts(start, d, row.shape(0), "entries");
    check_starts(value_start, d, values.shape(0), "values");
    check_starts(edge_start, d, edges.shape(0), "edges");
    same_length(code.shape(0), row.shape(0), "codes of entries");
  }
  size_t n_columns() const { return rest.shape(0); }
  const double* edges_of(size_t j) const {
    return edge_start.data()[j] < edge_start.data()[j + 1] ? edges.data() + edge_start.data()[j] : nullptr;
  }

  CodeColumn column(size_t j, int64_t n_codes, int64_t n_rows, int8_t monotone) const {
    CodeColumn out;
    const int64_t begin = start.data()[j];
    out.sparse = true;
    out.codes = code.data() + begin;
    out.width = 4;
    out.n_codes = n_codes;
    out.monotone = monotone;
    out.values = values.data() + value_start.data()[j];
    out.entry_rows = row.data() + begin;
    out.n_entries = start.data()[j + 1] - begin;
    out.rest = rest.data()[j];
    for (int64_t e = 0; e < out.n_entries; ++e)
      if (out.entry_rows[e] >= n_rows || (e && out.entry_rows[e] <= out.entry_rows[e - 1]))
        throw nb::value_error("the rows of a sparse column must ascend");
    if (!edges_of(j) && value_start.data()[j + 1] - value_start.data()[j] < n_codes)
      throw nb::value_error("a column of numbers needs the value of each code, or the edges of its bins");
    return out;
  }

 private:
  static void check_starts(const In<int64_t>& starts, size_t d, size_t end, const char* what) {
    bool good =
        starts.shape(0) == d + 1 && starts.data()[0] == 0 && static_cast<size_t>(starts.data()[d]) == end;
    for (size_t j = 0; good && j < d; ++j) good = starts.data()[j] <= starts.data()[j + 1];
    if (!good)
      throw nb::value_error((std::string("the columns' ") + what + " do not follow each other").c_str());
  }
};

inline void check_codes(const GrowInput& input) {
  auto check = [&](const auto* codes, const CodeColumn& c) {
    if (c.sparse && c.rest > c.n_codes)
      throw std::invalid_argument("a code is larger than its column's number");
    for (int64_t i = 0; i < (c.sparse ? c.n_entries : input.n_rows); ++i)
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
  take("stops", input.stops);
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

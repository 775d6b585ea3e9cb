// The native door: the only file that knows Python.
//
// Arrays, numbers and strings in; arrays and numbers out. Inputs are borrowed for the call only. The
// interpreter's lock is released while the core works; the calling thread takes it back for a moment to look
// for signals.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "crew.hpp"
#include "grow.hpp"
#include "rank.hpp"
#include "walk.hpp"
#include "weakest_link.hpp"

namespace nb = nanobind;
using namespace hedgerow;

namespace {

using AnyColumn = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
using AnyMatrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
template <class T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using InMatrix = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Out = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using OutMatrix = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

bool signal_waits() {
  nb::gil_scoped_acquire lock;
  return PyErr_CheckSignals() != 0;
}

// Runs the core without the lock; Ctrl-C becomes Python's own exception.
template <class Work>
auto work_freely(int threads, Work work) {
  try {
    nb::gil_scoped_release release;
    Stop stop(signal_waits);
    Crew crew(threads, stop);
    return work(crew);
  } catch (const Stopped&) {
    throw nb::python_error();
  }
}

template <class T>
Out<T> give(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Out<T>(kept->data(), {kept->size()}, owner);
}

template <class T>
OutMatrix<T> give_matrix(std::vector<T>&& values, size_t rows, size_t columns) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return OutMatrix<T>(kept->data(), {rows, columns}, owner);
}

bool is_wide(const nb::dlpack::dtype& type) {
  if (type == nb::dtype<double>()) return true;
  if (type == nb::dtype<float>()) return false;
  throw nb::type_error("numbers must be float32 or float64");
}

void same_length(size_t found, size_t wanted, const char* what) {
  if (found == wanted) return;
  throw nb::value_error((std::string(what) + " has " + std::to_string(found) + " entries, but there are " +
                         std::to_string(wanted) + " rows")
                            .c_str());
}

// --- encode
// -------------------------------------------------------------------------------------------------------
nb::list rank_columns_py(const std::vector<AnyColumn>& columns, int threads) {
  std::vector<FloatColumn> in;
  const size_t n = columns.empty() ? 0 : columns[0].shape(0);
  if (n > 0xffffffffull) throw nb::value_error("more than 2^32 - 1 rows");
  for (const auto& c : columns) {
    same_length(c.shape(0), n, "a column");
    in.push_back({c.data(), c.stride(0), is_wide(c.dtype())});
  }
  auto ranked =
      work_freely(threads, [&](Crew& crew) { return rank_columns(in, static_cast<int64_t>(n), crew); });
  nb::list out;
  for (auto& r : ranked) {
    uint8_t* data = r.codes.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<uint8_t*>(p); });
    nb::object codes;
    if (r.width == 1)
      codes = nb::cast(Out<uint8_t>(data, {n}, owner));
    else if (r.width == 2)
      codes = nb::cast(Out<uint16_t>(reinterpret_cast<uint16_t*>(data), {n}, owner));
    else
      codes = nb::cast(Out<uint32_t>(reinterpret_cast<uint32_t*>(data), {n}, owner));
    out.append(nb::make_tuple(codes, r.n_codes, r.n_missing));
  }
  return out;
}

// --- grow
// ---------------------------------------------------------------------------------------------------------
CodeColumn code_column(const AnyColumn& codes, int64_t n_codes, int32_t n_levels, int8_t monotone) {
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

void check_codes(const GrowInput& input) {
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

nb::tuple grow_py(const std::vector<AnyColumn>& codes, In<int64_t> n_codes, In<int32_t> n_levels,
                  In<int8_t> monotone, const std::vector<In<double>>& values, const std::string& criterion,
                  int32_t n_classes, std::optional<In<int32_t>> classes, std::optional<In<double>> target,
                  std::optional<In<double>> weight, std::optional<In<uint32_t>> rows, int32_t max_depth,
                  int64_t min_rows_split, int64_t min_rows_leaf, double min_weight_leaf, int64_t max_leaves,
                  double min_decrease, int32_t max_features, bool random_splits, bool multiway,
                  bool fractional, int64_t surrogates, uint64_t seed, bool trace, int64_t patch_rows,
                  int threads) {
  const size_t d = codes.size();
  if (d == 0) throw nb::value_error("a tree needs at least one column");
  const size_t n = codes[0].shape(0);
  if (n == 0 || n > 0x7fffffff) throw nb::value_error("a tree needs between 1 and 2^31 - 1 rows");
  if (n_codes.shape(0) != d || n_levels.shape(0) != d || monotone.shape(0) != d)
    throw nb::value_error("n_codes, n_levels and monotone need one entry a column");
  if (classes.has_value() == target.has_value()) throw nb::value_error("give classes or a target, not both");
  GrowInput input;
  input.n_rows = static_cast<int64_t>(n);
  for (size_t j = 0; j < d; ++j) {
    same_length(codes[j].shape(0), n, "a column of codes");
    input.columns.push_back(code_column(codes[j], n_codes.data()[j], n_levels.data()[j], monotone.data()[j]));
    if (random_splits && n_levels.data()[j] == 0) {
      if (values.size() != d || values[j].shape(0) < static_cast<size_t>(n_codes.data()[j]))
        throw nb::value_error("random splits need the value of each code");
      input.columns[j].values = values[j].data();
    }
  }
  if (classes) same_length(classes->shape(0), n, "classes"), input.classes = classes->data();
  if (target) same_length(target->shape(0), n, "target"), input.target = target->data();
  if (weight) same_length(weight->shape(0), n, "weight"), input.weight = weight->data();
  if (rows) input.rows = rows->data(), input.n_used = static_cast<int64_t>(rows->shape(0));
  if (rows && rows->shape(0) == 0) throw nb::value_error("a tree needs at least one row");
  input.criterion = criterion;
  input.n_classes = n_classes;
  input.limits = {max_depth,  min_rows_split, min_rows_leaf, min_weight_leaf,
                  max_leaves, min_decrease,   max_features,  random_splits};
  input.multiway = multiway;
  input.fractional = fractional;
  input.surrogates = surrogates;
  input.seed = seed;
  input.trace = trace;
  input.patch_rows = patch_rows;

  GrownTree tree = work_freely(threads, [&](Crew& crew) {
    check_codes(input);
    return grow_tree(input, crew);
  });
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

// --- tree
// ---------------------------------------------------------------------------------------------------------
PackedTree packed_tree(const InMatrix<uint8_t>& nodes, int feature_bits, const In<uint64_t>& words,
                       const AnyMatrix& rows) {
  if (nodes.shape(0) == 0) throw nb::value_error("a tree has at least one node");
  const size_t wanted = feature_bits ? sizeof(NarrowNode) : sizeof(WideNode);
  if (nodes.shape(1) != wanted)
    throw nb::value_error("packed nodes are 8 bytes (narrow) or 16 bytes (wide) each");
  if (feature_bits && is_wide(rows.dtype())) throw nb::type_error("narrow nodes are for float32 rows");
  return {nodes.data(), feature_bits, words.data(), words.shape(0) > 0};
}

Matrix matrix(const AnyMatrix& m) {
  return {m.data(), is_wide(m.dtype()), static_cast<int64_t>(m.shape(0)), m.stride(0), m.stride(1)};
}

Out<int32_t> leaves_py(const InMatrix<uint8_t>& nodes, int feature_bits, const In<uint64_t>& words,
                       const AnyMatrix& rows, int threads) {
  const PackedTree tree = packed_tree(nodes, feature_bits, words, rows);
  const Matrix m = matrix(rows);
  std::vector<int32_t> leaf(rows.shape(0));
  work_freely(threads, [&](Crew& crew) {
    leaves_of(tree, m, leaf.data(), crew);
    return 0;
  });
  return give(std::move(leaf));
}

OutMatrix<double> values_py(const InMatrix<uint8_t>& nodes, int feature_bits, const In<uint64_t>& words,
                            const AnyMatrix& rows, const InMatrix<double>& values, int threads) {
  const PackedTree tree = packed_tree(nodes, feature_bits, words, rows);
  if (values.shape(0) != nodes.shape(0)) throw nb::value_error("values need one row a node");
  const Matrix m = matrix(rows);
  const size_t outputs = values.shape(1), n = rows.shape(0);
  auto* data = new double[std::max<size_t>(1, n * outputs)];  // not cleared: every cell is written
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  work_freely(threads, [&](Crew& crew) {
    values_of(tree, m, values.data(), static_cast<int>(outputs), data, crew);
    return 0;
  });
  return OutMatrix<double>(data, {n, outputs}, owner);
}

nb::tuple weakest_links_py(In<int32_t> parent, In<double> risk) {
  same_length(risk.shape(0), parent.shape(0), "risk");
  const auto n = static_cast<int64_t>(parent.shape(0));
  for (int64_t t = 1; t < n; ++t)
    if (parent.data()[t] < 0 || parent.data()[t] >= t)
      throw nb::value_error("parents must come before children");
  Cuts cuts = weakest_links(parent.data(), risk.data(), n);
  return nb::make_tuple(give(std::move(cuts.alpha)), give(std::move(cuts.order)), give(std::move(cuts.risk)));
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "The native core of hedgerow. Its signatures are in hedgerow/core/_native.pyi.";
  m.def("rank_columns", &rank_columns_py, nb::arg("columns"), nb::arg("threads"));
  m.def("grow", &grow_py, nb::kw_only(), nb::arg("codes"), nb::arg("n_codes"), nb::arg("n_levels"),
        nb::arg("monotone"), nb::arg("values"), nb::arg("criterion"), nb::arg("n_classes"),
        nb::arg("classes").none(), nb::arg("target").none(), nb::arg("weight").none(), nb::arg("rows").none(),
        nb::arg("max_depth"), nb::arg("min_rows_split"), nb::arg("min_rows_leaf"), nb::arg("min_weight_leaf"),
        nb::arg("max_leaves"), nb::arg("min_decrease"), nb::arg("max_features"), nb::arg("random_splits"),
        nb::arg("multiway"), nb::arg("fractional"), nb::arg("surrogates"), nb::arg("seed"), nb::arg("trace"),
        nb::arg("patch_rows"), nb::arg("threads"));
  m.def("leaves", &leaves_py, nb::arg("nodes"), nb::arg("feature_bits"), nb::arg("words"), nb::arg("rows"),
        nb::arg("threads"));
  m.def("values", &values_py, nb::arg("nodes"), nb::arg("feature_bits"), nb::arg("words"), nb::arg("rows"),
        nb::arg("values"), nb::arg("threads"));
  m.def("weakest_links", &weakest_links_py, nb::arg("parent"), nb::arg("risk"));
}

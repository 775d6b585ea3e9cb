// Codes, a target, limits -> a tree, in codes and row numbers.
#include "grow.hpp"
#include "door.hpp"

namespace hedgerow::door {
namespace {

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
                  double min_decrease, double min_wrong, double min_loss, int32_t max_features,
                  bool random_splits, bool multiway, bool fractional, int64_t surrogates, uint64_t seed,
                  bool trace, int64_t patch_rows, int threads) {
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
  input.limits = {max_depth,    min_rows_split, min_rows_leaf, min_weight_leaf, max_leaves,
                  min_decrease, max_features,   random_splits, min_wrong,       min_loss};
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

}  // namespace

void add_grow(nb::module_& m) {
  m.def("grow", &grow_py, nb::kw_only(), nb::arg("codes"), nb::arg("n_codes"), nb::arg("n_levels"),
        nb::arg("monotone"), nb::arg("values"), nb::arg("criterion"), nb::arg("n_classes"),
        nb::arg("classes").none(), nb::arg("target").none(), nb::arg("weight").none(), nb::arg("rows").none(),
        nb::arg("max_depth"), nb::arg("min_rows_split"), nb::arg("min_rows_leaf"), nb::arg("min_weight_leaf"),
        nb::arg("max_leaves"), nb::arg("min_decrease"), nb::arg("min_wrong"), nb::arg("min_loss"),
        nb::arg("max_features"), nb::arg("random_splits"), nb::arg("multiway"), nb::arg("fractional"),
        nb::arg("surrogates"), nb::arg("seed"), nb::arg("trace"), nb::arg("patch_rows"), nb::arg("threads"));
}

}  // namespace hedgerow::door

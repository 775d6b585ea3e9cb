// What explains an ensemble of trees: Shapley values, the rows outside each tree's sample.
#include "bindings/bindings.hpp"
#include "explain/outside.hpp"
#include "explain/shap.hpp"

namespace hedgerow::bindings {
namespace {

Matrix matrix(const AnyMatrix& m) {
  return {m.data(), is_wide(m.dtype()), static_cast<int64_t>(m.shape(0)), m.stride(0), m.stride(1)};
}

FlatTrees flat_trees(const InMatrix<uint8_t>& nodes, const In<int64_t>& starts, const In<uint64_t>& words,
                     const InMatrix<uint8_t>& surrogates, const In<uint64_t>& surrogate_words,
                     const InMatrix<double>& value, const In<double>& weight, size_t n_columns) {
  const size_t n = nodes.shape(0);
  if (nodes.shape(1) != sizeof(FlatNode)) throw nb::value_error("flat nodes are 40 bytes each");
  if (surrogates.shape(1) != sizeof(FlatSurrogate))
    throw nb::value_error("flat surrogates are 32 bytes each");
  same_length(value.shape(0), n, "value");
  same_length(weight.shape(0), n, "weight");
  const size_t T = starts.shape(0);
  if (T < 2 || starts.data()[T - 1] != static_cast<int64_t>(n))
    throw nb::value_error("starts must end with the number of nodes");
  const auto* node = reinterpret_cast<const FlatNode*>(nodes.data());
  for (size_t k = 0; k < n; ++k)
    if (node[k].feature >= static_cast<int64_t>(n_columns))
      throw nb::value_error("the rows have fewer columns than the trees test");
  return {node,
          starts.data(),
          static_cast<int64_t>(T) - 1,
          words.data(),
          reinterpret_cast<const FlatSurrogate*>(surrogates.data()),
          surrogate_words.data(),
          value.data(),
          weight.data(),
          static_cast<int>(value.shape(1))};
}

Truth truth_of(const std::optional<In<int32_t>>& classes, const std::optional<In<double>>& numbers,
               const std::optional<In<double>>& weight, size_t n_rows) {
  if (classes.has_value() == numbers.has_value()) throw nb::value_error("give classes or numbers");
  if (classes) same_length(classes->shape(0), n_rows, "classes");
  if (numbers) same_length(numbers->shape(0), n_rows, "numbers");
  if (weight) same_length(weight->shape(0), n_rows, "weight");
  return {classes ? classes->data() : nullptr, numbers ? numbers->data() : nullptr,
          weight ? weight->data() : nullptr};
}

Outside outside_of(const InMatrix<uint64_t>& outside, int64_t n_trees, size_t n_rows) {
  if (static_cast<int64_t>(outside.shape(0)) != n_trees || outside.shape(1) != (n_rows + 63) / 64)
    throw nb::value_error("outside needs a bit for each tree and row");
  return {outside.data(), static_cast<int64_t>(outside.shape(1))};
}

nb::tuple shap_values_py(InMatrix<uint8_t> nodes, In<int64_t> starts, In<uint64_t> words,
                         InMatrix<uint8_t> surrogates, In<uint64_t> surrogate_words, InMatrix<double> value,
                         In<double> weight, AnyMatrix rows, int threads) {
  const size_t n = rows.shape(0), columns = rows.shape(1);
  const FlatTrees trees =
      flat_trees(nodes, starts, words, surrogates, surrogate_words, value, weight, columns);
  const Matrix m = matrix(rows);
  std::vector<double> out(n * columns * trees.n_outputs), base(trees.n_outputs);
  work_freely(threads, [&](ThreadTeam& team) {
    shap_values(trees, m, static_cast<int64_t>(columns), out.data(), base.data(), team);
    return 0;
  });
  return nb::make_tuple(give_matrix(std::move(out), n, columns * trees.n_outputs), give(std::move(base)));
}

nb::tuple tally_outside_py(InMatrix<uint8_t> nodes, In<int64_t> starts, In<uint64_t> words,
                           InMatrix<uint8_t> surrogates, In<uint64_t> surrogate_words, InMatrix<double> value,
                           In<double> weight, AnyMatrix rows, InMatrix<uint64_t> outside,
                           std::optional<In<int32_t>> classes, std::optional<In<double>> numbers,
                           std::optional<In<double>> row_weight, InMatrix<double> sum, In<int32_t> many,
                           int threads) {
  const size_t n = rows.shape(0);
  const FlatTrees trees =
      flat_trees(nodes, starts, words, surrogates, surrogate_words, value, weight, rows.shape(1));
  const Matrix m = matrix(rows);
  const Truth truth = truth_of(classes, numbers, row_weight, n);
  const Outside out = outside_of(outside, trees.n_trees, n);
  same_length(sum.shape(0), n, "sum");
  same_length(many.shape(0), n, "many");
  if (static_cast<int>(sum.shape(1)) != trees.n_outputs)
    throw nb::value_error("sum needs a column an output");
  std::vector<double> total(sum.data(), sum.data() + n * sum.shape(1));
  std::vector<int32_t> times(many.data(), many.data() + n);
  std::vector<double> loss(trees.n_trees), counted(trees.n_trees);
  work_freely(threads, [&](ThreadTeam& team) {
    tally_outside(trees, m, truth, out, total.data(), times.data(), loss.data(), counted.data(), team);
    return 0;
  });
  return nb::make_tuple(give_matrix(std::move(total), n, sum.shape(1)), give(std::move(times)),
                        give(std::move(loss)), give(std::move(counted)));
}

nb::tuple permuted_rise_py(InMatrix<uint8_t> nodes, In<int64_t> starts, In<uint64_t> words,
                           InMatrix<uint8_t> surrogates, In<uint64_t> surrogate_words, InMatrix<double> value,
                           In<double> weight, AnyMatrix rows, InMatrix<uint64_t> outside,
                           std::optional<In<int32_t>> classes, std::optional<In<double>> numbers,
                           std::optional<In<double>> row_weight, uint64_t seed, int repeats, int threads) {
  const size_t n = rows.shape(0), columns = rows.shape(1);
  const FlatTrees trees =
      flat_trees(nodes, starts, words, surrogates, surrogate_words, value, weight, columns);
  const Matrix m = matrix(rows);
  const Truth truth = truth_of(classes, numbers, row_weight, n);
  const Outside out = outside_of(outside, trees.n_trees, n);
  Rise rise = work_freely(threads, [&](ThreadTeam& team) {
    return permuted_rise(trees, m, static_cast<int64_t>(columns), truth, out, seed, repeats, team);
  });
  return nb::make_tuple(give(std::move(rise.sum)), give(std::move(rise.square)), give(std::move(rise.pairs)),
                        rise.mass, rise.mass_square);
}

}  // namespace

void add_explain(nb::module_& m) {
  m.def("shap_values", &shap_values_py, nb::arg("nodes"), nb::arg("starts"), nb::arg("words"),
        nb::arg("surrogates"), nb::arg("surrogate_words"), nb::arg("value"), nb::arg("weight"),
        nb::arg("rows"), nb::arg("threads"));
  m.def("tally_outside", &tally_outside_py, nb::arg("nodes"), nb::arg("starts"), nb::arg("words"),
        nb::arg("surrogates"), nb::arg("surrogate_words"), nb::arg("value"), nb::arg("weight"),
        nb::arg("rows"), nb::arg("outside"), nb::arg("classes").none(), nb::arg("numbers").none(),
        nb::arg("row_weight").none(), nb::arg("sum"), nb::arg("many"), nb::arg("threads"));
  m.def("permuted_rise", &permuted_rise_py, nb::arg("nodes"), nb::arg("starts"), nb::arg("words"),
        nb::arg("surrogates"), nb::arg("surrogate_words"), nb::arg("value"), nb::arg("weight"),
        nb::arg("rows"), nb::arg("outside"), nb::arg("classes").none(), nb::arg("numbers").none(),
        nb::arg("row_weight").none(), nb::arg("seed"), nb::arg("repeats"), nb::arg("threads"));
}

}  // namespace hedgerow::bindings

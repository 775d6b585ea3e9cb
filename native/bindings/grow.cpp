// Codes, a target, limits -> a tree, in codes and row numbers.
#include "bindings/grown.hpp"
#include "forest/forest.hpp"
#include "grow/criterion_table.hpp"
#include "grow/outputs.hpp"

namespace hedgerow::bindings {
namespace {

Outputs read_outputs(const std::vector<int32_t>& n_classes, const std::optional<InMatrix<int32_t>>& classes,
                     const std::optional<InMatrix<double>>& target, size_t n_rows) {
  Outputs outputs;
  if (classes) {
    same_length(classes->shape(0), n_rows, "output_classes");
    same_length(n_classes.size(), classes->shape(1), "output_n_classes");
    outputs.n = static_cast<int>(classes->shape(1));
    outputs.n_classes = n_classes;
    outputs.classes = classes->data();
    for (size_t i = 0; i < n_rows * n_classes.size(); ++i)
      if (outputs.classes[i] < 0 || outputs.classes[i] >= n_classes[i % n_classes.size()])
        throw nb::value_error("a class is not in 0 .. n_classes - 1");
  }
  if (target) {
    same_length(target->shape(0), n_rows, "output_target");
    outputs.n = static_cast<int>(target->shape(1));
    outputs.target = target->data();
  }
  return outputs;
}

nb::dict grow_py(const std::vector<AnyColumn>& codes, In<int64_t> n_codes, In<int32_t> n_levels,
                 In<int8_t> monotone, const std::vector<In<double>>& values, const std::string& criterion,
                 int32_t n_classes, std::optional<In<int32_t>> classes, std::optional<In<double>> target,
                 const std::vector<int32_t>& output_n_classes,
                 std::optional<InMatrix<int32_t>> output_classes,
                 std::optional<InMatrix<double>> output_target, std::optional<In<double>> weight,
                 std::optional<In<uint32_t>> rows, const nb::dict& limits, uint64_t seed, bool trace,
                 bool exact, int64_t subtree_rows, const std::optional<nb::tuple>& sparse, int threads) {
  std::optional<SparseIn> entries;
  if (sparse) entries.emplace(*sparse);
  if (entries && (output_classes || output_target))
    throw nb::value_error("many outputs do not go with sparse columns");
  const size_t d = entries ? entries->n_columns() : codes.size();
  if (d == 0) throw nb::value_error("a tree needs at least one column");
  const size_t n = classes          ? classes->shape(0)
                   : target         ? target->shape(0)
                   : output_classes ? output_classes->shape(0)
                   : output_target  ? output_target->shape(0)
                                    : 0;
  if (n == 0 || n > 0x7fffffff) throw nb::value_error("a tree needs between 1 and 2^31 - 1 rows");
  if (n_codes.shape(0) != d || n_levels.shape(0) != d || monotone.shape(0) != d)
    throw nb::value_error("n_codes, n_levels and monotone need one entry a column");
  if (classes.has_value() + target.has_value() + output_classes.has_value() + output_target.has_value() != 1)
    throw nb::value_error("give one of classes, target, output_classes and output_target");
  ForestInput whole;  // sparse columns take the grower of forests
  GrowInput& input = whole.one;
  const Outputs outputs = read_outputs(output_n_classes, output_classes, output_target, n);
  if (outputs.n) input.outputs = &outputs;
  read_limits(limits, input);
  input.n_rows = static_cast<int64_t>(n);
  for (size_t j = 0; entries && j < d; ++j) {
    input.columns.push_back(entries->column(j, n_codes.data()[j], input.n_rows, monotone.data()[j]));
    whole.edges.push_back(entries->edges_of(j));
  }
  for (size_t j = 0; !entries && j < d; ++j) {
    same_length(codes[j].shape(0), n, "a column of codes");
    input.columns.push_back(code_column(codes[j], n_codes.data()[j], n_levels.data()[j], monotone.data()[j]));
    if (input.limits.random_splits && n_levels.data()[j] == 0) {
      if (values.size() != d || values[j].shape(0) < static_cast<size_t>(n_codes.data()[j]))
        throw nb::value_error("random splits need the value of each code");
      input.columns[j].values = values[j].data();
    }
  }
  if (classes) input.classes = classes->data();
  if (target) input.target = target->data();
  if (weight) same_length(weight->shape(0), n, "weight"), input.weight = weight->data();
  if (rows) input.rows = rows->data(), input.n_used = static_cast<int64_t>(rows->shape(0));
  if (rows && rows->shape(0) == 0) throw nb::value_error("a tree needs at least one row");
  input.criterion = criterion;
  input.n_classes = n_classes;
  input.seed = seed;
  input.trace = trace;
  input.exact = exact;
  input.subtree_rows = subtree_rows;

  GrownTree tree = work_freely(threads, [&](ThreadTeam& team) {
    check_codes(input);
    return entries ? grow_sparse_tree(whole, seed, team) : grow_tree(input, team);
  });
  return give_tree(std::move(tree), d);
}

// Name -> what it is, in the order shown to users.
nb::dict criterion_names_py() {
  nb::dict all;
  for (const CriterionEntry& entry : all_criteria()) {
    const CriterionTraits& t = entry.traits;
    nb::dict traits;
    traits["of_classes"] = t.of_classes;
    traits["public"] = t.is_public;
    traits["median"] = t.median;
    traits["ratio"] = t.ratio;
    traits["squared_units"] = t.squared_units;
    traits["non_negative"] = t.non_negative;
    all[entry.name.c_str()] = traits;
  }
  return all;
}

Out<double> criterion_impurity_py(const std::string& criterion, const InMatrix<double>& shares) {
  const auto impurities = find_criterion(criterion).functions.impurities;
  if (!impurities) throw nb::value_error(("criterion '" + criterion + "' is not of classes").c_str());
  std::vector<double> out(shares.shape(0));
  impurities(shares.data(), static_cast<int64_t>(out.size()), static_cast<int>(shares.shape(1)), out.data());
  return give(std::move(out));
}

Out<double> criterion_loss_py(const std::string& criterion, const In<double>& target,
                              const In<double>& value) {
  const auto losses = find_criterion(criterion).functions.losses;
  if (!losses) throw nb::value_error(("criterion '" + criterion + "' is not of numbers").c_str());
  same_length(value.shape(0), target.shape(0), "value");
  std::vector<double> out(target.shape(0));
  losses(target.data(), value.data(), static_cast<int64_t>(out.size()), out.data());
  return give(std::move(out));
}

}  // namespace

void add_grow(nb::module_& m) {
  m.def("criterion_names", &criterion_names_py);
  m.def("criterion_impurity", &criterion_impurity_py, nb::arg("criterion"), nb::arg("shares"));
  m.def("criterion_loss", &criterion_loss_py, nb::arg("criterion"), nb::arg("target"), nb::arg("value"));
  m.def("grow", &grow_py, nb::kw_only(), nb::arg("codes"), nb::arg("n_codes"), nb::arg("n_levels"),
        nb::arg("monotone"), nb::arg("values"), nb::arg("criterion"), nb::arg("n_classes"),
        nb::arg("classes").none(), nb::arg("target").none(), nb::arg("output_n_classes"),
        nb::arg("output_classes").none(), nb::arg("output_target").none(), nb::arg("weight").none(),
        nb::arg("rows").none(), nb::arg("limits"), nb::arg("seed"), nb::arg("trace"), nb::arg("exact"),
        nb::arg("subtree_rows"), nb::arg("sparse").none(), nb::arg("threads"));
}

}  // namespace hedgerow::bindings

// Forests whose rows lie in several places: what one place has to say.
#include "forest/shard.hpp"

#include "bindings/grown.hpp"
#include "grow/row_set.hpp"

namespace hedgerow::bindings {
namespace {

How how_by_name(const std::string& how) {
  if (how == "all") return How::kAll;
  if (how == "bootstrap") return How::kBootstrap;
  if (how == "subsample") return How::kSubsample;
  throw nb::value_error("rows are drawn by 'all', 'bootstrap' or 'subsample'");
}

Out<uint32_t> draw_counts_of_places_py(const std::string& how, int64_t n_order, int64_t size, uint64_t seed,
                                       int64_t tree, const In<int64_t>& place, const In<double>& begin,
                                       const In<double>& end, double line_end) {
  PlacePlan plan{how_by_name(how), n_order,    size,
                 line_end,         seed,       place.data(),
                 begin.data(),     end.data(), static_cast<int64_t>(place.shape(0))};
  for (int64_t i = 0; i < plan.n; ++i)
    if (plan.place[i] < (i ? plan.place[i - 1] + 1 : 0) || plan.place[i] >= n_order)
      throw nb::value_error("places must ascend and be below the number of rows that may be drawn");
  if (line_end > 0) {
    same_length(begin.shape(0), place.shape(0), "begin");
    same_length(end.shape(0), place.shape(0), "end");
  }
  std::vector<uint32_t> counts(plan.n);
  work_freely(1, [&](ThreadTeam&) {
    draw_counts_of_places(plan, tree, counts.data());
    return 0;
  });
  return give(std::move(counts));
}

struct CodesOfRows {
  CodeColumn column;
  const uint32_t* rows;
  int64_t n;

  CodesOfRows(const AnyColumn& codes, int64_t n_codes, const In<uint32_t>& rows, size_t n_targets,
              const In<double>& weight)
      : column(code_column(codes, n_codes, 0, 0)), rows(rows.data()), n(static_cast<int64_t>(rows.shape(0))) {
    same_length(n_targets, codes.shape(0), "the target");
    same_length(weight.shape(0), codes.shape(0), "weight");
    for (int64_t k = 0; k < n; ++k)
      if (this->rows[k] >= codes.shape(0) || code_at(column, this->rows[k]) > n_codes)
        throw nb::value_error("a row or a code is out of range");
  }
};

Out<double> count_codes_py(const AnyColumn& codes, int64_t n_codes, const In<uint32_t>& rows,
                           const In<int32_t>& classes, const In<double>& weight, int n_classes) {
  const CodesOfRows own(codes, n_codes, rows, classes.shape(0), weight);
  for (int64_t k = 0; k < own.n; ++k)
    if (classes.data()[own.rows[k]] < 0 || classes.data()[own.rows[k]] >= n_classes)
      throw nb::value_error("a class is out of range");
  std::vector<double> cells((n_codes + 1) * (n_classes + 1), 0.0);
  work_freely(1, [&](ThreadTeam&) {
    count_codes(own.column, own.rows, own.n, classes.data(), weight.data(), n_classes, cells.data());
    return 0;
  });
  return give(std::move(cells));
}

// Classes: the weight of each, then the rows. Numbers: weight, rows, lowest and highest target; rest and
// loss.
NodeStats stats_of(const CriterionEntry& criterion, const In<double>& facts, double rest, double loss) {
  NodeStats node;
  const double* f = facts.data();
  if (criterion.traits.of_classes) {
    const auto n_classes = static_cast<int>(facts.shape(0)) - 1;
    node.moments.assign(f, f + n_classes);
    criterion.functions.class_stats(node, {n_classes, nullptr});
    return node;
  }
  same_length(facts.shape(0), 4, "facts");
  if (!criterion.functions.number_stats) throw nb::value_error("medians are not found by sums");
  criterion.functions.number_stats({f[0], f[2], f[3]}, rest, loss, node);
  return node;
}

Out<double> sum_codes_py(const AnyColumn& codes, int64_t n_codes, const In<uint32_t>& rows,
                         const In<double>& target, const In<double>& weight, const std::string& criterion,
                         const In<double>& facts) {
  const CodesOfRows own(codes, n_codes, rows, target.shape(0), weight);
  const NodeStats node = stats_of(find_criterion(criterion), facts, 0, 0);
  std::vector<double> cells((n_codes + 1) * kNumberCell, 0.0);
  work_freely(1, [&](ThreadTeam&) {
    sum_codes(own.column, own.rows, own.n, target.data(), weight.data(), node, cells.data());
    return 0;
  });
  return give(std::move(cells));
}

nb::tuple sum_node_py(const In<uint32_t>& rows, const In<double>& target, const In<double>& weight,
                      const std::string& criterion, const In<double>& facts) {
  same_length(weight.shape(0), target.shape(0), "weight");
  same_length(facts.shape(0), 4, "facts");
  const auto sum = find_criterion(criterion).functions.sum_numbers;
  if (!sum) throw nb::value_error("the criterion is not of numbers, or of medians");
  for (size_t k = 0; k < rows.shape(0); ++k)
    if (rows.data()[k] >= target.shape(0)) throw nb::value_error("a row is out of range");
  double rest = 0, loss = 0;
  const double* f = facts.data();
  sum({f[0], f[2], f[3]}, target.data(), weight.data(), rows.data(), static_cast<int64_t>(rows.shape(0)),
      rest, loss);
  return nb::make_tuple(rest, loss);
}

nb::tuple node_stats_py(const std::string& criterion, const In<double>& facts, double rest, double loss) {
  NodeStats node = stats_of(find_criterion(criterion), facts, rest, loss);
  return nb::make_tuple(give(std::move(node.moments)), node.weight, node.impurity, node.pure);
}

nb::tuple split_of_cells_py(const std::string& criterion, const nb::dict& limits, const In<double>& facts,
                            double rest, double loss, const In<double>& cells, int64_t n_codes,
                            int32_t n_levels, const In<double>& values, uint64_t key, int32_t column) {
  const CriterionEntry& entry = find_criterion(criterion);
  GrowInput input;
  read_limits(limits, input);
  const NodeStats node = stats_of(entry, facts, rest, loss);
  const int n_moments = static_cast<int>(node.moments.size());
  const int width = entry.traits.of_classes ? n_moments + 1 : kNumberCell;
  same_length(cells.shape(0), static_cast<size_t>((n_codes + 1) * width), "cells");
  if (input.limits.random_splits && !n_levels)
    same_length(values.shape(0), static_cast<size_t>(n_codes), "values");
  CellSplit split = work_freely(1, [&](ThreadTeam& team) {
    return split_of_cells({cells.data(), n_codes, n_levels, values.data()}, node, entry, {n_moments, nullptr},
                          input.limits, key, column, team.stop());
  });
  return nb::make_tuple(split.gain, split.last_code, give(std::move(split.first)));
}

}  // namespace

void add_forest_shard(nb::module_& m) {
  m.def("draw_counts_of_places", &draw_counts_of_places_py, nb::arg("how"), nb::arg("n_order"),
        nb::arg("size"), nb::arg("seed"), nb::arg("tree"), nb::arg("place"), nb::arg("begin"), nb::arg("end"),
        nb::arg("line_end"));
  m.def("count_codes", &count_codes_py, nb::arg("codes"), nb::arg("n_codes"), nb::arg("rows"),
        nb::arg("classes"), nb::arg("weight"), nb::arg("n_classes"));
  m.def("sum_codes", &sum_codes_py, nb::arg("codes"), nb::arg("n_codes"), nb::arg("rows"), nb::arg("target"),
        nb::arg("weight"), nb::arg("criterion"), nb::arg("facts"));
  m.def("sum_node", &sum_node_py, nb::arg("rows"), nb::arg("target"), nb::arg("weight"), nb::arg("criterion"),
        nb::arg("facts"));
  m.def("node_stats", &node_stats_py, nb::arg("criterion"), nb::arg("facts"), nb::arg("rest"),
        nb::arg("loss"));
  m.def("split_of_cells", &split_of_cells_py, nb::arg("criterion"), nb::arg("limits"), nb::arg("facts"),
        nb::arg("rest"), nb::arg("loss"), nb::arg("cells"), nb::arg("n_codes"), nb::arg("n_levels"),
        nb::arg("values"), nb::arg("key"), nb::arg("column"));
}

}  // namespace hedgerow::bindings

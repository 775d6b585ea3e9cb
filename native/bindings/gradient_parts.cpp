// Gradient boosting in parts, for rows that lie in several places: what each place sums up, and what follows
// from the sums.
#include "bindings/gradient.hpp"
#include "gradient/choose.hpp"
#include "gradient/histogram.hpp"
#include "gradient/leaf_values.hpp"
#include "gradient/partition.hpp"
#include "gradient/quantise.hpp"

namespace hedgerow::bindings {
namespace {

using InOutRows = nb::ndarray<uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using ExtentTuple = std::tuple<double, double, double, bool>;
using SumsTuple = std::tuple<int64_t, int64_t, int64_t>;
using UnitsTuple = std::tuple<double, double, int64_t, int64_t, double, bool>;

Extent extent_from(const ExtentTuple& t) {
  return {std::get<0>(t), std::get<1>(t), std::get<2>(t), std::get<3>(t)};
}

Units units_from(const UnitsTuple& t) {
  return {std::get<0>(t), std::get<1>(t), std::get<2>(t), std::get<3>(t), std::get<4>(t), std::get<5>(t)};
}

nb::tuple cells_tuple(ValueCells&& cells) {
  return nb::make_tuple(cells.shift, give(std::move(cells.count)), give(std::move(cells.low)),
                        give(std::move(cells.high)));
}

ValueCells cells_from(int32_t shift, const In<int64_t>& count, const In<double>& low,
                      const In<double>& high) {
  const size_t n = count.shape(0);
  if (shift < 0 || shift > 63 || low.shape(0) != n || high.shape(0) != n)
    throw nb::value_error("cells need a shift of 0 to 63, and a count, a least and a largest value each");
  return {
      shift, {count.data(), count.data() + n}, {low.data(), low.data() + n}, {high.data(), high.data() + n}};
}

using CellsTuple = std::tuple<int32_t, In<int64_t>, In<double>, In<double>>;

ValueCells cells_from(const CellsTuple& t) {
  return cells_from(std::get<0>(t), std::get<1>(t), std::get<2>(t), std::get<3>(t));
}

nb::list count_values_py(const std::vector<CellsTuple>& before, const std::vector<AnyColumn>& numbers,
                         int threads) {
  const auto columns = number_columns(numbers);
  if (before.size() != columns.size()) throw nb::value_error("before needs one entry a column");
  std::vector<ValueCells> own;
  for (const auto& one : before) own.push_back(cells_from(one));
  const int64_t n = columns.empty() ? 0 : static_cast<int64_t>(numbers[0].shape(0));
  auto found = work_freely(threads, [&](ThreadTeam& team) { return count_columns(own, columns, n, team); });
  nb::list out;
  for (auto& cells : found) out.append(cells_tuple(std::move(cells)));
  return out;
}

nb::tuple merge_cells_py(const CellsTuple& a, const CellsTuple& b) {
  return cells_tuple(merge_cells(cells_from(a), cells_from(b)));
}

Out<double> cell_edges_py(const CellsTuple& cells, int max_bins) {
  if (max_bins < 2 || max_bins > 255) throw nb::value_error("max_bins is not in 2 .. 255");
  return give(edges_of(cells_from(cells), max_bins));
}

void check_rows(const std::optional<In<uint32_t>>& rows, size_t n) {
  for (size_t k = 0; rows && k < rows->shape(0); ++k)
    if (rows->data()[k] >= n) throw nb::value_error("a row number is out of range");
}

struct Rows {
  const uint32_t* data;
  int64_t n;
};

Rows rows_from(const std::optional<In<uint32_t>>& rows, size_t n) {
  check_rows(rows, n);
  return {rows ? rows->data() : nullptr, static_cast<int64_t>(rows ? rows->shape(0) : n)};
}

ExtentTuple extent_py(In<double> gradient, In<double> hessian, std::optional<In<uint32_t>> rows,
                      int threads) {
  same_length(hessian.shape(0), gradient.shape(0), "hessian");
  const Rows own = rows_from(rows, gradient.shape(0));
  const Extent e = work_freely(threads, [&](ThreadTeam& team) {
    return extent_of(gradient.data(), hessian.data(), own.data, own.n, team);
  });
  return {e.gradient, e.hessian, e.least_hessian, e.sound};
}

SumsTuple coarse_sums_py(In<double> gradient, In<double> hessian, std::optional<In<uint32_t>> rows,
                         const ExtentTuple& extent, int threads) {
  same_length(hessian.shape(0), gradient.shape(0), "hessian");
  const Rows own = rows_from(rows, gradient.shape(0));
  const CoarseSums s = work_freely(threads, [&](ThreadTeam& team) {
    return coarse_sums_of(gradient.data(), hessian.data(), own.data, own.n, extent_from(extent), team);
  });
  return {s.gradient, s.hessian, s.square};
}

UnitsTuple units_py(const ExtentTuple& extent, const SumsTuple& sums, int64_t n_rows) {
  const Extent e = extent_from(extent);
  if (!e.sound) throw nb::value_error("a gradient is not finite, or a hessian is not finite or below zero");
  const Units u = units_of(e, {std::get<0>(sums), std::get<1>(sums), std::get<2>(sums)}, n_rows);
  return {u.gradient, u.hessian, u.largest_hessian, u.least_hessian, u.noise, u.hessian_counts};
}

Out<int64_t> words_py(In<double> gradient, In<double> hessian, std::optional<In<uint32_t>> rows,
                      const UnitsTuple& units, int threads) {
  same_length(hessian.shape(0), gradient.shape(0), "hessian");
  const Rows own = rows_from(rows, gradient.shape(0));
  std::vector<int64_t> words(gradient.shape(0));
  work_freely(threads, [&](ThreadTeam& team) {
    write_words(gradient.data(), hessian.data(), own.data, own.n, units_from(units), words.data(), team);
    return 0;
  });
  return give(std::move(words));
}

Out<int64_t> histogram_py(InMatrix<uint8_t> codes, In<uint8_t> grouped, In<int32_t> n_bins,
                          In<uint8_t> has_missing, In<int64_t> words, In<uint32_t> rows, int threads) {
  BinnedTable table = table_of(codes, n_bins, has_missing);
  same_length(grouped.shape(0), codes.shape(0) * codes.shape(1) + 16, "grouped");
  same_length(words.shape(0), codes.shape(1), "words");
  check_rows(rows, codes.shape(1));
  table.grouped = grouped.data();
  std::vector<int64_t> cells(table.groups.n_cells);
  const auto& groups = table.groups.groups;
  work_freely(threads, [&](ThreadTeam& team) {
    team.run(static_cast<int64_t>(groups.size()), [&](int64_t g, int) {
      add_to_histogram(table, groups[g], words.data(), rows.data(), 0, static_cast<int64_t>(rows.shape(0)),
                       cells.data() + groups[g].cells_start);
    });
    return 0;
  });
  return give(std::move(cells));
}

// The first cell of each column in a histogram.
Out<int64_t> cell_starts_py(In<int32_t> n_bins, In<uint8_t> has_missing) {
  const size_t shape[2] = {n_bins.shape(0), 0};
  const uint8_t nothing = 0;
  return give(std::vector<int64_t>(
      table_of(InMatrix<uint8_t>(&nothing, 2, shape), n_bins, has_missing).groups.cells_of));
}

nb::tuple choose_py(In<int32_t> n_bins, In<uint8_t> has_missing, In<uint8_t> categorical, In<int8_t> monotone,
                    In<int64_t> cells, std::optional<In<int64_t>> counts, int64_t total, int64_t n_rows,
                    double low, double high, In<uint8_t> allowed, const UnitsTuple& given_units,
                    int64_t min_rows, double enough_hessian, double min_hessian, double min_gain, double l1,
                    double l2, double category_smoothing, double category_l2, double category_cost,
                    int few_levels, double min_level_rows) {
  const size_t d = n_bins.shape(0), shape[2] = {d, 0};
  const uint8_t nothing = 0;
  const BinnedTable table =
      table_of(InMatrix<uint8_t>(&nothing, 2, shape), n_bins, has_missing, categorical, monotone);
  const auto n_cells = static_cast<size_t>(table.groups.n_cells);
  if (cells.shape(0) != n_cells || (counts && counts->shape(0) != n_cells) || allowed.shape(0) != d)
    throw nb::value_error("cells and counts need the cells of a histogram, allowed an entry a column");
  const Units units = units_from(given_units);
  SplitOptions options{l1,
                       l2,
                       min_hessian,
                       min_gain,
                       std::max<int64_t>(1, min_rows),
                       enough_hessian,
                       false,
                       category_smoothing,
                       category_l2,
                       category_cost,
                       few_levels,
                       min_level_rows};
  for (const BinnedColumn& c : table.columns) options.bounded = options.bounded || c.monotone != 0;
  NodeSums node{total, n_rows, low, high};
  node.set_least_gain(options, units);
  auto choose = [&](int32_t j, const uint32_t* own) {
    return choose_split(table.columns[j], j, cells.data() + table.groups.cells_of[j], own, node, options,
                        units);
  };
  std::vector<Split> found(d);
  for (size_t j = 0; j < d; ++j)
    if (allowed.data()[j]) found[j] = choose(static_cast<int32_t>(j), nullptr);
  bool sure = true;
  const Split split = settle(found, [&](int32_t j) {
    uint32_t own[kMaxCodes] = {};
    sure = sure && counts;
    for (int code = 0; counts && code < table.columns[j].n_codes(); ++code)
      own[code] = static_cast<uint32_t>(counts->data()[table.groups.cells_of[j] + code]);
    return sure ? choose(j, own) : Split{};
  });
  const double left = leaf_value(split.left, node, options, units);
  const double right = leaf_value(total - split.left, node, options, units);
  return nb::make_tuple(sure, split.gain, split.column, split.bin, split.categorical, split.missing_left,
                        split.left, give(std::vector<uint64_t>(split.levels.begin(), split.levels.end())),
                        left, right, leaf_value(total, node, options, units));
}

int64_t part_py(In<uint8_t> codes, In<uint8_t> goes_left, InOutRows rows, int threads) {
  if (goes_left.shape(0) != kMaxCodes) throw nb::value_error("goes_left needs 256 entries");
  const auto n = static_cast<int64_t>(rows.shape(0));
  for (int64_t k = 0; k < n; ++k)
    if (rows.data()[k] >= codes.shape(0)) throw nb::value_error("a row number is out of range");
  return work_freely(threads, [&](ThreadTeam& team) {
    std::vector<uint32_t> scratch(n);
    return part_rows(codes.data(), goes_left.data(), rows.data(), n, false, scratch.data(),
                     std::max<int64_t>(4096, (n + team.size() - 1) / team.size()), team);
  });
}

nb::tuple leaf_sums_py(In<double> gradient, In<double> hessian, In<uint32_t> rows, In<int64_t> begin,
                       In<int64_t> n_rows, const UnitsTuple& units, int threads) {
  same_length(hessian.shape(0), gradient.shape(0), "hessian");
  same_length(n_rows.shape(0), begin.shape(0), "n_rows");
  check_rows(rows, gradient.shape(0));
  const auto leaves = leaf_rows(begin, n_rows, rows.shape(0));
  const auto sums = work_freely(threads, [&](ThreadTeam& team) {
    return sum_leaves(leaves, rows.data(), static_cast<int64_t>(gradient.shape(0)), gradient.data(),
                      hessian.data(), units_from(units), team);
  });
  std::vector<int64_t> g, h;
  for (const FineSums& s : sums) g.push_back(s.gradient), h.push_back(s.hessian);
  return nb::make_tuple(give(std::move(g)), give(std::move(h)));
}

nb::tuple node_values_py(In<int32_t> first_child, In<double> low, In<double> high, In<int64_t> gradient,
                         In<int64_t> hessian, const UnitsTuple& units, double l1, double l2) {
  const size_t n = first_child.shape(0);
  if (low.shape(0) != n || high.shape(0) != n || gradient.shape(0) != n || hessian.shape(0) != n)
    throw nb::value_error("the arrays of a tree need one entry a node");
  GradientTree tree;
  tree.column.resize(n);
  std::vector<FineSums> sums;
  for (size_t t = 0; t < n; ++t) {
    const int64_t child = first_child.data()[t];
    if (child >= 0 && (child <= static_cast<int64_t>(t) || child + 1 >= static_cast<int64_t>(n)))
      throw nb::value_error("a node is out of range");
    tree.first_child.push_back(first_child.data()[t]);
    tree.low.push_back(low.data()[t]);
    tree.high.push_back(high.data()[t]);
    sums.push_back({gradient.data()[t], hessian.data()[t]});
  }
  SplitOptions options;
  options.l1 = l1;
  options.l2 = l2;
  set_values(tree, std::move(sums), units_from(units), options);
  return nb::make_tuple(give(std::move(tree.value)), give(std::move(tree.hessian)));
}

}  // namespace

void add_gradient_parts(nb::module_& m) {
  m.def("gradient_count_values", &count_values_py, nb::arg("before"), nb::arg("numbers"), nb::arg("threads"));
  m.def("gradient_merge_cells", &merge_cells_py, nb::arg("a"), nb::arg("b"));
  m.def("gradient_cell_edges", &cell_edges_py, nb::arg("cells"), nb::arg("max_bins"));
  m.def("gradient_extent", &extent_py, nb::arg("gradient"), nb::arg("hessian"), nb::arg("rows").none(),
        nb::arg("threads"));
  m.def("gradient_coarse_sums", &coarse_sums_py, nb::arg("gradient"), nb::arg("hessian"),
        nb::arg("rows").none(), nb::arg("extent"), nb::arg("threads"));
  m.def("gradient_units", &units_py, nb::arg("extent"), nb::arg("sums"), nb::arg("n_rows"));
  m.def("gradient_words", &words_py, nb::arg("gradient"), nb::arg("hessian"), nb::arg("rows").none(),
        nb::arg("units"), nb::arg("threads"));
  m.def("gradient_histogram", &histogram_py, nb::arg("codes"), nb::arg("grouped"), nb::arg("n_bins"),
        nb::arg("has_missing"), nb::arg("words"), nb::arg("rows"), nb::arg("threads"));
  m.def("gradient_cell_starts", &cell_starts_py, nb::arg("n_bins"), nb::arg("has_missing"));
  m.def("gradient_choose", &choose_py, nb::kw_only(), nb::arg("n_bins"), nb::arg("has_missing"),
        nb::arg("categorical"), nb::arg("monotone"), nb::arg("cells"), nb::arg("counts").none(),
        nb::arg("total"), nb::arg("n_rows"), nb::arg("low"), nb::arg("high"), nb::arg("allowed"),
        nb::arg("units"), nb::arg("min_rows"), nb::arg("enough_hessian"), nb::arg("min_hessian"),
        nb::arg("min_gain"), nb::arg("l1"), nb::arg("l2"), nb::arg("category_smoothing"),
        nb::arg("category_l2"), nb::arg("category_cost"), nb::arg("few_levels"), nb::arg("min_level_rows"));
  m.def("gradient_part", &part_py, nb::arg("codes"), nb::arg("goes_left"), nb::arg("rows"),
        nb::arg("threads"));
  m.def("gradient_leaf_sums", &leaf_sums_py, nb::arg("gradient"), nb::arg("hessian"), nb::arg("rows"),
        nb::arg("begin"), nb::arg("n_rows"), nb::arg("units"), nb::arg("threads"));
  m.def("gradient_node_values", &node_values_py, nb::arg("first_child"), nb::arg("low"), nb::arg("high"),
        nb::arg("gradient"), nb::arg("hessian"), nb::arg("units"), nb::arg("l1"), nb::arg("l2"));
}

}  // namespace hedgerow::bindings

// Gradient boosting: numbers to bins; gradients to a tree; a tree to scores.
#include "bindings/gradient.hpp"

#include "gradient/grow.hpp"
#include "gradient/leaf_values.hpp"
#include "gradient/level_codes.hpp"
#include "gradient/losses.hpp"
#include "gradient/predict.hpp"
#include "gradient/predict_blocks.hpp"
#include "gradient/scores.hpp"
#include "gradient/sparse.hpp"

namespace hedgerow::bindings {
namespace {

nb::list bin_edges_of(const std::vector<AnyColumn>& numbers, int max_bins, int threads) {
  if (max_bins < 2 || max_bins > 255) throw nb::value_error("max_bins is not in 2 .. 255");
  const auto columns = number_columns(numbers);
  const int64_t n = columns.empty() ? 0 : static_cast<int64_t>(numbers[0].shape(0));
  auto edges = work_freely(threads, [&](ThreadTeam& team) { return bin_edges(columns, n, max_bins, team); });
  nb::list out;
  for (auto& e : edges) out.append(give(std::move(e)));
  return out;
}

Out<int64_t> bin_codes_py(const std::vector<AnyColumn>& numbers, const std::vector<In<double>>& edges,
                          In<int64_t> place, InOutMatrix<uint8_t> codes, int threads) {
  const auto columns = number_columns(numbers);
  if (edges.size() != columns.size() || place.shape(0) != columns.size())
    throw nb::value_error("edges and place need one entry a column");
  std::vector<std::vector<double>> own;
  for (const auto& e : edges) {
    if (e.shape(0) > 254) throw nb::value_error("a column has more than 255 bins");
    own.emplace_back(e.data(), e.data() + e.shape(0));
  }
  std::vector<int64_t> at(place.data(), place.data() + place.shape(0));
  for (int64_t j : at)
    if (j < 0 || j >= static_cast<int64_t>(codes.shape(0))) throw nb::value_error("a place is out of range");
  if (!columns.empty()) same_length(numbers[0].shape(0), codes.shape(1), "a column");
  const auto n = static_cast<int64_t>(codes.shape(1));
  return give(work_freely(
      threads, [&](ThreadTeam& team) { return bin_codes(columns, n, own, at, codes.data(), team); }));
}

void check_binned_codes(const BinnedTable& table) {
  for (size_t j = 0; j < table.columns.size(); ++j) {
    const BinnedColumn& column = table.columns[j];
    const int most = column.n_codes();
    uint8_t largest = 0;
    if (column.dense()) {
      const uint8_t* codes = table.column(static_cast<int32_t>(j));
      for (int64_t i = 0; i < table.n_rows; ++i) largest = std::max(largest, codes[i]);
    } else {
      for (int64_t o = table.other_start[j]; o < table.other_start[j + 1]; ++o) {
        largest = std::max(largest, table.other_code[o]);
        if (table.other_row[o] >= table.n_rows ||
            (o > table.other_start[j] && table.other_row[o] <= table.other_row[o - 1]))
          throw nb::value_error("rows of a sparse column must rise, and be rows of the table");
      }
    }
    if (table.n_rows > 0 && largest >= most) throw nb::value_error("a code is larger than its column has");
  }
}

size_t grouped_bytes(const BinnedTable& table) {
  return static_cast<size_t>(table.n_dense_columns() * table.n_rows) + 16;
}

// Returns the entries of sparse columns.
nb::tuple group_codes_py(InMatrix<uint8_t> codes, In<int32_t> n_bins, In<uint8_t> has_missing,
                         const std::optional<OthersTuple>& others, InOutBytes grouped, int threads) {
  const BinnedTable table = table_of(codes, n_bins, has_missing, {}, {}, others);
  check_binned_codes(table);
  same_length(grouped.shape(0), grouped_bytes(table), "grouped");
  Entries entries = work_freely(threads, [&](ThreadTeam& team) {
    group_codes(table, grouped.data(), team);
    return write_entries(table, team);
  });
  return nb::make_tuple(give(std::move(entries.start)), give(std::move(entries.entries)));
}

nb::tuple others_tuple(Others&& others) {
  return nb::make_tuple(give(std::move(others.usual)), give(std::move(others.start)),
                        give(std::move(others.row)), give(std::move(others.code)));
}

nb::tuple find_others_py(InMatrix<uint8_t> codes, int64_t min_rows, int threads) {
  return others_tuple(work_freely(threads, [&](ThreadTeam& team) {
    return find_others(codes.data(), codes.shape(0), static_cast<int64_t>(codes.shape(1)), min_rows, team);
  }));
}

nb::tuple bin_entries_py(In<int64_t> start, In<uint32_t> row, const AnyColumn& values, int64_t n_rows,
                         int max_bins, int64_t min_rows, int threads) {
  if (max_bins < 2 || max_bins > 255) throw nb::value_error("max_bins is not in 2 .. 255");
  if (start.shape(0) == 0) throw nb::value_error("start needs the end");
  same_length(values.shape(0), row.shape(0), "values");
  const size_t d = start.shape(0) - 1;
  const NumberColumn all = number_columns({values})[0];
  for (size_t j = 0; j < d; ++j)
    if (start.data()[j] < 0 || start.data()[j] > start.data()[j + 1])
      throw nb::value_error("start must rise");
  if (start.data()[d] > static_cast<int64_t>(row.shape(0))) throw nb::value_error("start is out of range");
  for (size_t e = 0; e < row.shape(0); ++e)
    if (row.data()[e] >= n_rows) throw nb::value_error("a row is out of range");
  std::vector<SparseColumn> columns;
  for (size_t j = 0; j < d; ++j) {
    const int64_t first = start.data()[j];
    NumberColumn own = all;
    own.data = static_cast<const char*>(all.data) + first * all.stride * (all.wide ? 8 : 4);
    columns.push_back({own, row.data() + first, start.data()[j + 1] - first});
  }
  SparseBins bins = work_freely(
      threads, [&](ThreadTeam& team) { return bin_entries(columns, n_rows, max_bins, min_rows, team); });
  nb::list edges;
  for (auto& own : bins.edges) edges.append(give(std::move(own)));
  const size_t dense = n_rows > 0 ? bins.codes.size() / static_cast<size_t>(n_rows) : 0;
  return nb::make_tuple(edges, give(std::move(bins.has_missing)), others_tuple(std::move(bins.others)),
                        give_matrix(std::move(bins.codes), dense, static_cast<size_t>(n_rows)));
}

nb::tuple tree_tuple(GradientTree&& tree) {
  const size_t nodes = tree.column.size();
  nb::list out;
  out.append(give(std::move(tree.column)));
  out.append(give(std::move(tree.bin)));
  out.append(give(std::move(tree.first_child)));
  out.append(give(std::move(tree.categorical)));
  out.append(give(std::move(tree.missing_left)));
  out.append(give_matrix(std::move(tree.levels), nodes, 4));
  out.append(give(std::move(tree.value)));
  out.append(give(std::move(tree.gain)));
  out.append(give(std::move(tree.hessian)));
  out.append(give(std::move(tree.begin)));
  out.append(give(std::move(tree.n_rows)));
  out.append(give(std::move(tree.depth)));
  out.append(give(std::move(tree.low)));
  out.append(give(std::move(tree.high)));
  out.append(give(std::move(tree.rows)));
  return nb::tuple(out);
}

using EntriesTuple = std::tuple<In<int64_t>, In<uint16_t>>;

void set_entries(BinnedTable& table, const std::optional<EntriesTuple>& given) {
  if (table.groups.n_sparse() == 0) return;
  if (!given) throw nb::value_error("sparse columns need entries");
  const auto& [start, entries] = *given;
  same_length(start.shape(0), table.groups.n_sparse() * static_cast<size_t>(table.n_rows + 1), "start");
  same_length(entries.shape(0), start.data()[start.shape(0) - 1], "entries");
  table.entry_start = start.data();
  table.entries = entries.data();
}

nb::tuple grow_gradient_tree_py(InMatrix<uint8_t> codes, In<uint8_t> grouped,
                                const std::optional<OthersTuple>& others,
                                const std::optional<EntriesTuple>& entries, In<int32_t> n_bins,
                                In<uint8_t> has_missing, In<uint8_t> categorical, In<int8_t> monotone,
                                In<double> gradient, In<double> hessian, std::optional<In<uint32_t>> rows,
                                std::optional<In<uint8_t>> used_columns,
                                const std::vector<std::vector<int32_t>>& interactions, int64_t max_leaves,
                                int max_depth, bool level_by_level, int64_t min_rows, double enough_hessian,
                                double min_hessian, double min_gain, double l1, double l2,
                                double category_smoothing, double category_l2, double category_cost,
                                int few_levels, double min_level_rows, int max_features, uint64_t seed,
                                int64_t block_rows, SpareMemory* spare, int threads) {
  BinnedTable table = table_of(codes, n_bins, has_missing, categorical, monotone, others);
  const auto n = static_cast<size_t>(table.n_rows);
  same_length(grouped.shape(0), grouped_bytes(table), "grouped");
  set_entries(table, entries);
  same_length(gradient.shape(0), n, "gradient");
  same_length(hessian.shape(0), n, "hessian");
  if (used_columns) same_length(used_columns->shape(0), table.columns.size(), "used_columns");
  if (rows)
    for (size_t k = 0; k < rows->shape(0); ++k)
      if (rows->data()[k] >= n || (k > 0 && rows->data()[k] <= rows->data()[k - 1]))
        throw nb::value_error("rows must rise, and be rows of the table");
  for (const auto& group : interactions)
    for (int32_t j : group)
      if (j < 0 || j >= static_cast<int32_t>(table.columns.size()))
        throw nb::value_error("a column is out of range");
  if (block_rows < 1) throw nb::value_error("block_rows is below 1");
  table.grouped = grouped.data();
  GrowOptions options;
  options.max_leaves = max_leaves;
  options.max_depth = max_depth;
  options.level_by_level = level_by_level;
  options.max_features = max_features;
  options.used_columns = used_columns ? used_columns->data() : nullptr;
  options.interactions = interactions;
  options.seed = seed;
  options.block_rows = block_rows;
  options.split = {l1,
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
  for (const BinnedColumn& c : table.columns)
    options.split.bounded = options.split.bounded || c.monotone != 0;
  const uint32_t* chosen = rows ? rows->data() : nullptr;
  const auto many = static_cast<int64_t>(rows ? rows->shape(0) : n);
  if (many == 0) throw nb::value_error("no rows");
  return tree_tuple(work_freely(threads, [&](ThreadTeam& team) {
    SpareMemory own, &kept = spare ? *spare : own;
    kept.words.resize(n);
    const Units units = quantise(gradient.data(), hessian.data(), chosen, many, kept.words.data(), team);
    GradientTree tree = grow_tree(table, kept.words.data(), units, chosen, many, options, kept, team);
    refine_values(tree, table.n_rows, gradient.data(), hessian.data(), units, options.split, team);
    return tree;
  }));
}

nb::tuple quantise_py(In<double> gradient, In<double> hessian, int threads) {
  same_length(hessian.shape(0), gradient.shape(0), "hessian");
  std::vector<int64_t> words(gradient.shape(0));
  const Units units = work_freely(threads, [&](ThreadTeam& team) {
    return quantise(gradient.data(), hessian.data(), nullptr, static_cast<int64_t>(words.size()),
                    words.data(), team);
  });
  return nb::make_tuple(give(std::move(words)), units.gradient, units.hessian);
}

std::vector<LeafRows> leaves_of(In<uint32_t> rows, In<int64_t> begin, In<int64_t> n_rows, In<double> value,
                                size_t n_scores) {
  same_length(n_rows.shape(0), begin.shape(0), "n_rows");
  same_length(value.shape(0), begin.shape(0), "value");
  uint32_t largest = 0;
  for (size_t k = 0; k < rows.shape(0); ++k) largest = std::max(largest, rows.data()[k]);
  if (rows.shape(0) > 0 && largest >= n_scores) throw nb::value_error("a row number is out of range");
  return leaf_rows(begin, n_rows, rows.shape(0));
}

void add_leaves_py(In<uint32_t> rows, In<int64_t> begin, In<int64_t> n_rows, In<double> value,
                   InOutRow scores, int threads) {
  const auto leaves = leaves_of(rows, begin, n_rows, value, scores.shape(0));
  work_freely(threads, [&](ThreadTeam& team) {
    add_leaves(leaves, value.data(), rows.data(), static_cast<int64_t>(scores.shape(0)), scores.data(), team);
    return 0;
  });
}

void add_left_out_py(In<uint32_t> rows, In<int64_t> begin, In<int64_t> n_rows, In<double> value,
                     In<double> leaf_hessian, In<double> gradient, In<double> hessian,
                     std::optional<In<double>> weight, double rate, double times, InOutRow scores,
                     int threads) {
  const auto leaves = leaves_of(rows, begin, n_rows, value, scores.shape(0));
  same_length(leaf_hessian.shape(0), leaves.size(), "leaf_hessian");
  same_length(gradient.shape(0), scores.shape(0), "gradient");
  same_length(hessian.shape(0), scores.shape(0), "hessian");
  if (weight) same_length(weight->shape(0), scores.shape(0), "weight");
  const LeftOut how{value.data(),
                    leaf_hessian.data(),
                    gradient.data(),
                    hessian.data(),
                    weight ? weight->data() : nullptr,
                    rate,
                    times};
  work_freely(threads, [&](ThreadTeam& team) {
    add_left_out(leaves, how, rows.data(), static_cast<int64_t>(scores.shape(0)), scores.data(), team);
    return 0;
  });
}

void add_by_codes_py(InMatrix<uint8_t> codes, const std::optional<OthersTuple>& others, In<int32_t> n_bins,
                     In<uint8_t> has_missing, In<uint8_t> is_category, In<int32_t> column, In<int32_t> bin,
                     In<int32_t> first_child, In<uint8_t> categorical, In<uint8_t> missing_left,
                     InMatrix<uint64_t> levels, In<double> value, InOutRow scores, int threads) {
  const size_t d = n_bins.shape(0), nodes = column.shape(0);
  const BinnedTable table = table_of(codes, n_bins, has_missing, is_category, {}, others);
  same_length(scores.shape(0), codes.shape(1), "scores");
  if (bin.shape(0) != nodes || first_child.shape(0) != nodes || categorical.shape(0) != nodes ||
      missing_left.shape(0) != nodes || levels.shape(0) != nodes || levels.shape(1) != 4 ||
      value.shape(0) != nodes)
    throw nb::value_error("the arrays of a tree need one entry a node");
  for (size_t t = 0; t < nodes; ++t) {
    const int32_t child = first_child.data()[t];
    if (child >= 0 && (child <= static_cast<int64_t>(t) || child + 1 >= static_cast<int64_t>(nodes) ||
                       column.data()[t] < 0 || column.data()[t] >= static_cast<int64_t>(d) ||
                       table.columns[column.data()[t]].usual == kNeverSplit))
      throw nb::value_error("a node is out of range");
  }
  const CodeTree tree{column.data(),       bin.data(),    first_child.data(), categorical.data(),
                      missing_left.data(), levels.data(), value.data(),       static_cast<int64_t>(nodes)};
  work_freely(threads, [&](ThreadTeam& team) {
    add_by_codes(tree, table, scores.data(), team);
    return 0;
  });
}

void binary_py(In<double> raw, In<double> y, std::optional<In<double>> weight, InOutRow gradient,
               InOutRow hessian, int threads) {
  const size_t n = raw.shape(0);
  same_length(y.shape(0), n, "y");
  if (weight) same_length(weight->shape(0), n, "weight");
  same_length(gradient.shape(0), n, "gradient");
  same_length(hessian.shape(0), n, "hessian");
  work_freely(threads, [&](ThreadTeam& team) {
    binary_log_loss_gradients(raw.data(), y.data(), weight ? weight->data() : nullptr,
                              static_cast<int64_t>(n), gradient.data(), hessian.data(), team);
    return 0;
  });
}

void multinomial_py(InMatrix<double> raw, In<int32_t> y, std::optional<In<double>> weight,
                    InOutMatrix<double> gradient, InOutMatrix<double> hessian, int threads) {
  const size_t n = raw.shape(1), classes = raw.shape(0);
  same_length(y.shape(0), n, "y");
  if (weight) same_length(weight->shape(0), n, "weight");
  if (gradient.shape(0) != classes || gradient.shape(1) != n || hessian.shape(0) != classes ||
      hessian.shape(1) != n)
    throw nb::value_error("gradient and hessian must have the shape of raw");
  for (size_t i = 0; i < n; ++i)
    if (y.data()[i] < 0 || y.data()[i] >= static_cast<int64_t>(classes))
      throw nb::value_error("a class is out of range");
  work_freely(threads, [&](ThreadTeam& team) {
    multinomial_gradients(raw.data(), y.data(), weight ? weight->data() : nullptr, static_cast<int64_t>(n),
                          static_cast<int>(classes), gradient.data(), hessian.data(), team);
    return 0;
  });
}

void add_trees_py(InMatrix<uint8_t> nodes, In<uint64_t> words, In<int64_t> root, In<int32_t> depth,
                  In<int32_t> output, In<double> value, const AnyMatrix& rows, InOutMatrix<double> out,
                  int threads) {
  if (nodes.shape(1) != sizeof(WideNode)) throw nb::value_error("packed nodes are 16 bytes each");
  same_length(depth.shape(0), root.shape(0), "depth");
  same_length(output.shape(0), root.shape(0), "output");
  same_length(value.shape(0), nodes.shape(0), "value");
  same_length(out.shape(0), rows.shape(0), "out");
  SumTrees trees;
  trees.nodes = reinterpret_cast<const WideNode*>(nodes.data());
  trees.words = words.data();
  trees.root = root.data();
  trees.depth = depth.data();
  trees.output = output.data();
  trees.value = value.data();
  trees.n_trees = static_cast<int64_t>(root.shape(0));
  trees.n_columns = static_cast<int64_t>(rows.shape(1));
  trees.any_subset = words.shape(0) > 0;
  const Matrix m = matrix(rows);
  work_freely(threads, [&](ThreadTeam& team) {
    gradient::add_trees(trees, m, static_cast<int>(out.shape(1)), out.data(), team);
    return 0;
  });
}

OutMatrix<double> code_levels_py(const AnyMatrix& rows, In<int32_t> column, In<double> unseen,
                                 In<int64_t> start, In<double> code, int threads) {
  same_length(unseen.shape(0), column.shape(0), "unseen");
  same_length(start.shape(0), column.shape(0) + 1, "start");
  for (size_t k = 0; k < column.shape(0); ++k)
    if (column.data()[k] < 0 || column.data()[k] >= static_cast<int64_t>(rows.shape(1)))
      throw nb::value_error("a category is no column");
  const LevelTables tables{column.data(), unseen.data(), start.data(), code.data(),
                           static_cast<int64_t>(column.shape(0))};
  const Matrix m = matrix(rows);
  std::vector<double> out(rows.shape(0) * rows.shape(1));
  work_freely(threads, [&](ThreadTeam& team) {
    code_levels(tables, m, static_cast<int64_t>(rows.shape(1)), out.data(), team);
    return 0;
  });
  return give_matrix(std::move(out), rows.shape(0), rows.shape(1));
}

Out<uint8_t> find_cells_py(InMatrix<double> edges) {
  if (edges.shape(1) != kEdges) throw nb::value_error("a column has 384 edges");
  std::vector<ColumnCells> cells(edges.shape(0));
  for (size_t k = 0; k < cells.size(); ++k) cells[k] = find_cells(edges.data() + k * kEdges);
  const auto* bytes = reinterpret_cast<const uint8_t*>(cells.data());
  return give(std::vector<uint8_t>(bytes, bytes + cells.size() * sizeof(ColumnCells)));
}

void add_blocks_py(InMatrix<uint8_t> nodes, In<int64_t> start, In<double> value, In<int64_t> leaf_start,
                   In<int32_t> output, InMatrix<uint8_t> goes_left, In<int32_t> column, In<int32_t> n_levels,
                   InMatrix<double> edges, In<uint8_t> cells, const AnyMatrix& rows, InOutMatrix<double> out,
                   int threads) {
  if (nodes.shape(1) != sizeof(CodeNode)) throw nb::value_error("nodes are 16 bytes each");
  same_length(start.shape(0), output.shape(0) + 1, "start");
  same_length(leaf_start.shape(0), output.shape(0), "leaf_start");
  same_length(n_levels.shape(0), column.shape(0), "n_levels");
  same_length(edges.shape(0), column.shape(0), "edges");
  same_length(cells.shape(0), column.shape(0) * sizeof(ColumnCells), "cells");
  same_length(out.shape(0), rows.shape(0), "out");
  if (goes_left.shape(0) > 0 && goes_left.shape(1) != 256) throw nb::value_error("a subset has 256 codes");
  if (column.shape(0) > 0 && edges.shape(1) != kEdges) throw nb::value_error("a column has 384 edges");
  CodeTrees trees;
  trees.nodes = reinterpret_cast<const CodeNode*>(nodes.data());
  trees.start = start.data();
  trees.value = value.data();
  trees.leaf_start = leaf_start.data();
  trees.output = output.data();
  trees.n_trees = static_cast<int64_t>(output.shape(0));
  trees.goes_left = goes_left.data();
  trees.column = column.data();
  trees.n_levels = n_levels.data();
  trees.edges = edges.data();
  trees.cells = reinterpret_cast<const ColumnCells*>(cells.data());
  trees.n_asked = static_cast<int64_t>(column.shape(0));
  const Matrix m = matrix(rows);
  work_freely(threads, [&](ThreadTeam& team) {
    add_trees_in_blocks(trees, m, static_cast<int>(out.shape(1)), out.data(), team);
    return 0;
  });
}

Out<int64_t> sum_of_squares_py(In<double> x, int threads) {
  return give_sum(work_freely(threads, [&](ThreadTeam& team) {
    return sum_of_squares(x.data(), static_cast<int64_t>(x.shape(0)), team);
  }));
}

Out<int64_t> sum_exactly_py(In<double> x, int threads) {
  return give_sum(work_freely(threads, [&](ThreadTeam& team) {
    return sum_exactly(x.data(), static_cast<int64_t>(x.shape(0)), team);
  }));
}

OutMatrix<double> binary_probabilities_py(In<double> raw, int threads) {
  std::vector<double> out(2 * raw.shape(0));
  work_freely(threads, [&](ThreadTeam& team) {
    binary_probabilities(raw.data(), static_cast<int64_t>(raw.shape(0)), out.data(), team);
    return 0;
  });
  return give_matrix(std::move(out), raw.shape(0), 2);
}

OutMatrix<double> class_probabilities_py(InMatrix<double> raw, int threads) {
  const size_t classes = raw.shape(0), n = raw.shape(1);
  if (classes == 0) throw nb::value_error("no classes");
  std::vector<double> out(classes * n);
  work_freely(threads, [&](ThreadTeam& team) {
    class_probabilities(raw.data(), static_cast<int64_t>(n), static_cast<int>(classes), out.data(), team);
    return 0;
  });
  return give_matrix(std::move(out), n, classes);
}

Out<double> exp_py(In<double> x, int threads) {
  std::vector<double> out(x.shape(0));
  work_freely(threads, [&](ThreadTeam& team) {
    exp_values(x.data(), static_cast<int64_t>(x.shape(0)), out.data(), team);
    return 0;
  });
  return give(std::move(out));
}

}  // namespace

void add_gradient(nb::module_& m) {
  m.def("gradient_bin_edges", &bin_edges_of, nb::arg("numbers"), nb::arg("max_bins"), nb::arg("threads"));
  m.def("gradient_bin_codes", &bin_codes_py, nb::arg("numbers"), nb::arg("edges"), nb::arg("place"),
        nb::arg("codes"), nb::arg("threads"));
  m.def("gradient_group_codes", &group_codes_py, nb::arg("codes"), nb::arg("n_bins"), nb::arg("has_missing"),
        nb::arg("others").none(), nb::arg("grouped"), nb::arg("threads"));
  m.def("gradient_find_others", &find_others_py, nb::arg("codes"), nb::arg("min_rows"), nb::arg("threads"));
  m.def("gradient_bin_entries", &bin_entries_py, nb::arg("start"), nb::arg("row"), nb::arg("values"),
        nb::arg("n_rows"), nb::arg("max_bins"), nb::arg("min_rows"), nb::arg("threads"));
  m.def("gradient_quantise", &quantise_py, nb::arg("gradient"), nb::arg("hessian"), nb::arg("threads"));
  nb::class_<SpareMemory>(m, "GradientSpareMemory")
      .def(nb::init<>())
      .def_prop_ro("n_histograms", [](const SpareMemory& own) { return own.cells.size(); });
  m.def("gradient_grow", &grow_gradient_tree_py, nb::kw_only(), nb::arg("codes"), nb::arg("grouped"),
        nb::arg("others") = nb::none(), nb::arg("entries") = nb::none(), nb::arg("n_bins"),
        nb::arg("has_missing"), nb::arg("categorical"), nb::arg("monotone"), nb::arg("gradient"),
        nb::arg("hessian"), nb::arg("rows").none(), nb::arg("used_columns").none(), nb::arg("interactions"),
        nb::arg("max_leaves"), nb::arg("max_depth"), nb::arg("level_by_level"), nb::arg("min_rows"),
        nb::arg("enough_hessian"), nb::arg("min_hessian"), nb::arg("min_gain"), nb::arg("l1"), nb::arg("l2"),
        nb::arg("category_smoothing"), nb::arg("category_l2"), nb::arg("category_cost"),
        nb::arg("few_levels"), nb::arg("min_level_rows"), nb::arg("max_features"), nb::arg("seed"),
        nb::arg("block_rows"), nb::arg("spare") = nb::none(), nb::arg("threads"));
  m.def("gradient_add_leaves", &add_leaves_py, nb::arg("rows"), nb::arg("begin"), nb::arg("n_rows"),
        nb::arg("value"), nb::arg("scores"), nb::arg("threads"));
  m.def("gradient_add_left_out", &add_left_out_py, nb::kw_only(), nb::arg("rows"), nb::arg("begin"),
        nb::arg("n_rows"), nb::arg("value"), nb::arg("leaf_hessian"), nb::arg("gradient"), nb::arg("hessian"),
        nb::arg("weight").none(), nb::arg("rate"), nb::arg("times"), nb::arg("scores"), nb::arg("threads"));
  m.def("gradient_add_by_codes", &add_by_codes_py, nb::kw_only(), nb::arg("codes"),
        nb::arg("others") = nb::none(), nb::arg("n_bins"), nb::arg("has_missing"), nb::arg("is_category"),
        nb::arg("column"), nb::arg("bin"), nb::arg("first_child"), nb::arg("categorical"),
        nb::arg("missing_left"), nb::arg("levels"), nb::arg("value"), nb::arg("scores"), nb::arg("threads"));
  m.def("binary_log_loss_gradients", &binary_py, nb::arg("raw"), nb::arg("y"), nb::arg("weight").none(),
        nb::arg("gradient"), nb::arg("hessian"), nb::arg("threads"));
  m.def("multinomial_gradients", &multinomial_py, nb::arg("raw"), nb::arg("y"), nb::arg("weight").none(),
        nb::arg("gradient"), nb::arg("hessian"), nb::arg("threads"));
  m.def("gradient_add_trees", &add_trees_py, nb::arg("nodes"), nb::arg("words"), nb::arg("root"),
        nb::arg("depth"), nb::arg("output"), nb::arg("value"), nb::arg("rows"), nb::arg("out"),
        nb::arg("threads"));
  m.def("gradient_code_levels", &code_levels_py, nb::arg("rows"), nb::arg("column"), nb::arg("unseen"),
        nb::arg("start"), nb::arg("code"), nb::arg("threads"));
  m.def("gradient_find_cells", &find_cells_py, nb::arg("edges"));
  m.def("gradient_add_blocks", &add_blocks_py, nb::arg("nodes"), nb::arg("start"), nb::arg("value"),
        nb::arg("leaf_start"), nb::arg("output"), nb::arg("goes_left"), nb::arg("column"),
        nb::arg("n_levels"), nb::arg("edges"), nb::arg("cells"), nb::arg("rows"), nb::arg("out"),
        nb::arg("threads"));
  m.def("sum_of_squares", &sum_of_squares_py, nb::arg("x"), nb::arg("threads"));
  m.def("sum_exactly", &sum_exactly_py, nb::arg("x"), nb::arg("threads"));
  m.def("binary_probabilities", &binary_probabilities_py, nb::arg("raw"), nb::arg("threads"));
  m.def("class_probabilities", &class_probabilities_py, nb::arg("raw"), nb::arg("threads"));
  m.def("exp_values", &exp_py, nb::arg("x"), nb::arg("threads"));
}

}  // namespace hedgerow::bindings

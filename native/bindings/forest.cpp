// Forests: which rows each tree draws, many trees at once, their prediction.
#include "forest/forest.hpp"
#include <numeric>
#include <variant>
#include "forest/draws.hpp"

#include "bindings/grown.hpp"
#include "forest/pack.hpp"
#include "forest/slim.hpp"
#include "forest/sparse_walk.hpp"

namespace hedgerow::bindings {
namespace {

How how_of(const std::string& how) {
  if (how == "all") return How::kAll;
  if (how == "bootstrap") return How::kBootstrap;
  if (how == "subsample") return How::kSubsample;
  if (how == "given") return How::kGiven;
  throw nb::value_error("rows are drawn by 'all', 'bootstrap' or 'subsample', or counts are 'given'");
}

DrawPlan draw_plan(const std::string& how, int64_t n_rows, int64_t size, const In<uint32_t>& order,
                   const In<double>& line, uint64_t seed) {
  DrawPlan plan;
  plan.how = how_of(how);
  plan.n_rows = n_rows;
  plan.size = size;
  plan.order = order.data();
  plan.n_order = static_cast<int64_t>(order.shape(0));
  plan.seed = seed;
  if (n_rows < 1 || plan.n_order < 1 || size < 1) throw nb::value_error("there must be rows to draw");
  if (plan.how == How::kGiven) {
    same_length(order.shape(0), static_cast<size_t>(n_rows), "counts");
    plan.size = std::accumulate(plan.order, plan.order + n_rows, int64_t{0});
    return plan;
  }
  for (int64_t k = 0; k < plan.n_order; ++k)
    if (plan.order[k] >= n_rows) throw nb::value_error("a row number is out of range");
  if (line.shape(0)) {
    same_length(line.shape(0), order.shape(0), "the line of weights");
    plan.line = line.data();
  }
  return plan;
}

Out<uint32_t> draw_counts_py(const std::string& how, int64_t n_rows, int64_t size, const In<uint32_t>& order,
                             const In<double>& line, uint64_t seed, int64_t tree) {
  const DrawPlan plan = draw_plan(how, n_rows, size, order, line, seed);
  std::vector<uint32_t> counts(n_rows);
  work_freely(1, [&](ThreadTeam&) {
    draw_counts(plan, tree, counts.data());
    return 0;
  });
  return give(std::move(counts));
}

// A block of rows at a time: the rows of a wide matrix stand far apart in each of its columns.
Out<uint64_t> hash_rows_py(const std::vector<AnyColumn>& columns, size_t n_rows, int threads) {
  constexpr int64_t kRows = 128;
  std::vector<uint64_t> hashes(n_rows, 0);
  std::vector<FloatColumn> cells;
  for (const auto& column : columns) {
    same_length(column.shape(0), n_rows, "a column");
    cells.push_back({column.data(), column.stride(0), is_wide(column.dtype())});
  }
  const auto n = static_cast<int64_t>(n_rows);
  auto hash_block = [&](int64_t block, int) {
    const int64_t begin = block * kRows, rows = std::min(kRows, n - begin);
    for (size_t j = 0; j < cells.size(); ++j) {
      auto add = [&, stride = cells[j].stride](const auto* column) {
        if (cells.size() > kWide)
          hash_nonzero(&hashes[begin], column + begin * stride, stride, rows, static_cast<int64_t>(j));
        else
          hash_numbers(&hashes[begin], column + begin * stride, stride, rows);
      };
      if (cells[j].wide)
        add(static_cast<const double*>(cells[j].data));
      else
        add(static_cast<const float*>(cells[j].data));
    }
  };
  work_freely(threads, [&](ThreadTeam& team) {
    team.run((n + kRows - 1) / kRows, hash_block);
    return 0;
  });
  return give(std::move(hashes));
}

SparseRows sparse_rows(const In<int64_t>& start, const In<int32_t>& column, const AnyColumn& values,
                       int64_t n_columns) {
  const size_t n = start.shape(0) - 1;
  if (start.shape(0) < 1 || start.data()[0] != 0 || static_cast<size_t>(start.data()[n]) != column.shape(0))
    throw nb::value_error("the rows' entries do not follow each other");
  same_length(values.shape(0), column.shape(0), "values of entries");
  for (size_t i = 0; i < n; ++i)
    if (start.data()[i] > start.data()[i + 1])
      throw nb::value_error("the rows' entries do not follow each other");
  for (size_t e = 0; e < column.shape(0); ++e)
    if (column.data()[e] < 0 || column.data()[e] >= n_columns)
      throw nb::value_error("an entry is in no column");
  return {start.data(), column.data(), values.data(), is_wide(values.dtype()), static_cast<int64_t>(n),
          n_columns};
}

Out<uint64_t> hash_entries_py(const In<int64_t>& start, const In<int32_t>& column, const AnyColumn& values,
                              int64_t n_columns) {
  const SparseRows rows = sparse_rows(start, column, values, n_columns);
  std::vector<uint64_t> hashes(rows.n_rows, 0);
  work_freely(1, [&](ThreadTeam&) {
    auto hash = [&](const auto* cells) {
      hash_entries(rows.start, rows.column, cells, rows.n_rows, n_columns, hashes.data());
    };
    if (rows.wide)
      hash(static_cast<const double*>(rows.values));
    else
      hash(static_cast<const float*>(rows.values));
    return 0;
  });
  return give(std::move(hashes));
}

Out<uint64_t> hash_more_py(const In<uint64_t>& hashes, const In<uint64_t>& words) {
  same_length(words.shape(0), hashes.shape(0), "a column");
  std::vector<uint64_t> out(hashes.data(), hashes.data() + hashes.shape(0));
  hash_more(out.data(), words.data(), static_cast<int64_t>(out.size()));
  return give(std::move(out));
}

nb::tuple slim_tuple(SlimTree&& slim) {
  const auto classes = static_cast<size_t>(slim.n_classes), places = slim.table.size() / classes;
  return nb::make_tuple(give(std::move(slim.first_child)), give(std::move(slim.feature)),
                        give(std::move(slim.threshold)), give(std::move(slim.n_rows)),
                        give(std::move(slim.place)), give_matrix(std::move(slim.table), places, classes));
}

constexpr size_t kSlimArrays = 6;

struct SlimArrays {
  In<int32_t> first_child, feature;
  In<double> threshold;
  In<uint32_t> n_rows, place;
  InMatrix<uint32_t> table;

  explicit SlimArrays(const nb::handle& slim) {
    std::tie(first_child, feature, threshold, n_rows, place, table) = nb::cast<
        std::tuple<In<int32_t>, In<int32_t>, In<double>, In<uint32_t>, In<uint32_t>, InMatrix<uint32_t>>>(
        slim);
    same_length(threshold.shape(0), feature.shape(0), "thresholds");
    same_length(place.shape(0), n_rows.shape(0), "places");
    check_slim(view(), static_cast<int64_t>(feature.shape(0)), static_cast<int64_t>(place.shape(0)),
               static_cast<int64_t>(table.shape(0)));
  }
  SlimView view() const {
    return {static_cast<int>(table.shape(1)),
            static_cast<int64_t>(first_child.shape(0)),
            first_child.data(),
            feature.data(),
            threshold.data(),
            n_rows.data(),
            place.data(),
            table.data()};
  }
};

nb::list grow_forest_py(const std::vector<AnyColumn>& codes, In<int64_t> n_codes, In<int32_t> n_levels,
                        In<int8_t> monotone, const std::vector<In<double>>& values,
                        const std::vector<In<double>>& edges, const std::string& criterion, int32_t n_classes,
                        std::optional<In<int32_t>> classes, std::optional<In<double>> target,
                        std::optional<In<double>> weight, std::optional<In<double>> class_weight,
                        bool balanced, bool exact, const nb::dict& limits, const std::string& how,
                        int64_t size, In<uint32_t> order, In<double> line, uint64_t seed, int64_t first_tree,
                        int64_t n_trees, const std::optional<nb::tuple>& sparse,
                        std::optional<InOutBytes> records, int threads) {
  std::optional<SparseIn> entries;
  if (sparse) entries.emplace(*sparse);
  const size_t d = entries ? entries->n_columns() : codes.size();
  if (d == 0) throw nb::value_error("a tree needs at least one column");
  const size_t n = classes ? classes->shape(0) : target ? target->shape(0) : 0;
  if (n == 0 || n > 0x7fffffff) throw nb::value_error("a tree needs between 1 and 2^31 - 1 rows");
  if (n_codes.shape(0) != d || n_levels.shape(0) != d || monotone.shape(0) != d ||
      (!entries && (values.size() != d || edges.size() != d)))
    throw nb::value_error("n_codes, n_levels, monotone, values and edges need one entry a column");
  if (classes.has_value() == target.has_value()) throw nb::value_error("give classes or a target, not both");
  ForestInput input;
  GrowInput& one = input.one;
  read_limits(limits, one);
  one.limits.min_wrong = one.limits.min_loss = 0;  // the trees of a forest are not pruned while they grow
  one.n_rows = static_cast<int64_t>(n);
  for (size_t j = 0; entries && j < d; ++j) {
    one.columns.push_back(entries->column(j, n_codes.data()[j], one.n_rows, monotone.data()[j]));
    input.edges.push_back(entries->edges_of(j));
  }
  for (size_t j = 0; !entries && j < d; ++j) {
    same_length(codes[j].shape(0), n, "a column of codes");
    one.columns.push_back(code_column(codes[j], n_codes.data()[j], n_levels.data()[j], monotone.data()[j]));
    const auto wanted = static_cast<size_t>(n_codes.data()[j]);
    const bool binned = edges[j].shape(0) > 0;
    if (n_levels.data()[j] == 0 && ((binned && edges[j].shape(0) + 1 < wanted) ||
                                    ((!binned || one.limits.random_splits) && values[j].shape(0) < wanted)))
      throw nb::value_error("a column of numbers needs the value of each code, or the edges of its bins");
    one.columns[j].values = values[j].data();
    input.edges.push_back(binned ? edges[j].data() : nullptr);
  }
  if (classes) one.classes = classes->data();
  if (target) one.target = target->data();
  if (weight) same_length(weight->shape(0), n, "weight"), one.weight = weight->data();
  if (class_weight) {
    same_length(class_weight->shape(0), static_cast<size_t>(n_classes), "class_weight");
    input.class_weight = class_weight->data();
  }
  one.criterion = criterion;
  one.exact = exact;
  one.n_classes = n_classes;
  input.balanced = balanced && classes;
  input.draws = draw_plan(how, one.n_rows, size, order, line, seed);
  if (records) input.records = {records->data(), static_cast<int64_t>(records->shape(0))};
  input.first_tree = first_tree;
  input.n_trees = n_trees;
  std::vector<std::variant<GrownTree, SlimTree>> trees(n_trees);
  work_freely(threads, [&](ThreadTeam& team) {
    check_codes(one);
    KeepTree keep;
    keep.whole = [&](int64_t t, GrownTree&& tree, bool counted) {
      if (counted && can_be_slim(tree))
        trees[t] = slimmed(tree);
      else
        trees[t] = std::move(tree);
    };
    keep.slim = [&](int64_t t, SlimTree&& tree) { trees[t] = std::move(tree); };
    grow_forest(input, team, keep);
    return 0;
  });
  nb::list out;
  for (auto& tree : trees)
    if (auto* slim = std::get_if<SlimTree>(&tree))
      out.append(slim_tuple(std::move(*slim)));
    else
      out.append(give_tree(std::move(std::get<GrownTree>(tree)), d));
  return out;
}

nb::dict made_whole_py(const nb::tuple& slim, const std::string& criterion) {
  const SlimArrays arrays(slim);
  return give_tree(work_freely(1, [&](ThreadTeam&) { return made_whole(arrays.view(), criterion); }), 0);
}

// A slim tree as packing wants it: shares instead of counts.
struct SlimAsArrays {
  GrownTree tree;
  std::vector<int32_t> missing_child;
  std::vector<double> shares;   // of each place
  std::vector<uint32_t> place;  // of each leaf

  TreeArrays of(const SlimArrays& arrays) {
    const SlimView slim = arrays.view();
    tree = skeleton(slim, false);
    missing_child.assign(tree.first_child.begin(), tree.first_child.end());
    place.assign(tree.size(), 0);
    for (int64_t i = 0, leaf = 0; i < tree.size(); ++i)
      if (tree.kind[i] == kLeaf)
        place[i] = slim.place[leaf++];
      else
        missing_child[i] += tree.missing_branch[i];
    const int64_t k = slim.n_classes;
    shares.assign(slim.table, slim.table + static_cast<int64_t>(arrays.table.size()));
    for (auto row = shares.begin(); row != shares.end(); row += k) {
      const double sum = std::accumulate(row, row + k, 0.0);
      for (auto share = row; share != row + k; ++share) *share /= sum;
    }
    return {tree.size(),
            tree.feature.data(),
            tree.first_child.data(),
            missing_child.data(),
            tree.kind.data(),
            tree.threshold.data(),
            shares.data(),
            nullptr,
            tree.subset_bits.data(),
            0,
            place.data()};
  }
};

// Trees as Tree has them (8 arrays), or slim ones (6).
nb::tuple pack_forest_py(const nb::list& trees, int n_features, bool narrow) {
  std::vector<std::variant<TreeArrays, SlimArrays>> all;
  std::vector<int64_t> sizes;
  size_t outputs = 0;
  bool any_subset = false;
  auto add = [&](size_t n_nodes, size_t n_outputs) {
    if (outputs && n_outputs != outputs) throw nb::value_error("all trees must have the same outputs");
    outputs = n_outputs;
    sizes.push_back(static_cast<int64_t>(n_nodes));
  };
  for (nb::handle item : trees) {
    if (nb::len(item) == kSlimArrays) {
      const SlimArrays slim(item);
      add(slim.first_child.shape(0), slim.table.shape(1));
      all.emplace_back(slim);
      continue;
    }
    const auto [feature, kind, threshold, first_child, missing_child, subset_start, words, value] =
        nb::cast<std::tuple<In<int32_t>, In<uint8_t>, In<double>, In<int32_t>, In<int32_t>, In<int64_t>,
                            In<uint64_t>, InMatrix<double>>>(item);
    const size_t n = feature.shape(0);
    if (n == 0 || kind.shape(0) != n || threshold.shape(0) != n || first_child.shape(0) != n ||
        missing_child.shape(0) != n || subset_start.shape(0) != n || value.shape(0) != n)
      throw nb::value_error("a tree's arrays must have one entry a node");
    add(n, value.shape(1));
    any_subset |= words.shape(0) > 0;
    all.emplace_back(TreeArrays{static_cast<int64_t>(n), feature.data(), first_child.data(),
                                missing_child.data(), kind.data(), threshold.data(), value.data(),
                                subset_start.data(), words.data(), static_cast<int64_t>(words.shape(0))});
  }
  if (all.empty()) throw nb::value_error("a forest has at least one tree");
  SlimAsArrays wide;
  auto tree_at = [&](size_t t) {
    if (const auto* slim = std::get_if<SlimArrays>(&all[t])) return wide.of(*slim);
    return std::get<TreeArrays>(all[t]);
  };
  PackedForest packed = work_freely(1, [&](ThreadTeam&) {
    return pack_forest(sizes, any_subset, tree_at, static_cast<int>(outputs), n_features, narrow);
  });
  const size_t width = packed.feature_bits ? sizeof(NarrowNode) : sizeof(WideNode);
  const size_t nodes = packed.nodes.size() / width, places = packed.table.size() / outputs;
  return nb::make_tuple(give_matrix(std::move(packed.nodes), nodes, width), packed.feature_bits,
                        give(std::move(packed.start)), give(std::move(packed.words)),
                        give_matrix(std::move(packed.table), places, outputs));
}

ForestView forest_view(const InMatrix<uint8_t>& nodes, int feature_bits, const In<int64_t>& start,
                       const In<uint64_t>& words, const nb::dlpack::dtype& type) {
  if (start.shape(0) < 2) throw nb::value_error("a forest has at least one tree");
  if (nodes.shape(1) != (feature_bits ? sizeof(NarrowNode) : sizeof(WideNode)))
    throw nb::value_error("packed nodes are 8 bytes (narrow) or 16 bytes (wide) each");
  if (feature_bits && is_wide(type)) throw nb::type_error("narrow nodes are for float32 rows");
  return {nodes.data(), feature_bits,      start.data(), static_cast<int64_t>(start.shape(0)) - 1,
          words.data(), words.shape(0) > 0};
}

Matrix matrix_of(const AnyMatrix& m) {
  return {m.data(), is_wide(m.dtype()), static_cast<int64_t>(m.shape(0)), m.stride(0), m.stride(1)};
}

OutMatrix<double> forest_values_py(const InMatrix<uint8_t>& nodes, int feature_bits, const In<int64_t>& start,
                                   const In<uint64_t>& words, const InMatrix<double>& table,
                                   const AnyMatrix& rows, int threads) {
  const ForestView forest = forest_view(nodes, feature_bits, start, words, rows.dtype());
  const Matrix m = matrix_of(rows);
  const size_t n = rows.shape(0), outputs = table.shape(1);
  auto* data = new double[std::max<size_t>(1, n * outputs)];  // not cleared: every cell is written
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  auto work = [&](ThreadTeam& team) {
    forest_values(forest, m, static_cast<int64_t>(rows.shape(1)), table.data(), static_cast<int>(outputs),
                  data, team);
    return 0;
  };
  if (n <= 8) {  // over in microseconds: nothing to let others run for
    Stop stop;
    ThreadTeam alone(1, stop);
    work(alone);
  } else {
    work_freely(threads, work);
  }
  return OutMatrix<double>(data, {n, outputs}, owner);
}

OutMatrix<int32_t> forest_leaves_py(const InMatrix<uint8_t>& nodes, int feature_bits,
                                    const In<int64_t>& start, const In<uint64_t>& words,
                                    const AnyMatrix& rows, int threads) {
  const ForestView forest = forest_view(nodes, feature_bits, start, words, rows.dtype());
  const Matrix m = matrix_of(rows);
  const size_t n = rows.shape(0);
  std::vector<int32_t> out(n * forest.n_trees);
  work_freely(threads, [&](ThreadTeam& team) {
    forest_leaves(forest, m, static_cast<int64_t>(rows.shape(1)), out.data(), team);
    return 0;
  });
  return give_matrix(std::move(out), n, static_cast<size_t>(forest.n_trees));
}

using SparseArrays = std::tuple<In<int64_t>, In<int32_t>, AnyColumn, int64_t>;

OutMatrix<double> forest_values_sparse_py(const InMatrix<uint8_t>& nodes, int feature_bits,
                                          const In<int64_t>& start, const In<uint64_t>& words,
                                          const InMatrix<double>& table, const nb::tuple& rows, int threads) {
  const auto arrays = nb::cast<SparseArrays>(rows);
  const SparseRows m = std::apply(sparse_rows, arrays);
  const ForestView forest = forest_view(nodes, feature_bits, start, words, std::get<2>(arrays).dtype());
  const size_t outputs = table.shape(1);
  std::vector<double> out(m.n_rows * outputs);
  work_freely(threads, [&](ThreadTeam& team) {
    forest_values(forest, m, table.data(), static_cast<int>(outputs), out.data(), team);
    return 0;
  });
  return give_matrix(std::move(out), static_cast<size_t>(m.n_rows), outputs);
}

OutMatrix<int32_t> forest_leaves_sparse_py(const InMatrix<uint8_t>& nodes, int feature_bits,
                                           const In<int64_t>& start, const In<uint64_t>& words,
                                           const nb::tuple& rows, int threads) {
  const auto arrays = nb::cast<SparseArrays>(rows);
  const SparseRows m = std::apply(sparse_rows, arrays);
  const ForestView forest = forest_view(nodes, feature_bits, start, words, std::get<2>(arrays).dtype());
  std::vector<int32_t> out(m.n_rows * forest.n_trees);
  work_freely(threads, [&](ThreadTeam& team) {
    forest_leaves(forest, m, out.data(), team);
    return 0;
  });
  return give_matrix(std::move(out), static_cast<size_t>(m.n_rows), static_cast<size_t>(forest.n_trees));
}

}  // namespace

void add_forest(nb::module_& m) {
  m.def("draw_counts", &draw_counts_py, nb::arg("how"), nb::arg("n_rows"), nb::arg("size"), nb::arg("order"),
        nb::arg("line"), nb::arg("seed"), nb::arg("tree"));
  m.def("grow_forest", &grow_forest_py, nb::kw_only(), nb::arg("codes"), nb::arg("n_codes"),
        nb::arg("n_levels"), nb::arg("monotone"), nb::arg("values"), nb::arg("edges"), nb::arg("criterion"),
        nb::arg("n_classes"), nb::arg("classes").none(), nb::arg("target").none(), nb::arg("weight").none(),
        nb::arg("class_weight").none(), nb::arg("balanced"), nb::arg("exact"), nb::arg("limits"),
        nb::arg("how"), nb::arg("size"), nb::arg("order"), nb::arg("line"), nb::arg("seed"),
        nb::arg("first_tree"), nb::arg("n_trees"), nb::arg("sparse").none(), nb::arg("records").none(),
        nb::arg("threads"));
  m.def("made_whole", &made_whole_py, nb::arg("slim"), nb::arg("criterion"));
  m.def("hash_rows", &hash_rows_py, nb::arg("columns"), nb::arg("n_rows"), nb::arg("threads") = 1);
  m.def("hash_more", &hash_more_py, nb::arg("hashes"), nb::arg("words"));
  m.def("pack_forest", &pack_forest_py, nb::arg("trees"), nb::arg("n_features"), nb::arg("narrow"));
  m.def("forest_values", &forest_values_py, nb::arg("nodes"), nb::arg("feature_bits"), nb::arg("start"),
        nb::arg("words"), nb::arg("table"), nb::arg("rows"), nb::arg("threads"));
  m.def("forest_leaves", &forest_leaves_py, nb::arg("nodes"), nb::arg("feature_bits"), nb::arg("start"),
        nb::arg("words"), nb::arg("rows"), nb::arg("threads"));
  m.def("forest_values_sparse", &forest_values_sparse_py, nb::arg("nodes"), nb::arg("feature_bits"),
        nb::arg("start"), nb::arg("words"), nb::arg("table"), nb::arg("rows"), nb::arg("threads"));
  m.def("forest_leaves_sparse", &forest_leaves_sparse_py, nb::arg("nodes"), nb::arg("feature_bits"),
        nb::arg("start"), nb::arg("words"), nb::arg("rows"), nb::arg("threads"));
  m.def("hash_entries", &hash_entries_py, nb::arg("start"), nb::arg("column"), nb::arg("values"),
        nb::arg("n_columns"));
  m.def("tree_seed", &tree_seed, nb::arg("seed"), nb::arg("tree"));
}

}  // namespace hedgerow::bindings

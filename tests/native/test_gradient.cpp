// Gradient boosting's kernels without Python, so that the sanitizers see them.
#include <cmath>
#include <vector>

#include "check.hpp"
#include "common/random.hpp"
#include "gradient/bin.hpp"
#include "gradient/grow.hpp"
#include "gradient/histogram.hpp"
#include "gradient/leaf_values.hpp"
#include "gradient/losses.hpp"
#include "gradient/partition.hpp"
#include "gradient/predict_blocks.hpp"
#include "gradient/scores.hpp"
#include "gradient/sparse.hpp"

using namespace hedgerow;
using namespace hedgerow::gradient;

namespace {

struct Case {
  int64_t n;
  std::vector<uint8_t> codes, grouped;
  std::vector<double> gradient, hessian;
  BinnedTable table;
};

// Columns of different widths, one a category, odd ones with missing cells.
Case make_case(int64_t n, int d, uint64_t seed, ThreadTeam& team) {
  Case c;
  c.n = n;
  Random random(seed);
  std::vector<BinnedColumn> columns;
  for (int j = 0; j < d; ++j) {
    BinnedColumn column;
    column.n_bins = 2 + static_cast<int32_t>(random.below(254));
    column.has_missing = j % 2 == 1;
    column.categorical = j == 2;
    columns.push_back(column);
    for (int64_t i = 0; i < n; ++i)
      c.codes.push_back(static_cast<uint8_t>(random.below(static_cast<uint32_t>(column.n_codes()))));
  }
  for (int64_t i = 0; i < n; ++i) {
    c.gradient.push_back(random.unit() - 0.5 - (c.codes[i] % 2));
    c.hessian.push_back(0.01 + random.unit());
  }
  c.table = BinnedTable(columns, n);
  c.table.codes = c.codes.data();
  c.grouped.resize(n * d + 16);
  group_codes(c.table, c.grouped.data(), team);
  c.table.grouped = c.grouped.data();
  return c;
}

GradientTree grown(const Case& c, const GrowOptions& options, ThreadTeam& team) {
  std::vector<int64_t> words(c.n);
  const Units units = quantise(c.gradient.data(), c.hessian.data(), nullptr, c.n, words.data(), team);
  SpareMemory spare;
  GradientTree tree = grow_tree(c.table, words.data(), units, nullptr, c.n, options, spare, team);
  refine_values(tree, c.n, c.gradient.data(), c.hessian.data(), units, options.split, team);
  return tree;
}

bool same(const GradientTree& a, const GradientTree& b) {
  return a.column == b.column && a.bin == b.bin && a.value == b.value && a.gain == b.gain &&
         a.rows == b.rows && a.levels == b.levels;
}

}  // namespace

TEST(gradient_trees_are_the_same_for_any_threads_and_blocks) {
  Stop stop;
  ThreadTeam one(1, stop), three(3, stop);
  for (int64_t n : {1, 2, 63, 1000, 20011}) {
    for (int d : {1, 3, 18}) {
      const Case c = make_case(n, d, static_cast<uint64_t>(n + d), one);
      GrowOptions options;
      options.split.min_rows = 3;
      const GradientTree tree = grown(c, options, one);
      CHECK(same(tree, grown(c, options, three)));
      options.block_rows = std::max<int64_t>(1, n / 7);
      CHECK(same(tree, grown(c, options, three)));
    }
  }
}

TEST(gradient_leaves_and_walks_agree) {
  Stop stop;
  ThreadTeam team(2, stop);
  const Case c = make_case(40001, 5, 9, team);  // three windows of rows
  const GradientTree tree = grown(c, GrowOptions(), team);
  std::vector<double> by_leaf(c.n), by_walk(c.n), value;
  std::vector<LeafRows> leaves;
  for (size_t t = 0; t < tree.column.size(); ++t) {
    if (tree.first_child[t] >= 0) continue;
    leaves.push_back({tree.begin[t], tree.begin[t] + tree.n_rows[t]});
    value.push_back(tree.value[t]);
  }
  add_leaves(leaves, value.data(), tree.rows.data(), c.n, by_leaf.data(), team);
  add_by_codes({tree.column.data(), tree.bin.data(), tree.first_child.data(), tree.categorical.data(),
                tree.missing_left.data(), tree.levels.data(), tree.value.data(),
                static_cast<int64_t>(tree.column.size())},
               c.table, by_walk.data(), team);
  CHECK(by_leaf == by_walk);
}

TEST(gradient_trees_of_sparse_columns_are_those_of_dense_ones) {
  Stop stop;
  ThreadTeam team(3, stop);
  const int64_t n = 6007;
  const int d = 40;
  Case c = make_case(n, d, 11, team);
  Random random(12);
  for (int64_t k = 0; k < n * d; ++k)  // a twentieth of the rows have another code than 0, in column 7 two
    if (k / n != 3 && (k / n == 7 ? k % n > 1 : random.unit() > 0.05)) c.codes[k] = 0;
  group_codes(c.table, c.grouped.data(), team);
  GrowOptions options;
  options.max_leaves = 0;
  options.split.min_rows = 3;
  const GradientTree wanted = grown(c, options, team);

  const Others others = find_others(c.codes.data(), d, n, 3, team);
  CHECK(others.usual[3] == kNotSparse && others.usual[7] == kNeverSplit && others.usual[8] == 0);
  std::vector<BinnedColumn> columns = c.table.columns;
  for (int j = 0; j < d; ++j) {
    columns[j].usual = others.usual[j];
    columns[j].n_others = others.start[j + 1] - others.start[j];
  }
  Case s = c;
  s.table = BinnedTable(columns, n);
  s.codes.assign(c.codes.begin() + 3 * n, c.codes.begin() + 4 * n);
  s.table.codes = s.codes.data();
  s.table.grouped = s.grouped.data();
  s.table.other_start = others.start.data();
  s.table.other_row = others.row.data();
  s.table.other_code = others.code.data();
  group_codes(s.table, s.grouped.data(), team);
  const Entries entries = write_entries(s.table, team);
  s.table.entry_start = entries.start.data();
  s.table.entries = entries.entries.data();
  CHECK(same(wanted, grown(s, options, team)));

  std::vector<double> dense(n), sparse(n);
  const CodeTree tree{wanted.column.data(),       wanted.bin.data(),
                      wanted.first_child.data(),  wanted.categorical.data(),
                      wanted.missing_left.data(), wanted.levels.data(),
                      wanted.value.data(),        static_cast<int64_t>(wanted.column.size())};
  add_by_codes(tree, c.table, dense.data(), team);
  add_by_codes(tree, s.table, sparse.data(), team);
  CHECK(dense == sparse);

  std::vector<uint8_t> written(n);
  for (int64_t step : {1, 3, 1500}) {
    std::vector<uint32_t> rows;
    for (int64_t i = step / 2; i < n; i += step) rows.push_back(static_cast<uint32_t>(i));
    write_codes_of(s.table, 8, rows.data(), static_cast<int64_t>(rows.size()), written.data());
    for (uint32_t i : rows) CHECK(written[i] == c.table.column(8)[i]);
  }
}

TEST(gradient_columns_of_few_other_cells_stand_in_groups_of_their_own) {
  std::vector<BinnedColumn> columns(90);
  for (int j = 0; j < 90; ++j) {
    columns[j].n_bins = 2;
    columns[j].usual = j == 5 ? kNotSparse : 0;
    columns[j].n_others = j == 5 ? 0 : j % 3 == 0 ? 7 + j % 2 : 20 + j;
  }
  const Groups all(columns, 1000);
  CHECK(all.n_dense == 1 && all.groups.size() == 3);
  CHECK(all.groups[1].most_others == 109 && all.groups[2].most_others == 8);
  CHECK(all.groups[2].columns.size() == 30 && all.groups[2].codes_start == 1001);
  int64_t cells = 0;
  for (const Group& group : all.groups) {
    CHECK(group.cells_start == cells);
    cells += group.n_cells;
    for (int32_t j : group.columns) CHECK(all.cells_of[j] >= group.cells_start && all.cells_of[j] < cells);
  }
  CHECK(cells == all.n_cells);
  SplitOptions options;
  options.min_rows = 20;
  Units units;
  units.hessian = 0.5;
  units.largest_hessian = 2;
  CHECK(may_suffice(20, options, units) && !may_suffice(19, options, units));
  options.enough_hessian = 6.0;  // twelve units
  CHECK(may_suffice(6, options, units) && !may_suffice(5, options, units));
  options.enough_hessian = 1.0;
  CHECK(may_suffice(5, options, units) && !may_suffice(4, options, units));
}

TEST(gradient_rows_left_out_of_their_leaf) {
  Stop stop;
  ThreadTeam team(2, stop);
  const std::vector<double> g{1.0, -3.0, 5.0}, h{0.5, 0.25, 1.0};
  const std::vector<double> value{-6.0 / 2.5, 3.0 / 1.25}, leaf_hessian{2.5, 1.25};  // a penalty of 1
  const std::vector<uint32_t> rows{0, 2, 1};
  std::vector<double> scores(3, 10.0);
  add_left_out({{0, 2}, {2, 3}}, {value.data(), leaf_hessian.data(), g.data(), h.data(), nullptr, 1.0, 1.0},
               rows.data(), 3, scores.data(), team);
  CHECK(std::abs(scores[0] - (10.0 - 5.0 / 2.0)) < 1e-12);
  CHECK(std::abs(scores[2] - (10.0 - 1.0 / 1.5)) < 1e-12);
  CHECK(std::abs(scores[1] - 10.0) < 1e-12);  // alone in its leaf
}

TEST(gradient_bins_hold_every_number) {
  Stop stop;
  ThreadTeam team(2, stop);
  for (int64_t n : {1, 5, 4097}) {
    Random random(static_cast<uint64_t>(n));
    std::vector<double> wide(n * 3);
    std::vector<float> narrow(n);
    for (auto& x : wide) x = random.unit() < 0.1 ? NAN : std::floor(random.unit() * 900.0) / 7.0;
    for (auto& x : narrow) x = static_cast<float>(random.unit());
    const std::vector<NumberColumn> columns{
        {wide.data(), true, 3}, {wide.data() + 2, true, 3}, {narrow.data(), false, 1}};
    for (int max_bins : {2, 17, 255}) {
      const auto edges = bin_edges(columns, n, max_bins, team);
      std::vector<uint8_t> codes(3 * n);
      bin_codes(columns, n, edges, {0, 1, 2}, codes.data(), team);
      for (int j = 0; j < 3; ++j) {
        CHECK(static_cast<int>(edges[j].size()) < max_bins);
        for (int64_t i = 0; i < n; ++i) CHECK(codes[j * n + i] <= edges[j].size() + 1);
      }
    }
  }
}

TEST(gradient_of_the_log_loss_is_finite_everywhere) {
  Stop stop;
  ThreadTeam team(1, stop);
  const std::vector<double> raw{-1e300, -40.0, 0.0, 40.0, 1e300}, y{0.0, 1.0, 1.0, 0.0, 1.0};
  std::vector<double> g(5), h(5);
  binary_log_loss_gradients(raw.data(), y.data(), nullptr, 5, g.data(), h.data(), team);
  for (int i = 0; i < 5; ++i) CHECK(std::isfinite(g[i]) && h[i] > 0.0);
}

TEST(gradient_histograms_and_parts_of_blocks_are_those_of_all_rows) {
  Stop stop;
  ThreadTeam team(2, stop);
  const int64_t n = 5003;
  const Case c = make_case(n, 19, 4, team);
  std::vector<int64_t> words(n);
  quantise(c.gradient.data(), c.hessian.data(), nullptr, n, words.data(), team);
  std::vector<uint32_t> rows;
  for (int64_t i = 0; i < n; i += 1 + i % 3) rows.push_back(static_cast<uint32_t>(i));
  const auto many = static_cast<int64_t>(rows.size());
  for (const Group& group : c.table.groups.groups) {
    std::vector<int64_t> slow(group.columns.size() * group.spacing);  // column by column, row by row
    for (size_t k = 0; k < group.columns.size(); ++k)
      for (uint32_t i : rows) slow[k * group.spacing + c.table.column(group.columns[k])[i]] += words[i];
    for (int64_t blocks : {1, 7, 64}) {
      std::vector<int64_t> cells(slow.size());
      for (int64_t b = blocks; b-- > 0;)  // the last block first: sums have no order
        add_to_histogram(c.table, group, words.data(), rows.data(), many * b / blocks,
                         many * (b + 1) / blocks, cells.data());
      CHECK(cells == slow);
    }
  }
  uint8_t goes_left[kMaxCodes];
  for (int code = 0; code < kMaxCodes; ++code) goes_left[code] = code % 3 == 0;
  std::vector<uint32_t> expected, right, scratch(n);
  for (uint32_t i : rows) (goes_left[c.table.column(0)[i]] ? expected : right).push_back(i);
  const auto n_left = static_cast<int64_t>(expected.size());
  expected.insert(expected.end(), right.begin(), right.end());
  for (int64_t blocks : {1, 7, 64}) {
    std::vector<uint32_t> parted = rows;
    CHECK(part_rows(c.table.column(0), goes_left, parted.data(), many, false, scratch.data(),
                    (many + blocks - 1) / blocks, team) == n_left);
    CHECK(parted == expected);
  }
}

TEST(gradient_of_more_classes_sums_to_zero) {
  Stop stop;
  ThreadTeam team(2, stop);
  const int64_t n = 4099;
  const int classes = 3;
  Random random(3);
  std::vector<double> raw(classes * n), g(classes * n), h(classes * n);
  std::vector<int32_t> y(n);
  for (auto& x : raw) x = 2000.0 * (random.unit() - 0.5);
  for (auto& k : y) k = static_cast<int32_t>(random.below(classes));
  multinomial_gradients(raw.data(), y.data(), nullptr, n, classes, g.data(), h.data(), team);
  for (int64_t i = 0; i < n; ++i) {
    CHECK(std::fabs(g[i] + g[n + i] + g[2 * n + i]) < 1e-12);
    for (int k = 0; k < classes; ++k) CHECK(h[k * n + i] > 0.0);
  }
}

// A threshold at the root, a set of levels below it: 1,500 rows, the last block not full.
TEST(gradient_trees_in_blocks_are_those_of_single_rows) {
  Stop stop;
  ThreadTeam team(2, stop);
  const int64_t n = 1500;
  Random random(4);
  std::vector<double> cells(2 * n), out(n, 0.0);
  for (int64_t i = 0; i < n; ++i) {
    cells[2 * i] = i % 7 == 0 ? NAN : random.unit();
    cells[2 * i + 1] = i % 5 == 0 ? NAN : static_cast<double>(random.below(5));  // level 4 was never seen
  }
  const CodeNode nodes[] = {
      {64, 64, 128, 0x02020202, 0x02020202},  // up to the second threshold, or missing: codes are one more
      {128 + kSubset, 128, 128, 0, 0x01010101},
  };
  std::vector<uint8_t> goes_left(256, 0);
  goes_left[1] = goes_left[3] = 255;
  std::vector<double> edges(2 * kEdges, HUGE_VAL);
  edges[0] = 0.25, edges[1] = 0.5, edges[2] = 0.75;
  const ColumnCells found[] = {find_cells(edges.data()), find_cells(edges.data() + kEdges)};
  const int64_t start[] = {0, 2}, leaf_start[] = {0};
  const int32_t output[] = {0}, column[] = {0, 1}, n_levels[] = {0, 4};
  const double value[] = {3.0, 4.0, 2.0};
  const CodeTrees trees{nodes,  start,    value,        leaf_start, output, 1, goes_left.data(),
                        column, n_levels, edges.data(), found,      2};
  add_trees_in_blocks(trees, {cells.data(), true, n, 2, 1}, 1, out.data(), team);
  for (int64_t i = 0; i < n; ++i) {
    const double x = cells[2 * i], level = cells[2 * i + 1];
    const bool first = !(x > 0.5), second = level == 1.0 || level == 3.0;
    CHECK(out[i] == (!first ? 2.0 : second ? 3.0 : 4.0));
  }
}

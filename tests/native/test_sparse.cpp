// Sparse columns: ranks, forests and rows by their entries against the columns and rows written out.
#include <cmath>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "encode/rank_entries.hpp"
#include "forest/forest.hpp"
#include "forest/sparse_walk.hpp"
#include "grow/sparse_columns.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;

namespace {

struct Table {
  int64_t n, d;
  std::vector<double> cells;  // row by row
  std::vector<int64_t> start{0};
  std::vector<uint32_t> row;
  std::vector<double> values;
  EntryCodes codes;

  Table(Dice& dice, int64_t n, int64_t d, double share, double missing) : n(n), d(d), cells(n * d, 0.0) {
    for (int64_t j = 0; j < d; ++j) {
      for (int64_t i = 0; i < n; ++i) {
        if (!dice.chance(share)) continue;
        const double x = dice.chance(missing) ? std::nan("") : 0.5 * static_cast<double>(dice.between(-2, 3));
        cells[i * d + j] = x;
        row.push_back(static_cast<uint32_t>(i));
        values.push_back(x);
      }
      start.push_back(static_cast<int64_t>(row.size()));
    }
    Stop stop;
    ThreadTeam team(2, stop);
    codes = rank_entries({n, d, start.data(), values.data(), true}, team);
  }

  std::vector<CodeColumn> columns() const {
    std::vector<CodeColumn> out(d);
    for (int64_t j = 0; j < d; ++j) {
      out[j].sparse = true;
      out[j].width = 4;
      out[j].codes = codes.codes.data() + start[j];
      out[j].entry_rows = row.data() + start[j];
      out[j].n_entries = start[j + 1] - start[j];
      out[j].rest = codes.rest[j];
      out[j].n_codes = codes.n_codes[j];
      out[j].values = codes.values.data() + codes.value_start[j];
    }
    return out;
  }
};

bool same(const GrownTree& a, const GrownTree& b) {
  auto bits = [](const std::vector<double>& x, const std::vector<double>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(double)) == 0;
  };
  return a.feature == b.feature && a.first_child == b.first_child && a.kind == b.kind &&
         a.missing_branch == b.missing_branch && a.n_rows == b.n_rows && bits(a.threshold, b.threshold) &&
         bits(a.value, b.value) && bits(a.weight, b.weight) && bits(a.impurity, b.impurity);
}

TEST(ranks_of_entries_are_ranks_of_the_column) {
  Dice dice(71);
  for (int round = 0; round < 20; ++round) {
    const Table table(dice, dice.between(1, 40), dice.between(1, 6), 0.2 * (round % 6), 0.1 * (round % 2));
    for (int64_t j = 0; j < table.d; ++j) {
      const double* values = table.codes.values.data() + table.codes.value_start[j];
      for (int64_t c = 1; c < table.codes.n_codes[j]; ++c) CHECK(values[c - 1] < values[c]);
      for (int64_t e = table.start[j]; e < table.start[j + 1]; ++e) {
        const double x = table.values[e];
        const uint32_t code = table.codes.codes[e];
        CHECK(std::isnan(x) ? code == table.codes.n_codes[j] : values[code] == x);
      }
      if (table.start[j + 1] - table.start[j] < table.n) CHECK(values[table.codes.rest[j]] == 0.0);
    }
  }
}

TEST(forests_by_entries_are_those_of_the_columns_written_out) {
  Dice dice(72);
  for (int round = 0; round < 24; ++round) {
    const bool classes = round % 2, random = round % 4 >= 2;
    const Table table(dice, dice.between(2, 300), dice.between(1, 40), 0.02 + 0.1 * (round % 5),
                      round % 3 == 0 ? 0.05 : 0.0);
    std::vector<int32_t> labels(table.n);
    std::vector<double> target(table.n);
    std::vector<uint32_t> order(table.n);
    std::iota(order.begin(), order.end(), 0u);
    for (int64_t i = 0; i < table.n; ++i) {
      labels[i] = static_cast<int32_t>(dice.between(0, 2));
      target[i] = 1e3 + dice.unit();
    }
    ForestInput input;
    input.one.n_rows = table.n;
    input.one.columns = table.columns();
    input.one.criterion = classes ? "gini" : "squared_error";
    input.one.n_classes = classes ? 3 : 0;
    if (classes)
      input.one.classes = labels.data();
    else
      input.one.target = target.data();
    input.one.limits = {1000, 2, 1, 0.0, 0, 0.0, static_cast<int32_t>(1 + table.d / 2), random};
    input.draws.how = How::kBootstrap;
    input.draws.n_rows = input.draws.size = input.draws.n_order = table.n;
    input.draws.order = order.data();
    input.draws.seed = dice.bits();
    input.edges.assign(table.d, nullptr);
    input.n_trees = 4;
    Stop stop;
    ThreadTeam team(1 + round % 3, stop);
    const auto by_entries = grow_forest(input, team);
    std::vector<std::vector<uint8_t>> storage;
    ForestInput written = input;
    expand_columns(written.one.columns, table.n, storage, team);
    const auto wanted = grow_forest(written, team);
    for (int t = 0; t < 4; ++t) CHECK(same(by_entries[t], wanted[t]));
  }
}

TEST(sparse_rows_end_in_the_leaves_of_rows_written_out) {
  Dice dice(73);
  // x1 <= 0.25 ? leaf : (x0 <= -0.25, missing there too ? leaf : leaf)
  const std::vector<int32_t> feature{1, -1, 0, -1, -1}, first{1, -1, 3, -1, -1}, missing{2, -1, 3, -1, -1};
  const std::vector<uint8_t> kind{1, 0, 1, 0, 0};
  const std::vector<double> threshold{0.25, 0, -0.25, 0, 0}, value{0, 1, 0, 2, 3};
  const std::vector<int64_t> subset(5, -1);
  const TreeArrays tree{5,
                        feature.data(),
                        first.data(),
                        missing.data(),
                        kind.data(),
                        threshold.data(),
                        value.data(),
                        subset.data(),
                        nullptr,
                        0};
  const PackedForest packed = pack_forest({tree, tree, tree}, 1, 3, false);
  const ForestView forest{
      packed.nodes.data(), packed.feature_bits, packed.start.data(), 3, packed.words.data(), false};
  for (const int64_t n : {1, 7, 600}) {
    std::vector<double> cells(n * 3, 0.0), values;
    std::vector<int64_t> start{0};
    std::vector<int32_t> column;
    for (int64_t i = 0; i < n; ++i) {
      for (int32_t j = 0; j < 3; ++j)
        if (dice.chance(0.6)) {
          const double x = dice.chance(0.1) ? std::nan("") : static_cast<double>(dice.between(-1, 1));
          cells[i * 3 + j] = x;
          column.push_back(j);
          values.push_back(x);
        }
      start.push_back(static_cast<int64_t>(column.size()));
    }
    Stop stop;
    ThreadTeam team(3, stop);
    std::vector<int32_t> leaves(n * 3), wanted(n * 3);
    std::vector<double> means(n), wanted_means(n);
    const SparseRows rows{start.data(), column.data(), values.data(), true, n, 3};
    const Matrix matrix{cells.data(), true, n, 3, 1};
    forest_leaves(forest, rows, leaves.data(), team);
    forest_leaves(forest, matrix, 3, wanted.data(), team);
    CHECK(leaves == wanted);
    forest_values(forest, rows, packed.table.data(), 1, means.data(), team);
    forest_values(forest, matrix, 3, packed.table.data(), 1, wanted_means.data(), team);
    CHECK(means == wanted_means);
  }
}

}  // namespace

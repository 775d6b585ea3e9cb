#include "gradient/scores.hpp"

#include "gradient/sparse.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRows = 8192;        // a task
constexpr int64_t kWritten = 1 << 20;  // codes of sparse columns, of a task, about
constexpr double kLeastRest = 0.01;    // of a leaf without a row, by that row's hessian

}  // namespace

void add_leaves(const std::vector<LeafRows>& leaves, const double* value, const uint32_t* rows,
                int64_t n_rows, double* scores, ThreadTeam& team) {
  over_windows(leaves, rows, n_rows, team, [&](int64_t, size_t leaf, int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) scores[rows[k]] += value[leaf];
  });
}

void add_left_out(const std::vector<LeafRows>& leaves, const LeftOut& how, const uint32_t* rows,
                  int64_t n_rows, double* scores, ThreadTeam& team) {
  over_windows(leaves, rows, n_rows, team, [&](int64_t, size_t leaf, int64_t begin, int64_t end) {
    const double value = how.value[leaf];
    for (int64_t k = begin; k < end; ++k) {
      const uint32_t i = rows[k];
      const double rows_like_it = how.weight == nullptr ? 1.0 : std::max(how.weight[i], 1.0);
      const double g = how.gradient[i] / rows_like_it, h = how.hessian[i] / rows_like_it;
      const double rest = std::max(how.leaf_hessian[leaf] - h, kLeastRest * h);
      const double own = rest > 0.0 ? (how.rate * g + value * h) / rest : 0.0;
      scores[i] += value + how.times * own;
    }
  });
}

void add_by_codes(const CodeTree& tree, const BinnedTable& table, double* scores, ThreadTeam& team) {
  std::vector<uint8_t> goes_left(tree.n_nodes * kMaxCodes);
  std::vector<int32_t> sparse;  // columns that the tree asks
  for (int64_t t = 0; t < tree.n_nodes; ++t) {
    if (tree.first_child[t] < 0) continue;
    const int32_t j = tree.column[t];
    Split split;
    split.categorical = tree.categorical[t];
    split.bin = tree.bin[t];
    split.missing_left = tree.missing_left[t];
    std::copy(tree.levels + 4 * t, tree.levels + 4 * t + 4, split.levels.begin());
    fill_goes_left(split, table.columns[j], goes_left.data() + t * kMaxCodes);
    if (!table.columns[j].dense()) sparse.push_back(j);
  }
  std::sort(sparse.begin(), sparse.end());
  sparse.erase(std::unique(sparse.begin(), sparse.end()), sparse.end());
  const auto many = static_cast<int64_t>(sparse.size());
  const int64_t rows = std::clamp<int64_t>(kWritten / std::max<int64_t>(1, many), 64, kRows);
  std::vector<std::vector<uint8_t>> written(team.size());
  team.run((table.n_rows + rows - 1) / rows, [&](int64_t task, int worker) {
    const int64_t begin = task * rows, end = std::min(table.n_rows, begin + rows);
    auto& own = written[worker];
    own.resize(many * rows);
    for (int64_t k = 0; k < many; ++k) write_codes(table, sparse[k], begin, end, own.data() + k * rows);
    std::vector<const uint8_t*> codes(tree.n_nodes);  // of each node's column, from row `begin` on
    for (int64_t t = 0; t < tree.n_nodes; ++t) {
      if (tree.first_child[t] < 0) continue;
      const int32_t j = tree.column[t];
      codes[t] =
          table.columns[j].dense()
              ? table.column(j) + begin
              : own.data() + rows * (std::lower_bound(sparse.begin(), sparse.end(), j) - sparse.begin());
    }
    for (int64_t i = begin; i < end; ++i) {
      int64_t at = 0;
      while (tree.first_child[at] >= 0)
        at = tree.first_child[at] + 1 - goes_left[at * kMaxCodes + codes[at][i - begin]];
      scores[i] += tree.value[at];
    }
  });
}

}  // namespace hedgerow::gradient

#include "gradient/scores.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRows = 8192;      // a task
constexpr double kLeastRest = 0.01;  // of a leaf without a row, by that row's hessian

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
  for (int64_t t = 0; t < tree.n_nodes; ++t) {
    if (tree.first_child[t] < 0) continue;
    Split split;
    split.categorical = tree.categorical[t];
    split.bin = tree.bin[t];
    split.missing_left = tree.missing_left[t];
    std::copy(tree.levels + 4 * t, tree.levels + 4 * t + 4, split.levels.begin());
    fill_goes_left(split, table.columns[tree.column[t]], goes_left.data() + t * kMaxCodes);
  }
  team.run((table.n_rows + kRows - 1) / kRows, [&](int64_t task, int) {
    for (int64_t i = task * kRows; i < std::min(table.n_rows, (task + 1) * kRows); ++i) {
      int64_t at = 0;
      while (tree.first_child[at] >= 0) {
        const uint8_t code = table.column(tree.column[at])[i];
        at = tree.first_child[at] + 1 - goes_left[at * kMaxCodes + code];
      }
      scores[i] += tree.value[at];
    }
  });
}

}  // namespace hedgerow::gradient

#include "gradient/scores.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRows = 8192;      // a task
constexpr double kLeastRest = 0.01;  // of a leaf without a row, by that row's hessian

struct Task {
  size_t leaf;
  int64_t begin, end;
};

std::vector<Task> cut_leaves(const std::vector<Leaf>& leaves) {
  std::vector<Task> tasks;
  for (size_t t = 0; t < leaves.size(); ++t) {
    const int64_t end = leaves[t].begin + leaves[t].n_rows;
    for (int64_t at = leaves[t].begin; at < end; at += kRows)
      tasks.push_back({t, at, std::min(end, at + kRows)});
  }
  return tasks;
}

}  // namespace

void add_leaves(const std::vector<Leaf>& leaves, const uint32_t* rows, double* scores, ThreadTeam& team) {
  const std::vector<Task> tasks = cut_leaves(leaves);
  auto add = [&](int64_t task, int) {
    const double value = leaves[tasks[task].leaf].value;
    for (int64_t k = tasks[task].begin; k < tasks[task].end; ++k) scores[rows[k]] += value;
  };
  team.run(static_cast<int64_t>(tasks.size()), add);
}

void add_left_out(const std::vector<Leaf>& leaves, const std::vector<double>& leaf_hessian,
                  const uint32_t* rows, const LeftOut& how, double* scores, ThreadTeam& team) {
  const std::vector<Task> tasks = cut_leaves(leaves);
  auto add = [&](int64_t task, int) {
    const auto [t, begin, end] = tasks[task];
    const double value = leaves[t].value;
    for (int64_t k = begin; k < end; ++k) {
      const uint32_t i = rows[k];
      const double h = how.hessian[i], rest = std::max(leaf_hessian[t] - h, kLeastRest * h);
      const double own = rest > 0.0 ? (how.rate * how.gradient[i] + value * h) / rest : 0.0;
      scores[i] += value + how.times * own;
    }
  };
  team.run(static_cast<int64_t>(tasks.size()), add);
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

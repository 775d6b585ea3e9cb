#include "gradient/leaf_values.hpp"

#include <bit>

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRows = 16384;               // a task
constexpr double kFiner = 0x1.0p20;            // fine units in a unit
constexpr double kMagic = 6755399441055744.0;  // adding it leaves the nearest whole number in the low bits

struct Task {
  size_t node;
  int64_t begin, end;
};

inline int64_t rounded(double x) {  // |x| < 2^51
  return static_cast<int64_t>(std::bit_cast<uint64_t>(x + kMagic) - std::bit_cast<uint64_t>(kMagic));
}

FineSums sum_rows(const double* gradient, const double* hessian, const uint32_t* rows, const Task& task,
                  double g_scale, double h_scale) {
  FineSums sums;
  for (int64_t k = task.begin; k < task.end; ++k) {
    sums.gradient += rounded(gradient[rows[k]] * g_scale);
    sums.hessian += rounded(hessian[rows[k]] * h_scale);
  }
  return sums;
}

}  // namespace

std::vector<FineSums> sum_leaves(const std::vector<LeafRows>& leaves, const uint32_t* rows,
                                 const double* gradient, const double* hessian, const Units& units,
                                 ThreadTeam& team) {
  std::vector<Task> tasks;
  for (size_t t = 0; t < leaves.size(); ++t)
    for (int64_t at = leaves[t].begin; at < leaves[t].end; at += kRows)
      tasks.push_back({t, at, std::min(leaves[t].end, at + kRows)});
  std::vector<FineSums> parts(tasks.size()), sums(leaves.size());
  const double g_scale = kFiner / units.gradient, h_scale = kFiner / units.hessian;
  team.run(static_cast<int64_t>(tasks.size()),
           [&](int64_t k, int) { parts[k] = sum_rows(gradient, hessian, rows, tasks[k], g_scale, h_scale); });
  for (size_t k = 0; k < tasks.size(); ++k) {
    sums[tasks[k].node].gradient += parts[k].gradient;
    sums[tasks[k].node].hessian += parts[k].hessian;
  }
  return sums;
}

void set_values(GradientTree& tree, std::vector<FineSums> sums, const Units& units,
                const SplitOptions& options) {
  for (size_t t = tree.column.size(); t-- > 0;) {  // children stand after their parent
    if (const int32_t child = tree.first_child[t]; child >= 0) {
      sums[t].gradient = sums[child].gradient + sums[child + 1].gradient;
      sums[t].hessian = sums[child].hessian + sums[child + 1].hessian;
    }
    const double g = static_cast<double>(sums[t].gradient) / kFiner * units.gradient;
    const double h = static_cast<double>(sums[t].hessian) / kFiner * units.hessian;
    const double drawn = g > options.l1 ? g - options.l1 : g < -options.l1 ? g + options.l1 : 0.0;
    const double value = h + options.l2 > 0.0 ? -drawn / (h + options.l2) : 0.0;
    tree.value[t] = std::clamp(value, tree.low[t], tree.high[t]);
    tree.hessian[t] = h;
  }
}

void refine_values(GradientTree& tree, const double* gradient, const double* hessian, const Units& units,
                   const SplitOptions& options, ThreadTeam& team) {
  std::vector<LeafRows> leaves;  // of an inner node: none
  for (size_t t = 0; t < tree.column.size(); ++t)
    leaves.push_back({tree.begin[t], tree.begin[t] + (tree.first_child[t] < 0 ? tree.n_rows[t] : 0)});
  set_values(tree, sum_leaves(leaves, tree.rows.data(), gradient, hessian, units, team), units, options);
}

}  // namespace hedgerow::gradient

#include "gradient/leaf_values.hpp"

#include <bit>

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRows = 16384;               // a task
constexpr double kFiner = 0x1.0p20;            // fine units in a unit
constexpr double kMagic = 6755399441055744.0;  // adding it leaves the nearest whole number in the low bits

struct FineSums {
  int64_t gradient = 0, hessian = 0;
};

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

void refine_values(GradientTree& tree, const double* gradient, const double* hessian, const Units& units,
                   const SplitOptions& options, ThreadTeam& team) {
  const size_t nodes = tree.column.size();
  std::vector<Task> tasks;
  for (size_t t = 0; t < nodes; ++t)
    for (int64_t at = 0; tree.first_child[t] < 0 && at < tree.n_rows[t]; at += kRows)
      tasks.push_back({t, tree.begin[t] + at, tree.begin[t] + std::min(tree.n_rows[t], at + kRows)});
  std::vector<FineSums> parts(tasks.size()), sums(nodes);
  const double g_scale = kFiner / units.gradient, h_scale = kFiner / units.hessian;
  team.run(static_cast<int64_t>(tasks.size()), [&](int64_t k, int) {
    parts[k] = sum_rows(gradient, hessian, tree.rows.data(), tasks[k], g_scale, h_scale);
  });
  for (size_t k = 0; k < tasks.size(); ++k) {
    sums[tasks[k].node].gradient += parts[k].gradient;
    sums[tasks[k].node].hessian += parts[k].hessian;
  }
  for (size_t t = nodes; t-- > 0;) {  // children stand after their parent
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

}  // namespace hedgerow::gradient

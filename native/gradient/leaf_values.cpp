#include "gradient/leaf_values.hpp"

namespace hedgerow::gradient {
namespace {

constexpr double kFiner = 0x1.0p20;  // fine units in a unit

FineSums sum_rows(const double* gradient, const double* hessian, const uint32_t* rows, int64_t begin,
                  int64_t end, double g_scale, double h_scale) {
  FineSums sums;
  for (int64_t k = begin; k < end; ++k) {
    sums.gradient += rounded(gradient[rows[k]] * g_scale);
    sums.hessian += rounded(hessian[rows[k]] * h_scale);
  }
  return sums;
}

}  // namespace

std::vector<FineSums> sum_leaves(const std::vector<LeafRows>& leaves, const uint32_t* rows, int64_t n_rows,
                                 const double* gradient, const double* hessian, const Units& units,
                                 ThreadTeam& team) {
  const size_t many = leaves.size();
  std::vector<FineSums> parts(many * n_windows(many, n_rows)), sums(many);
  const double g_scale = kFiner / units.gradient, h_scale = kFiner / units.hessian;
  over_windows(leaves, rows, n_rows, team, [&](int64_t window, size_t leaf, int64_t begin, int64_t end) {
    parts[window * many + leaf] = sum_rows(gradient, hessian, rows, begin, end, g_scale, h_scale);
  });
  for (size_t k = 0; k < parts.size(); ++k) {
    sums[k % many].gradient += parts[k].gradient;
    sums[k % many].hessian += parts[k].hessian;
  }
  return sums;
}

void set_values(GradientTree& tree, std::vector<FineSums> sums, const Units& units,
                const SplitOptions& options) {
  tree.value.resize(tree.column.size());
  tree.hessian.resize(tree.column.size());
  for (size_t t = tree.column.size(); t-- > 0;) {  // children stand after their parent
    if (const int32_t child = tree.first_child[t]; child >= 0) {
      sums[t].gradient = sums[child].gradient + sums[child + 1].gradient;
      sums[t].hessian = sums[child].hessian + sums[child + 1].hessian;
    }
    const double g = static_cast<double>(sums[t].gradient) / kFiner * units.gradient;
    const double h = static_cast<double>(sums[t].hessian) / kFiner * units.hessian;
    tree.value[t] = std::clamp(newton_step(g, h, options.l1, options.l2), tree.low[t], tree.high[t]);
    tree.hessian[t] = h;
  }
}

void refine_values(GradientTree& tree, int64_t n_rows, const double* gradient, const double* hessian,
                   const Units& units, const SplitOptions& options, ThreadTeam& team) {
  std::vector<LeafRows> leaves;  // of an inner node: none
  for (size_t t = 0; t < tree.column.size(); ++t)
    leaves.push_back({tree.begin[t], tree.begin[t] + (tree.first_child[t] < 0 ? tree.n_rows[t] : 0)});
  set_values(tree, sum_leaves(leaves, tree.rows.data(), n_rows, gradient, hessian, units, team), units,
             options);
}

}  // namespace hedgerow::gradient

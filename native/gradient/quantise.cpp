#include "gradient/quantise.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "common/simd.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRows = 8192;                // a task
constexpr double kBudget = 0x1.0p30;           // units: bound of the sums
constexpr double kSquare = 0x1.0p-31;          // squares of numbers below 2^31 are below 2^31 again
constexpr double kMagic = 6755399441055744.0;  // adding it leaves the nearest whole number in the low bits

struct Extent {
  double gradient = 0.0, hessian = 0.0, least_hessian = HUGE_VAL;
  bool sound = true;
};

HEDGEROW_CLONES Extent extent_in_order(const double* g, const double* h, int64_t begin, int64_t end) {
  double most_g = 0.0, most_h = 0.0, least_h = HUGE_VAL, strange = 0.0;
  for (int64_t i = begin; i < end; ++i) {
    const double a = std::fabs(g[i]);
    most_g = a > most_g ? a : most_g;
    most_h = h[i] > most_h ? h[i] : most_h;
    least_h = h[i] < least_h ? h[i] : least_h;
    strange += (g[i] - g[i]) + (h[i] - h[i]);  // NaN for NaN and infinities, else 0
  }
  return {most_g, most_h, least_h, strange == 0.0 && least_h >= 0.0};
}

Extent extent_by_index(const double* g, const double* h, const uint32_t* rows, int64_t begin, int64_t end) {
  Extent e;
  for (int64_t k = begin; k < end; ++k) {
    const uint32_t i = rows[k];
    e.gradient = std::max(e.gradient, std::fabs(g[i]));
    e.hessian = std::max(e.hessian, h[i]);
    e.least_hessian = std::min(e.least_hessian, h[i]);
    e.sound = e.sound && std::isfinite(g[i]) && std::isfinite(h[i]) && h[i] >= 0.0;
  }
  return e;
}

struct Sums {
  int64_t gradient = 0, hessian = 0, square = 0;
};

inline int64_t rounded(double x) {  // |x| < 2^50
  return static_cast<int64_t>(std::bit_cast<uint64_t>(x + kMagic) - std::bit_cast<uint64_t>(kMagic));
}

HEDGEROW_CLONES Sums coarse_in_order(const double* g, const double* h, int64_t begin, int64_t end,
                                     double g_scale, double h_scale) {
  int64_t sum_g = 0, sum_h = 0, sum_s = 0;
  for (int64_t i = begin; i < end; ++i) {
    const double a = std::fabs(g[i]) * g_scale;
    sum_g += rounded(a);
    sum_h += rounded(h[i] * h_scale);
    sum_s += rounded(a * a * kSquare);
  }
  return {sum_g, sum_h, sum_s};
}

Sums coarse_by_index(const double* g, const double* h, const uint32_t* rows, int64_t begin, int64_t end,
                     double g_scale, double h_scale) {
  Sums sums;
  for (int64_t k = begin; k < end; ++k) {
    const double a = std::fabs(g[rows[k]]) * g_scale;
    sums.gradient += rounded(a);
    sums.hessian += rounded(h[rows[k]] * h_scale);
    sums.square += rounded(a * a * kSquare);
  }
  return sums;
}

inline int64_t word_of(double g, double h, double g_scale, double h_scale) {
  const int64_t units = rounded(h * h_scale);
  const int64_t least = h > 0.0 ? 1 : 0;
  return static_cast<int64_t>(static_cast<uint64_t>(rounded(g * g_scale)) << 32) +
         (units > least ? units : least);
}

HEDGEROW_CLONES void words_in_order(const double* g, const double* h, int64_t begin, int64_t end,
                                    double g_scale, double h_scale, int64_t* words) {
  for (int64_t i = begin; i < end; ++i) words[i] = word_of(g[i], h[i], g_scale, h_scale);
}

// The power of two by which numbers below `most`, whose sum is `coarse` units of `most_unit`, may be
// multiplied so that their sum stays within the budget.
double scale_within_budget(int64_t coarse, int64_t n, double coarse_scale) {
  const double sum = (static_cast<double>(coarse) + static_cast<double>(n)) / coarse_scale;  // an upper bound
  int exponent = 0;
  std::frexp(kBudget / sum, &exponent);  // budget / sum = m 2^exponent, m from 1/2 to 1
  return std::ldexp(1.0, std::min(exponent - 1, 1000));
}

// Numbers up to `most` times this are below 2^31.
double coarse_scale_of(double most) {
  int exponent = 0;
  std::frexp(most, &exponent);
  return std::ldexp(1.0, std::min(31 - exponent, 1000));
}

}  // namespace

Units quantise(const double* gradient, const double* hessian, const uint32_t* rows, int64_t n, int64_t* words,
               ThreadTeam& team) {
  const int64_t tasks = (n + kRows - 1) / kRows;
  std::vector<Extent> extents(tasks);
  auto span = [&](int64_t task) { return std::pair(task * kRows, std::min(n, (task + 1) * kRows)); };
  team.run(tasks, [&](int64_t task, int) {
    const auto [begin, end] = span(task);
    extents[task] = rows ? extent_by_index(gradient, hessian, rows, begin, end)
                         : extent_in_order(gradient, hessian, begin, end);
  });
  Extent all;
  for (const Extent& e : extents) {
    all.gradient = std::max(all.gradient, e.gradient);
    all.hessian = std::max(all.hessian, e.hessian);
    all.least_hessian = std::min(all.least_hessian, e.least_hessian);
    all.sound = all.sound && e.sound;
  }
  if (!all.sound)
    throw std::domain_error("a gradient is not finite, or a hessian is not finite or below zero");
  const double coarse_g = coarse_scale_of(all.gradient), coarse_h = coarse_scale_of(all.hessian);
  std::vector<Sums> sums(tasks);
  team.run(tasks, [&](int64_t task, int) {
    const auto [begin, end] = span(task);
    sums[task] = rows ? coarse_by_index(gradient, hessian, rows, begin, end, coarse_g, coarse_h)
                      : coarse_in_order(gradient, hessian, begin, end, coarse_g, coarse_h);
  });
  Sums total;
  for (const Sums& s : sums) {
    total.gradient += s.gradient;
    total.hessian += s.hessian;
    total.square += s.square;
  }
  Units units;
  units.hessian_counts = all.least_hessian == all.hessian && all.hessian > 0.0;
  const double g_scale = all.gradient > 0.0 ? scale_within_budget(total.gradient, n, coarse_g) : 1.0;
  const double h_scale = units.hessian_counts ? 1.0 / all.hessian
                         : all.hessian > 0.0  ? scale_within_budget(total.hessian, n, coarse_h)
                                              : 1.0;
  units.gradient = 1.0 / g_scale;
  units.hessian = units.hessian_counts ? all.hessian : 1.0 / h_scale;
  units.largest_hessian = units.hessian_counts ? 1 : std::max<int64_t>(1, rounded(all.hessian * h_scale));
  units.least_hessian = units.hessian_counts      ? 1
                        : all.least_hessian > 0.0 ? std::max<int64_t>(1, rounded(all.least_hessian * h_scale))
                                                  : 0;
  const double squares = static_cast<double>(total.square) / kSquare / coarse_g / coarse_g;
  const double hessians = static_cast<double>(total.hessian) / coarse_h;
  units.noise = hessians > 0.0 ? squares / hessians : 0.0;
  const double given_scale = units.hessian_counts ? 0.0 : h_scale;  // 0: every hessian becomes one unit
  team.run(tasks, [&](int64_t task, int) {
    const auto [begin, end] = span(task);
    if (!rows) return words_in_order(gradient, hessian, begin, end, g_scale, given_scale, words);
    for (int64_t k = begin; k < end; ++k)
      words[rows[k]] = word_of(gradient[rows[k]], hessian[rows[k]], g_scale, given_scale);
  });
  return units;
}

}  // namespace hedgerow::gradient

#include "gradient/quantise.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "common/simd.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRows = 8192;        // a task
constexpr double kBudget = 0x1.0p30;   // units: bound of the sums
constexpr double kSquare = 0x1.0p-31;  // squares of numbers below 2^31 are below 2^31 again

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

HEDGEROW_CLONES CoarseSums coarse_in_order(const double* g, const double* h, int64_t begin, int64_t end,
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

CoarseSums coarse_by_index(const double* g, const double* h, const uint32_t* rows, int64_t begin, int64_t end,
                           double g_scale, double h_scale) {
  CoarseSums sums;
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

std::pair<int64_t, int64_t> span_of(int64_t task, int64_t n) {
  return {task * kRows, std::min(n, (task + 1) * kRows)};
}

int64_t tasks_of(int64_t n) { return (n + kRows - 1) / kRows; }

}  // namespace

void Extent::add(const Extent& other) {
  gradient = std::max(gradient, other.gradient);
  hessian = std::max(hessian, other.hessian);
  least_hessian = std::min(least_hessian, other.least_hessian);
  sound = sound && other.sound;
}

Extent extent_of(const double* gradient, const double* hessian, const uint32_t* rows, int64_t n,
                 ThreadTeam& team) {
  std::vector<Extent> extents(tasks_of(n));
  team.run(tasks_of(n), [&](int64_t task, int) {
    const auto [begin, end] = span_of(task, n);
    extents[task] = rows ? extent_by_index(gradient, hessian, rows, begin, end)
                         : extent_in_order(gradient, hessian, begin, end);
  });
  Extent all;
  for (const Extent& e : extents) all.add(e);
  return all;
}

CoarseSums coarse_sums_of(const double* gradient, const double* hessian, const uint32_t* rows, int64_t n,
                          const Extent& extent, ThreadTeam& team) {
  const double coarse_g = coarse_scale_of(extent.gradient), coarse_h = coarse_scale_of(extent.hessian);
  std::vector<CoarseSums> sums(tasks_of(n));
  team.run(tasks_of(n), [&](int64_t task, int) {
    const auto [begin, end] = span_of(task, n);
    sums[task] = rows ? coarse_by_index(gradient, hessian, rows, begin, end, coarse_g, coarse_h)
                      : coarse_in_order(gradient, hessian, begin, end, coarse_g, coarse_h);
  });
  CoarseSums total;
  for (const CoarseSums& s : sums) {
    total.gradient += s.gradient;
    total.hessian += s.hessian;
    total.square += s.square;
  }
  return total;
}

Units units_of(const Extent& extent, const CoarseSums& sums, int64_t n) {
  const double coarse_g = coarse_scale_of(extent.gradient), coarse_h = coarse_scale_of(extent.hessian);
  Units units;
  units.hessian_counts = extent.least_hessian == extent.hessian && extent.hessian > 0.0;
  const double g_scale = extent.gradient > 0.0 ? scale_within_budget(sums.gradient, n, coarse_g) : 1.0;
  const double h_scale = extent.hessian > 0.0 ? scale_within_budget(sums.hessian, n, coarse_h) : 1.0;
  auto in_units = [&](double h) { return std::max<int64_t>(1, rounded(h * h_scale)); };
  units.gradient = 1.0 / g_scale;
  units.hessian = units.hessian_counts ? extent.hessian : 1.0 / h_scale;
  units.largest_hessian = units.hessian_counts ? 1 : in_units(extent.hessian);
  units.least_hessian = units.hessian_counts         ? 1
                        : extent.least_hessian > 0.0 ? in_units(extent.least_hessian)
                                                     : 0;
  const double squares = static_cast<double>(sums.square) / kSquare / coarse_g / coarse_g;
  const double hessians = static_cast<double>(sums.hessian) / coarse_h;
  units.noise = hessians > 0.0 ? squares / hessians : 0.0;
  return units;
}

void write_words(const double* gradient, const double* hessian, const uint32_t* rows, int64_t n,
                 const Units& units, int64_t* words, ThreadTeam& team) {
  const double g_scale = 1.0 / units.gradient;                              // a power of two
  const double h_scale = units.hessian_counts ? 0.0 : 1.0 / units.hessian;  // 0: every hessian is one unit
  team.run(tasks_of(n), [&](int64_t task, int) {
    const auto [begin, end] = span_of(task, n);
    if (!rows) return words_in_order(gradient, hessian, begin, end, g_scale, h_scale, words);
    for (int64_t k = begin; k < end; ++k)
      words[rows[k]] = word_of(gradient[rows[k]], hessian[rows[k]], g_scale, h_scale);
  });
}

Units quantise(const double* gradient, const double* hessian, const uint32_t* rows, int64_t n, int64_t* words,
               ThreadTeam& team) {
  const Extent extent = extent_of(gradient, hessian, rows, n, team);
  if (!extent.sound)
    throw std::domain_error("a gradient is not finite, or a hessian is not finite or below zero");
  const Units units = units_of(extent, coarse_sums_of(gradient, hessian, rows, n, extent, team), n);
  write_words(gradient, hessian, rows, n, units, words, team);
  return units;
}

}  // namespace hedgerow::gradient

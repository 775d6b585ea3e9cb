// The best intercept for given w: a convex function of one number.
#include <algorithm>

#include "linear/machine.hpp"

namespace hedgerow::linear {
namespace {

// The slope of the loss in b rises by `cost` at each kink; the best b is where it crosses nothing.
double hinge_intercept(const Machine& machine, const double* z, int64_t n) {
  std::vector<std::pair<double, double>> kink;
  kink.reserve(n);
  double slope = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (machine.cost[i] <= 0) continue;
    const double at = machine.target[i] - z[i];
    if (machine.side[i] >= 0) {
      kink.emplace_back(at - machine.epsilon, machine.cost[i]);
      slope -= machine.cost[i];
    }
    if (machine.side[i] <= 0) kink.emplace_back(at + machine.epsilon, machine.cost[i]);
  }
  if (kink.empty()) return 0;
  std::sort(kink.begin(), kink.end());
  const double little = 1e-12 * std::fabs(slope);
  for (size_t k = 0; k < kink.size(); ++k) {
    slope += kink[k].second;
    if (slope < -little) continue;
    if (slope > little || k + 1 == kink.size()) return kink[k].first;
    return 0.5 * (kink[k].first + kink[k + 1].first);  // flat between the two
  }
  return kink.back().first;
}

double squared_intercept(const Machine& machine, const double* z, int64_t n) {
  double low = kInfinity, high = -kInfinity, b = 0;
  for (int64_t i = 0; i < n; ++i) {
    low = std::min(low, machine.target[i] - z[i] - machine.epsilon);
    high = std::max(high, machine.target[i] - z[i] + machine.epsilon);
  }
  for (int turn = 0; turn < 100 && low < high; ++turn) {
    double slope = 0, curve = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double r = machine.target[i] - z[i] - b, e = machine.excess(i, r);
      if (e <= 0 || machine.cost[i] <= 0) continue;
      slope -= 2 * machine.cost[i] * (r > 0 ? e : -e);
      curve += 2 * machine.cost[i];
    }
    if (slope == 0) break;
    (slope < 0 ? low : high) = b;
    double next = curve > 0 ? b - slope / curve : 0.5 * (low + high);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::fabs(next - b) <= 1e-15 * std::fabs(b) + 1e-300) break;
    b = next;
  }
  return b;
}

}  // namespace

double best_intercept(const Machine& machine, const double* z, int64_t n) {
  if (n == 0) return 0;
  return machine.squared ? squared_intercept(machine, z, n) : hinge_intercept(machine, z, n);
}

}  // namespace hedgerow::linear

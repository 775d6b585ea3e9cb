// The best intercept for given w: a convex function of one number.
#include <algorithm>

#include "linear/binary_svm.hpp"

namespace hedgerow::linear {
namespace {

// The slope of the loss in b rises by `cost` at each kink; the best b is where it crosses nothing.
double hinge_intercept(const BinarySvm& svm, const double* z, int64_t n) {
  std::vector<std::pair<double, double>> kink;
  kink.reserve(n);
  double slope = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (svm.cost[i] <= 0) continue;
    const double at = svm.target[i] - z[i];
    if (svm.side[i] >= 0) {
      kink.emplace_back(at - svm.epsilon, svm.cost[i]);
      slope -= svm.cost[i];
    }
    if (svm.side[i] <= 0) kink.emplace_back(at + svm.epsilon, svm.cost[i]);
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

double squared_intercept(const BinarySvm& svm, const double* z, int64_t n) {
  double low = kInfinity, high = -kInfinity, b = 0;
  for (int64_t i = 0; i < n; ++i) {
    low = std::min(low, svm.target[i] - z[i] - svm.epsilon);
    high = std::max(high, svm.target[i] - z[i] + svm.epsilon);
  }
  for (int turn = 0; turn < 100 && low < high; ++turn) {
    double slope = 0, curve = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double r = svm.target[i] - z[i] - b, e = svm.excess(i, r);
      if (e <= 0 || svm.cost[i] <= 0) continue;
      slope -= 2 * svm.cost[i] * (r > 0 ? e : -e);
      curve += 2 * svm.cost[i];
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

double best_intercept(const BinarySvm& svm, const double* z, int64_t n) {
  if (n == 0) return 0;
  return svm.squared ? squared_intercept(svm, z, n) : hinge_intercept(svm, z, n);
}

}  // namespace hedgerow::linear

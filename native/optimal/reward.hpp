// What a leaf saves, given the sums of its channels. A type for each kind of problem, so that the inner loops
// are compiled for it.
#pragma once

#include <algorithm>
#include <cmath>

#include "optimal/problem.hpp"

namespace hedgerow::optimal {

struct TwoClasses {
  explicit TwoClasses(const Problem& p) : factor(p.factor) {}
  static constexpr int kChannels = 1;
  double factor;
  double operator()(const int64_t* sums) const {
    return factor * static_cast<double>(std::max<int64_t>(sums[0], 0));
  }
};

// Whether a leaf may be: it has the least of each limit.
struct Limits {
  explicit Limits(const Problem& p) : first(p.n_channels - p.n_limits), many(p.n_limits), least(p.least) {}
  int first, many;
  const int64_t* least;
  bool allow(const int64_t* sums) const {
    for (int l = 0; l < many; ++l)
      if (sums[first + l] < least[l]) return false;
    return true;
  }
};

struct ManyClasses {
  explicit ManyClasses(const Problem& p) : factor(p.factor), limits(p) {}
  static constexpr int kChannels = 0;  // known at run time
  double factor;
  Limits limits;
  double operator()(const int64_t* sums) const {
    if (!limits.allow(sums)) return -kForbidden;
    int64_t best = 0;
    for (int m = 0; m < limits.first; ++m) best = std::max(best, sums[m]);
    return factor * static_cast<double>(best);
  }
};

struct Numbers {
  explicit Numbers(const Problem& p) : factor(p.factor), limits(p) {}
  static constexpr int kChannels = 0;
  double factor;
  Limits limits;
  double operator()(const int64_t* sums) const {
    if (!limits.allow(sums)) return -kForbidden;
    if (sums[0] <= 0) return 0.0;
    const double sum = static_cast<double>(sums[1]);
    return std::floor(factor * (sum * (sum / static_cast<double>(sums[0]))));
  }
};

// How early a question is tried: what splitting by it decreases squared error by, of numbers or of the
// savings.
inline double promise(const Problem& problem, const std::vector<int64_t>& sums, int64_t n) {
  if (n == 0) return 0.0;
  if (!problem.of_classes)
    return sums[0] > 0
               ? static_cast<double>(sums[1]) * static_cast<double>(sums[1]) / static_cast<double>(sums[0])
               : 0.0;
  double all = 0.0;
  for (int m = 0; m < problem.n_channels - problem.n_limits; ++m)
    all += static_cast<double>(sums[m]) * static_cast<double>(sums[m]) / static_cast<double>(n);
  return all;
}

}  // namespace hedgerow::optimal

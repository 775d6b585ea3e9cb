#include "forest/count_scan.hpp"

#include "common/simd.hpp"

namespace hedgerow {

// As largest_score: asked multiplied out first, divided only where the answer is yes.
HEDGEROW_CLONES
double largest_ratio(const double* left, const double* right, const double* weight, int64_t n, double total,
                     double best) {
  constexpr int kWide = 8;
  double excess[kWide] = {};
  int64_t i = 0;
  for (; i + kWide <= n; i += kWide)
    for (int lane = 0; lane < kWide; ++lane) {
      const double w = weight[i + lane], rest = total - w;
      const double more = left[i + lane] * rest + right[i + lane] * w - best * (w * rest);
      excess[lane] = more > excess[lane] ? more : excess[lane];
    }
  bool any = !(best > -1e300);
  for (; i < n; ++i) {
    const double w = weight[i], rest = total - w;
    any |= left[i] * rest + right[i] * w - best * (w * rest) > 0;
  }
  for (int lane = 0; lane < kWide; ++lane) any |= excess[lane] > 0;
  if (!any) return best;
  for (i = 0; i < n; ++i) {
    const double ratio = left[i] / weight[i] + right[i] / (total - weight[i]);
    best = ratio > best ? ratio : best;
  }
  return best;
}

}  // namespace hedgerow

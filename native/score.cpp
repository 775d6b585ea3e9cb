#include "score.hpp"

#include "simd.hpp"

namespace hedgerow {

HEDGEROW_CLONES
double score_thresholds(const double* sum, const double* weight, int64_t n, double total_sum, double total_weight,
                        double* score) {
  for (int64_t i = 0; i < n; ++i) {
    const double rest = total_weight - weight[i];
    const double difference = sum[i] * total_weight - total_sum * weight[i];
    const double ratio = difference * difference / (weight[i] * rest);
    score[i] = rest > 0 ? ratio : -1.0;
  }
  // Eight running maxima, which the compiler keeps in vector registers; the order of a maximum does not matter.
  double best[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int lane = 0; lane < 8; ++lane) best[lane] = score[i + lane] > best[lane] ? score[i + lane] : best[lane];
  for (; i < n; ++i) best[0] = score[i] > best[0] ? score[i] : best[0];
  for (int lane = 1; lane < 8; ++lane) best[0] = best[lane] > best[0] ? best[lane] : best[0];
  return best[0];
}

}  // namespace hedgerow

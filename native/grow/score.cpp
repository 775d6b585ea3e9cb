#include "grow/score.hpp"

#include "common/simd.hpp"

namespace hedgerow {
namespace {

constexpr int kWide = 8;

// Division is the dear part, and most blocks hold nothing better than what is known: so the question is first
// asked multiplied out, and scores are divided only in blocks where the answer is yes. Eight running maxima
// are what the compiler keeps in vector registers; the order of a maximum does not matter.
template <class Number>
HEDGEROW_INLINE double largest(const Number* sum, const Number* weight, int64_t n, const ScoreTotals& total,
                               double best) {
  const double total_sum = total.sum, total_weight = total.weight;
  double excess[kWide] = {};
  int64_t i = 0;
  for (; i + kWide <= n; i += kWide)
    for (int lane = 0; lane < kWide; ++lane) {
      const auto s = static_cast<double>(sum[i + lane]), w = static_cast<double>(weight[i + lane]);
      const double difference = s * total_weight - total_sum * w;
      const double more = difference * difference - best * (w * (total_weight - w));
      excess[lane] = more > excess[lane] ? more : excess[lane];
    }
  for (; i < n; ++i) {
    const auto s = static_cast<double>(sum[i]), w = static_cast<double>(weight[i]);
    const double difference = s * total_weight - total_sum * w;
    const double more = difference * difference - best * (w * (total_weight - w));
    excess[0] = more > excess[0] ? more : excess[0];
  }
  bool any = best < 0;
  for (int lane = 0; lane < kWide; ++lane) any |= excess[lane] > 0;
  if (!any) return best;
  for (i = 0; i < n; ++i) {
    const double score = score_of(static_cast<double>(sum[i]), static_cast<double>(weight[i]), total);
    best = score > best ? score : best;
  }
  return best;
}

}  // namespace

HEDGEROW_CLONES
double largest_score(const int32_t* sum, const int32_t* weight, int64_t n, const ScoreTotals& total,
                     double best) {
  return largest(sum, weight, n, total, best);
}

HEDGEROW_CLONES
double largest_score(const double* sum, const double* weight, int64_t n, const ScoreTotals& total,
                     double best) {
  return largest(sum, weight, n, total, best);
}

}  // namespace hedgerow

// The inner kernel of two-class Gini and of squared error: scores of many thresholds at once.
//
//     score = (sum * W - S * weight)^2 / (weight * (W - weight))
//
// where sum and weight are those of the rows before the threshold and S, W those of the node. Twice (Gini) or
// once (squared error) the score over W is the gain. Below 2^26 rows of weight one the difference is exact.
#pragma once

#include <cstdint>

namespace hedgerow {

struct ScoreTotals {
  double sum, weight;
};

inline double score_of(double sum, double weight, const ScoreTotals& total) {
  const double rest = total.weight - weight;
  const double difference = sum * total.weight - total.sum * weight;
  return rest > 0 ? difference * difference / (weight * rest) : -1.0;
}

// The largest score of n thresholds, or `best` if none is larger. Rows of weight one: sums and weights are
// counts.
double largest_score(const int32_t* sum, const int32_t* weight, int64_t n, const ScoreTotals& total,
                     double best);
double largest_score(const double* sum, const double* weight, int64_t n, const ScoreTotals& total,
                     double best);

}  // namespace hedgerow

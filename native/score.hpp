// The inner kernel of two-class Gini and of squared error: scores of many thresholds at once.
#pragma once

#include <cstdint>

namespace hedgerow {

// score[i] = (sum[i] * W - S * weight[i])^2 / (weight[i] * (W - weight[i])), where sum and weight are those of the
// rows before threshold i and S, W those of the node. Twice (Gini) or once (squared error) the score over W is the
// gain. Whole numbers below 2^26 rows make the difference exact. Returns the largest score.
double score_thresholds(const double* sum, const double* weight, int64_t n, double total_sum, double total_weight,
                        double* score);

}  // namespace hedgerow

// One step of boosting over all rows, as two passes: what answers are worth, and what they do to the weights.
//
// In: signs y (-1, +1), answers h, weights.   Out: masses; margins and weights after the step.
// Sums are made by chunks of rows and added in their order: the same bits for any number of threads.
#pragma once

#include <cstdint>

#include "common/thread_team.hpp"

namespace hedgerow {

// Weight by the answer's side and whether it was right; `answered` counts rows.
struct AnswerMasses {
  double yes_right = 0, yes_wrong = 0, no_right = 0, no_wrong = 0, silent = 0;
  int64_t answered = 0;
};

AnswerMasses answer_masses(const double* signs, const double* answers, const double* weight, int64_t n,
                           ThreadTeam& team);

struct StepInput {
  const double* signs;
  const double* answers;
  double yes, no;      // alpha for answers above and below zero
  const double* base;  // weight of each row before boosting, sum one
  bool logistic;       // the loss; else exponential
  int64_t n;
};

struct StepSums {
  double normaliser = 0;  // sum of weight * exp(-step)
  double loss = 0;  // logistic: sum of base * loss(margin); exponential: it is the product of all normalisers
  double error = 0;  // sum of base where the sign of the score is wrong; a score of zero is a no
};

// margins and since (margins since the weights were last reset; may be the same array) grow by the step;
// weight becomes the importance after it, sum one.
StepSums boost_step(const StepInput& input, double* margins, double* since, double* weight, ThreadTeam& team);

}  // namespace hedgerow

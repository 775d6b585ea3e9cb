// Gradients of the common losses, and exp: the same bits on every processor.
#pragma once

#include <cstdint>

#include "common/exact_sum.hpp"
#include "common/thread_team.hpp"

namespace hedgerow::gradient {

// log(1 + exp(raw)) - y raw, for y 0 or 1 (or between): gradient p - y, hessian p (1 - p), at least 1e-16.
// weight: or null.
void binary_log_loss_gradients(const double* raw, const double* y, const double* weight, int64_t n,
                               double* gradient, double* hessian, ThreadTeam& team);

// Cross-entropy of the softmax; raw, gradient and hessian are classes x rows.
void multinomial_gradients(const double* raw, const int32_t* y, const double* weight, int64_t n, int classes,
                           double* gradient, double* hessian, ThreadTeam& team);

ExactSum sum_exactly(const double* x, int64_t n, ThreadTeam& team);
ExactSum sum_of_squares(const double* x, int64_t n,
                        ThreadTeam& team);  // squares are rounded, their sum is not

// raw: log odds of the second class.   out: rows x 2.
void binary_probabilities(const double* raw, int64_t n, double* out, ThreadTeam& team);

// raw: classes x rows.   out: rows x classes, by softmax.
void class_probabilities(const double* raw, int64_t n, int classes, double* out, ThreadTeam& team);

void exp_values(const double* x, int64_t n, double* out, ThreadTeam& team);

}  // namespace hedgerow::gradient

// Neurons by stochastic gradient descent.
//
// In: rows x, signs y, weights q (sum one), and for each neuron where it starts.   Out: where it ends, its
// loss.
//
//   minimise   L(w, b, a) = sum_i q_i log(1 + exp(-y_i a Z(w.x_i + b)))  +  l2/2 |w|^2
//
//   Z(z) = z                              linear     (a stays as it is; L is convex)
//   Z(z) = sign(z) max(|z| - delta, 0)    soft threshold
//   Z(z) = tanh(z)
//
// The height a surrogates in for the weight that boosting will give the neuron. Without it, a neuron that can
// be right only a little more often than wrong would make itself small, and so straight; with it, it may stay
// bent.
//
// Each step takes the mean gradient of `batch` rows, chosen in one of two ways whose means are both the
// gradient of L:
//
//   weights   every row alike, and row i counts n q_i times
//   draws     row i with probability q_i, and every row counts once
//
// Steps are AdaGrad's: rate * g / sqrt(sum of g^2), for each coordinate. The answer is the mean of the second
// half of the path, which is nearer the minimum than its end. Random numbers are keyed by (seed, neuron):
// threads change nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "common/thread_team.hpp"

namespace hedgerow {

enum class Bend { linear, soft_threshold, tanh };
enum class Choose { weights, draws };

struct Descent {
  const double* rows;    // n_rows x n_columns, row after row
  const double* signs;   // -1 or +1
  const double* weight;  // sum one
  int64_t n_rows, n_columns;
  Bend bend;
  double delta;
  Choose choose;
  double l2, rate;
  int64_t steps, batch;
  uint64_t seed;
};

struct Descended {
  std::vector<double> neurons;  // n_neurons x (n_columns + 2): weights, bias, height
  std::vector<double> loss;     // L of each
};

Descended descend(const Descent& ask, const double* starts, int64_t n_neurons, ThreadTeam& team);

}  // namespace hedgerow

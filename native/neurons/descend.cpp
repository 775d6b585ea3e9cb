#include "neurons/descend.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "common/random.hpp"
#include "common/simd.hpp"

namespace hedgerow {
namespace {

constexpr int64_t lanes = 8;  // sums over columns go in eight lanes, then in a fixed order

HEDGEROW_CLONES double dot(const double* a, const double* b, int64_t n) {
  double sum[lanes] = {};
  int64_t j = 0;
  for (; j + lanes <= n; j += lanes)
    for (int64_t k = 0; k < lanes; ++k) sum[k] += a[j + k] * b[j + k];
  for (int64_t k = 0; j < n; ++j, ++k) sum[k] += a[j] * b[j];
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

HEDGEROW_CLONES void add(double* to, const double* from, double times, int64_t n) {
  for (int64_t j = 0; j < n; ++j) to[j] += times * from[j];
}

HEDGEROW_CLONES void step(double* place, double* squares, const double* gradient, double rate, int64_t n) {
  for (int64_t j = 0; j < n; ++j) {
    squares[j] += gradient[j] * gradient[j];
    place[j] -= rate * gradient[j] / std::sqrt(squares[j] + 1e-16);
  }
}

struct Answer {
  double value, slope;
};

Answer bent(Bend bend, double delta, double z) {
  if (bend == Bend::linear) return {z, 1.0};
  if (bend == Bend::tanh) {
    const double t = std::tanh(z);
    return {t, 1.0 - t * t};
  }
  if (std::abs(z) <= delta) return {0.0, 0.0};
  return {z > 0 ? z - delta : z + delta, 1.0};
}

double logistic_loss(double margin) {  // log(1 + exp(-margin)), without overflow
  return margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin;
}

double doubt(double margin) {  // 1 / (1 + exp(margin)): the lecture's weight of a row
  if (margin > 0) {
    const double e = std::exp(-margin);
    return e / (1.0 + e);
  }
  return 1.0 / (1.0 + std::exp(margin));
}

// Rows for a step: the row, and how often its gradient counts.
class Chooser {
 public:
  explicit Chooser(const Descent& ask) : ask_(ask) {
    if (ask.choose == Choose::weights) return;
    sums_.resize(static_cast<size_t>(ask.n_rows));
    double sum = 0;
    for (int64_t i = 0; i < ask.n_rows; ++i) sums_[static_cast<size_t>(i)] = sum += ask.weight[i];
  }

  std::pair<int64_t, double> next(Random& random) const {
    if (ask_.choose == Choose::weights) {
      const auto i = static_cast<int64_t>(random.below(static_cast<uint32_t>(ask_.n_rows)));
      return {i, static_cast<double>(ask_.n_rows) * ask_.weight[i]};
    }
    const double place = random.unit() * sums_.back();
    const auto found = std::upper_bound(sums_.begin(), sums_.end(), place);
    return {std::min(static_cast<int64_t>(found - sums_.begin()), ask_.n_rows - 1), 1.0};
  }

 private:
  const Descent& ask_;
  std::vector<double> sums_;
};

double loss_of(const Descent& ask, const double* neuron, Stop& stop) {
  const int64_t d = ask.n_columns;
  double sum = 0;
  for (int64_t i = 0; i < ask.n_rows; ++i) {
    if (i % 4096 == 0) stop.check();
    const double z = dot(neuron, ask.rows + i * d, d) + neuron[d];
    sum += ask.weight[i] * logistic_loss(ask.signs[i] * neuron[d + 1] * bent(ask.bend, ask.delta, z).value);
  }
  return sum + 0.5 * ask.l2 * dot(neuron, neuron, d);
}

void one(const Descent& ask, const Chooser& chooser, const double* start, uint64_t key, double* out,
         Stop& stop) {
  const int64_t d = ask.n_columns, size = d + 2, tail = ask.steps / 2;
  std::vector<double> place(start, start + size), gradient(static_cast<size_t>(size)),
      squares(static_cast<size_t>(size));
  std::fill(out, out + size, 0.0);
  Random random(key);
  int64_t looked = 0;
  for (int64_t t = 0; t < ask.steps; ++t) {
    if ((looked += ask.batch) >= 1024) {
      looked = 0;
      stop.check();
    }
    std::fill(gradient.begin(), gradient.end(), 0.0);
    const double bias = place[static_cast<size_t>(d)], height = place[static_cast<size_t>(d) + 1];
    for (int64_t k = 0; k < ask.batch; ++k) {
      const auto [i, times] = chooser.next(random);
      const double* x = ask.rows + i * d;
      const Answer answer = bent(ask.bend, ask.delta, dot(place.data(), x, d) + bias);
      const double pull = -ask.signs[i] * doubt(ask.signs[i] * height * answer.value) * times /
                          static_cast<double>(ask.batch);
      const double inner = pull * height * answer.slope;
      add(gradient.data(), x, inner, d);
      gradient[static_cast<size_t>(d)] += inner;
      if (ask.bend != Bend::linear) gradient[static_cast<size_t>(d) + 1] += pull * answer.value;
    }
    add(gradient.data(), place.data(), ask.l2, d);
    step(place.data(), squares.data(), gradient.data(), ask.rate, size);
    if (t >= tail) add(out, place.data(), 1.0 / static_cast<double>(ask.steps - tail), size);
  }
  if (ask.steps == 0) std::copy(start, start + size, out);
}

}  // namespace

Descended descend(const Descent& ask, const double* starts, int64_t n_neurons, ThreadTeam& team) {
  const int64_t size = ask.n_columns + 2;
  Descended done;
  done.neurons.resize(static_cast<size_t>(n_neurons * size));
  done.loss.resize(static_cast<size_t>(n_neurons));
  const Chooser chooser(ask);
  team.run(n_neurons, [&](int64_t k, int) {
    double* out = done.neurons.data() + k * size;
    one(ask, chooser, starts + k * size, child_key(root_key(ask.seed), static_cast<int>(k)), out,
        team.stop());
    done.loss[static_cast<size_t>(k)] = loss_of(ask, out, team.stop());
  });
  return done;
}

}  // namespace hedgerow

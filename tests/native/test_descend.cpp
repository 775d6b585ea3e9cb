#include "neurons/descend.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"
#include "common/random.hpp"

using namespace hedgerow;

namespace {

struct Sample {
  std::vector<double> rows, signs, weight;
  int64_t n, d;
};

// The sign of the first column, with noise; weights that differ a lot.
Sample sample(uint64_t seed, int64_t n, int64_t d) {
  Random random(root_key(seed));
  Sample s{{}, {}, {}, n, d};
  double total = 0;
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < d; ++j) s.rows.push_back(2 * random.unit() - 1);
    s.signs.push_back(s.rows[static_cast<size_t>(i * d)] + random.unit() - 0.5 > 0 ? 1 : -1);
    s.weight.push_back(std::pow(random.unit(), 3) + 1e-3);
    total += s.weight.back();
  }
  for (double& w : s.weight) w /= total;
  return s;
}

Descended run(const Sample& s, Bend bend, Choose choose, int64_t steps, int threads,
              const std::vector<double>& starts) {
  Stop stop;
  ThreadTeam team(threads, stop);
  const Descent ask{
      s.rows.data(), s.signs.data(), s.weight.data(), s.n, s.d, bend, 0.2, choose, 1e-3, 0.3, steps, 8, 7};
  return descend(ask, starts.data(), static_cast<int64_t>(starts.size()) / (s.d + 2), team);
}

std::vector<double> starts_of(int64_t many, int64_t d) {
  Random random(root_key(99));
  std::vector<double> starts;
  for (int64_t k = 0; k < many * (d + 2); ++k) starts.push_back(2 * random.unit() - 1);
  return starts;
}

}  // namespace

TEST(descent_lowers_the_loss) {
  for (const Bend bend : {Bend::linear, Bend::soft_threshold, Bend::tanh})
    for (const Choose choose : {Choose::weights, Choose::draws})
      for (const int64_t d : {1, 3, 8, 17}) {
        const Sample s = sample(static_cast<uint64_t>(d), 83, d);
        const auto starts = starts_of(3, d);
        const auto before = run(s, bend, choose, 0, 1, starts), after = run(s, bend, choose, 600, 1, starts);
        CHECK(before.neurons == starts);
        double best_before = before.loss[0], best_after = after.loss[0];
        for (const double loss : before.loss) best_before = std::min(best_before, loss);
        for (const double loss : after.loss) best_after = std::min(best_after, loss);
        CHECK(best_after < best_before);
      }
}

TEST(descent_is_the_same_for_any_number_of_threads) {
  const Sample s = sample(5, 101, 6);
  const auto starts = starts_of(7, 6);
  const auto one = run(s, Bend::tanh, Choose::draws, 200, 1, starts);
  for (const int threads : {2, 3, 8}) {
    const auto many = run(s, Bend::tanh, Choose::draws, 200, threads, starts);
    CHECK(many.neurons == one.neurons);
    CHECK(many.loss == one.loss);
  }
}

TEST(descent_of_one_row) {
  const Sample s{{0.5, -0.5}, {1.0}, {1.0}, 1, 2};
  const auto done = run(s, Bend::linear, Choose::draws, 50, 1, {0.0, 0.0, 0.0, 1.0});
  CHECK(done.neurons[0] > 0 && done.neurons[1] < 0 && done.neurons[2] > 0);
  CHECK(std::isfinite(done.loss[0]));
}

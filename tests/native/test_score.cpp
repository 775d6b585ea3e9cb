#include "score.hpp"

#include <limits>
#include <vector>

#include "check.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;

TEST(score_is_the_plain_loop) {
  Dice dice(11);
  for (int64_t n = 0; n <= 40; ++n)
    for (int round = 0; round < 40; ++round) {
      const bool whole = dice.chance(0.5);
      std::vector<double> sum(n), weight(n), score(n + 1, 77.0);
      double s = 0, w = 0;
      for (int64_t i = 0; i < n; ++i) {
        s += whole ? static_cast<double>(dice.between(0, 1)) : dice.unit() * 3 - 1;
        w += whole ? 1.0 : dice.unit() + 0.01;
        sum[i] = s;
        weight[i] = w;
      }
      const double more = static_cast<double>(dice.between(0, 2));  // 0: nothing is left after the last threshold
      const double total_sum = s + (more > 0 ? 1 : 0), total_weight = w + more;
      const double top = score_thresholds(sum.data(), weight.data(), n, total_sum, total_weight, score.data());
      double wanted_top = -1;
      for (int64_t i = 0; i < n; ++i) {
        const double rest = total_weight - weight[i];
        const double difference = sum[i] * total_weight - total_sum * weight[i];
        const double wanted = rest > 0 ? difference * difference / (weight[i] * rest) : -1.0;
        CHECK(score[i] == wanted);  // to the bit, in every clone
        wanted_top = wanted > wanted_top ? wanted : wanted_top;
      }
      CHECK(top == wanted_top);
      CHECK(score[n] == 77.0);
    }
}

TEST(score_is_the_gain_of_two_classes) {
  Dice dice(12);
  for (int round = 0; round < 2000; ++round) {
    const auto left = static_cast<double>(dice.between(1, 50)), right = static_cast<double>(dice.between(1, 50));
    const auto a = static_cast<double>(dice.between(0, static_cast<int64_t>(left)));
    const auto b = static_cast<double>(dice.between(0, static_cast<int64_t>(right)));
    auto gini = [](double n, double k) { return 2 * k * (n - k) / n; };
    const double n = left + right;
    double score;
    score_thresholds(&a, &left, 1, a + b, n, &score);
    CHECK_NEAR(2 * score / n, gini(n, a + b) - gini(left, a) - gini(right, b), 1e-12);
  }
}

TEST(score_leaves_a_number_that_is_none_out_of_the_maximum) {
  for (int64_t n = 1; n <= 40; ++n)
    for (int64_t hole = 0; hole < n; ++hole) {
      std::vector<double> sum(n, 1.0), weight(n, 2.0), score(n);
      sum[hole] = weight[hole] = 0;  // 0 / 0
      const double top = score_thresholds(sum.data(), weight.data(), n, 3.0, 8.0, score.data());
      CHECK(top == (n > 1 ? (8.0 - 6.0) * (8.0 - 6.0) / (2.0 * 6.0) : -1.0));
    }
}

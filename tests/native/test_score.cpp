#include "grow/score.hpp"

#include <vector>

#include "check.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;

namespace {

double by_definition(double sum, double weight, const ScoreTotals& total) {
  const double rest = total.weight - weight;
  const double difference = sum * total.weight - total.sum * weight;
  return rest > 0 ? difference * difference / (weight * rest) : -1.0;
}

template <class Number>
void check_scores(Dice& dice, int64_t n) {
  constexpr bool whole = std::is_same_v<Number, int32_t>;
  std::vector<Number> sum(n), weight(n);
  Number s = 0, w = 0;
  for (int64_t i = 0; i < n; ++i) {
    s += whole ? static_cast<Number>(dice.between(0, 1)) : static_cast<Number>(dice.unit() * 3 - 1);
    w += whole ? Number{1} : static_cast<Number>(dice.unit() + 0.01);
    sum[i] = s;
    weight[i] = w;
  }
  const auto more = static_cast<double>(dice.between(0, 2));  // 0: nothing is left after the last threshold
  const ScoreTotals total{static_cast<double>(s) + (more > 0 ? 1 : 0), static_cast<double>(w) + more};
  double wanted = -1;
  for (int64_t i = 0; i < n; ++i) {
    const auto a = static_cast<double>(sum[i]), b = static_cast<double>(weight[i]);
    CHECK(score_of(a, b, total) == by_definition(a, b, total));
    wanted = std::max(wanted, by_definition(a, b, total));
  }
  // To the bit, in every clone; and from any score that is known already.
  CHECK(largest_score(sum.data(), weight.data(), n, total, -1.0) == wanted);
  for (const double known : {0.0, wanted / 2, wanted * 2 + 1})
    CHECK_NEAR(largest_score(sum.data(), weight.data(), n, total, known), std::max(known, wanted), 1e-13);
}

}  // namespace

TEST(score_is_the_plain_loop) {
  Dice dice(11);
  for (int64_t n = 0; n <= 40; ++n)
    for (int round = 0; round < 40; ++round) {
      check_scores<int32_t>(dice, n);
      check_scores<double>(dice, n);
    }
}

TEST(score_is_the_gain_of_two_classes) {
  Dice dice(12);
  for (int round = 0; round < 2000; ++round) {
    const auto left = static_cast<double>(dice.between(1, 50)),
               right = static_cast<double>(dice.between(1, 50));
    const auto a = static_cast<double>(dice.between(0, static_cast<int64_t>(left)));
    const auto b = static_cast<double>(dice.between(0, static_cast<int64_t>(right)));
    auto gini = [](double n, double k) { return 2 * k * (n - k) / n; };
    const double n = left + right;
    CHECK_NEAR(2 * score_of(a, left, {a + b, n}) / n, gini(n, a + b) - gini(left, a) - gini(right, b), 1e-12);
  }
}

TEST(score_of_nothing_over_nothing_is_never_the_largest) {
  for (int64_t n = 1; n <= 40; ++n)
    for (int64_t hole = 0; hole < n; ++hole) {
      std::vector<double> sum(n, 1.0), weight(n, 2.0);
      sum[hole] = weight[hole] = 0;  // 0 / 0
      const double wanted = n > 1 ? (8.0 - 6.0) * (8.0 - 6.0) / (2.0 * 6.0) : -1.0;
      CHECK(largest_score(sum.data(), weight.data(), n, {3.0, 8.0}, -1.0) == wanted);
    }
}

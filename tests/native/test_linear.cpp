#include <cmath>
#include <cstring>
#include <vector>

#include "check.hpp"
#include "common/random.hpp"
#include "linear/binary_svm.hpp"
#include "linear/crammer_singer.hpp"
#include "linear/l1.hpp"
#include "linear/products.hpp"

using namespace hedgerow;
using namespace hedgerow::linear;

namespace {

struct Sample {
  int64_t n, d;
  std::vector<double> dense, values, target, cost;
  std::vector<int64_t> start{0};
  std::vector<int32_t> column;
  std::vector<int8_t> side;

  Rows full() const { return {n, d, dense.data(), nullptr, nullptr}; }
  Rows thin() const { return {n, d, values.data(), start.data(), column.data()}; }
};

Sample sample(uint64_t seed, int64_t n, int64_t d, bool classes, double cost) {
  Random random(root_key(seed));
  Sample s{n, d, {}, {}, {}, {}};
  for (int64_t i = 0; i < n; ++i) {
    double sum = 0.2;
    for (int64_t j = 0; j < d; ++j) {
      const double x = random.unit() < 0.5 ? 0.0 : 2 * random.unit() - 1;
      s.dense.push_back(x);
      sum += x;
      if (x == 0) continue;
      s.column.push_back(int32_t(j));
      s.values.push_back(x);
    }
    s.start.push_back(int64_t(s.column.size()));
    sum += 2 * random.unit() - 1;
    const int sign = i < 2 ? (i == 0 ? 1 : -1) : sum > 0 ? 1 : -1;
    s.side.push_back(int8_t(classes ? sign : 0));
    s.target.push_back(classes ? sign : sum);
    s.cost.push_back(cost * (i % 5 == 0 ? 2 : 1));
  }
  return s;
}

double primal(const Sample& s, const BinarySvm& svm, const Answer& found) {
  double value = 0;
  for (const double w : found.w) value += 0.5 * w * w;
  for (int64_t i = 0; i < s.n; ++i) {
    double score = found.b;
    for (int64_t j = 0; j < s.d; ++j) score += s.dense[size_t(i * s.d + j)] * found.w[size_t(j)];
    value += svm.loss(i, s.target[size_t(i)] - score);
  }
  return value;
}

bool same_bits(const Answer& a, const Answer& b) {
  return a.w.size() == b.w.size() && a.b == b.b &&
         std::memcmp(a.w.data(), b.w.data(), a.w.size() * sizeof(double)) == 0;
}

Answer run(bool by_newton, const Rows& rows, const BinarySvm& svm, int threads, int64_t iterations = 3000) {
  Stop stop;
  ThreadTeam team(threads, stop);
  const Limits limits{1e-5, kInfinity, iterations};
  return by_newton ? newton(rows, svm, limits, nullptr, nullptr, team)
                   : descend(rows, svm, limits, nullptr, 5, team);
}

void compare(int64_t n, int64_t d, bool classes, bool squared, bool intercept) {
  const Sample s = sample(uint64_t(n * 7 + d), n, d, classes, 0.3);
  const BinarySvm svm{s.target.data(), s.cost.data(), s.side.data(), classes ? 0.0 : 0.1, squared, intercept};
  std::vector<double> costs;
  for (const Rows& rows : {s.full(), s.thin()})
    for (const bool by_newton : {true, false}) {
      const Answer one = run(by_newton, rows, svm, 1);
      CHECK(same_bits(one, run(by_newton, rows, svm, 3)));
      CHECK(int64_t(one.w.size()) == d);
      CHECK(intercept || one.b == 0);
      costs.push_back(primal(s, svm, one));
    }
  for (const double cost : costs) CHECK_NEAR(cost, costs[0], 1e-4);
}

}  // namespace

TEST(products_with_rows) {
  for (const auto& [n, d] : {std::pair<int64_t, int64_t>{1, 1}, {17, 3}, {63, 65}, {4001, 67}}) {
    const Sample s = sample(uint64_t(n), n, d, true, 1.0);
    Random random(root_key(6));
    std::vector<double> w, v;
    for (int64_t j = 0; j < d; ++j) w.push_back(random.unit() - 0.5);
    for (int64_t i = 0; i < n; ++i) v.push_back(random.unit() - 0.5);
    for (const Rows& rows : {s.full(), s.thin()}) {
      std::vector<std::vector<double>> forth, back;
      for (const int threads : {1, 3}) {
        Stop stop;
        ThreadTeam team(threads, stop);
        forth.emplace_back(size_t(n), -9.0);
        back.emplace_back(size_t(d), -9.0);
        times(rows, w.data(), 0.25, forth.back().data(), team);
        double sum = 0;
        for (const double x : v) sum += x;
        CHECK_NEAR(transposed(rows, v.data(), back.back().data(), team), sum, 1e-12);
      }
      CHECK(forth[0] == forth[1]);
      CHECK(back[0] == back[1]);
      std::vector<double> sums(size_t(d), 0.0);
      for (int64_t i = 0; i < n; ++i) {
        double dot = 0.25;
        for (int64_t j = 0; j < d; ++j) {
          dot += s.dense[size_t(i * d + j)] * w[size_t(j)];
          sums[size_t(j)] += s.dense[size_t(i * d + j)] * v[size_t(i)];
        }
        CHECK_NEAR(forth[0][size_t(i)], dot, 1e-12);
      }
      for (int64_t j = 0; j < d; ++j) CHECK_NEAR(back[0][size_t(j)], sums[size_t(j)], 1e-11);
    }
  }
}

TEST(both_linear_solvers_agree) {
  for (const bool classes : {true, false})
    for (const bool squared : {true, false})
      for (const bool intercept : {true, false})
        for (const auto& [n, d] : {std::pair<int64_t, int64_t>{2, 1}, {67, 7}, {301, 33}}) {
          check::scene() = "n " + std::to_string(n) + (classes ? " classes" : " numbers") +
                           (squared ? " squared" : "") + (intercept ? " intercept" : "");
          compare(n, d, classes, squared, intercept);
        }
}

TEST(linear_solvers_on_more_rows_than_a_chunk) { compare(4001, 35, true, true, true); }

TEST(products_of_columns_precondition_newton_steps) {
  const Sample s = sample(6, 301, 33, true, 0.3);
  for (const bool squared : {true, false}) {
    const BinarySvm svm{s.target.data(), s.cost.data(), s.side.data(), 0.0, squared, true};
    const double best = primal(s, svm, run(true, s.full(), svm, 1));
    std::vector<Answer> found;
    for (const int threads : {1, 3}) {
      Stop stop;
      ThreadTeam team(threads, stop);
      const std::vector<double> products = mean_products(s.full(), true, team);
      CHECK(products.size() == size_t(padded(s.d + 1) * padded(s.d + 1)));
      found.push_back(newton(s.full(), svm, {1e-5, kInfinity, 3000}, nullptr, products.data(), team));
    }
    CHECK(std::fabs(primal(s, svm, found[0]) - best) <= 1e-4 * best);
    CHECK(same_bits(found[0], found[1]));
  }
}

TEST(linear_solvers_stop_when_asked) {
  const Sample s = sample(9, 301, 7, true, 1e6);
  const BinarySvm svm{s.target.data(), s.cost.data(), s.side.data(), 0.0, false, true};
  for (const bool by_newton : {true, false}) {
    CHECK(run(by_newton, s.full(), svm, 3, 1).ending == Ending::iterations);
    Stop stop;
    ThreadTeam team(3, stop);
    const Limits none{1e-12, 0.0, 1000000};
    const Answer found = by_newton ? newton(s.full(), svm, none, nullptr, nullptr, team)
                                   : descend(s.full(), svm, none, nullptr, 5, team);
    CHECK(found.ending == Ending::seconds);
  }
}

TEST(few_coefficients_and_all_classes_close_their_gap) {
  const Sample s = sample(4, 67, 7, true, 0.5);
  Sample turned{s.d, s.n, {}, {}, {}, {}};
  for (int64_t j = 0; j < s.d; ++j) {
    for (int64_t i = 0; i < s.n; ++i) {
      const double x = s.dense[size_t(i * s.d + j)];
      turned.dense.push_back(x);
      if (x == 0) continue;
      turned.column.push_back(int32_t(i));
      turned.values.push_back(x);
    }
    turned.start.push_back(int64_t(turned.column.size()));
  }
  std::vector<int32_t> codes;
  for (int64_t i = 0; i < s.n; ++i) codes.push_back(int32_t(i % 3));
  Stop stop;
  ThreadTeam team(1, stop);
  const Limits limits{1e-3, kInfinity, 10000};
  std::vector<double> last;
  for (const bool sparse : {false, true}) {
    const Answer few = descend_columns(sparse ? turned.thin() : turned.full(), s.target.data(), s.cost.data(),
                                       limits, 5, team);
    const Answer all =
        descend_classes(sparse ? s.thin() : s.full(), codes.data(), 3, s.cost.data(), limits, 5, team);
    for (const Answer* found : {&few, &all}) {
      CHECK(found->ending == Ending::reached);
      const double* line = found->progress.data() + found->progress.size() - 3;
      CHECK(line[1] - line[2] <= 1e-3 * line[1]);
      CHECK(line[1] - line[2] >= -1e-9);
    }
    if (sparse)
      for (size_t j = 0; j < last.size(); ++j) CHECK_NEAR(few.w[j], last[j], 1e-9);
    last = few.w;
  }
}

// Boosting's kernels without Python, so that the sanitizers see them.
#include <cmath>
#include <vector>

#include "boost/exp.hpp"
#include "boost/score.hpp"
#include "boost/step.hpp"
#include "boost/stumps.hpp"
#include "boost/words.hpp"
#include "check.hpp"
#include "common/random.hpp"

using namespace hedgerow;

namespace {

struct Case {
  int64_t n;
  std::vector<std::vector<uint16_t>> codes;
  std::vector<CodeColumn> columns;
  std::vector<uint16_t> group;
  std::vector<double> weight;
};

Case make_case(int64_t n, int columns, int64_t values, uint64_t seed) {
  Case c;
  c.n = n;
  Random random(seed);
  for (int j = 0; j < columns; ++j) {
    std::vector<uint16_t> codes(n);
    for (auto& code : codes) code = static_cast<uint16_t>(random.below(static_cast<uint32_t>(values + 1)));
    for (int64_t k = 0; k < std::min(n, values); ++k) codes[k] = static_cast<uint16_t>(k);
    c.codes.push_back(codes);
  }
  for (int j = 0; j < columns; ++j) {
    CodeColumn column;
    column.codes = c.codes[j].data();
    column.width = 2;
    column.n_codes = values;
    column.n_levels = j == 1 ? static_cast<int32_t>(values) : 0;
    c.columns.push_back(column);
  }
  for (int64_t i = 0; i < n; ++i) {
    c.group.push_back(static_cast<uint16_t>(random.below(2)));
    c.weight.push_back(random.unit() / static_cast<double>(n));
  }
  return c;
}

BestStump found(const Case& c, const char* merit, int threads) {
  Stop stop;
  ThreadTeam team(threads, stop);
  const CoarseColumns coarse = coarse_columns(c.columns, c.n, team);
  StumpInput in;
  in.n_rows = c.n;
  in.columns = c.columns;
  in.coarse = coarse.coarse.data();
  in.order = coarse.order.data();
  in.order_start = coarse.order_start.data();
  in.bin_start = coarse.bin_start.data();
  in.last_code = coarse.last_code.data();
  std::vector<double> signs;
  for (const uint16_t g : c.group) signs.push_back(g ? 1.0 : -1.0);
  in.signs = signs.data();
  in.weight = c.weight.data();
  in.merit = merit;
  return best_stump(in, team);
}

}  // namespace

TEST(stumps_of_all_kinds_and_threads) {
  for (const int64_t values : {1, 2, 7, 255, 256, 700})
    for (const char* merit : {"error", "exponential", "silence", "gini"}) {
      const Case c = make_case(1500, 5, values, 3);
      const BestStump one = found(c, merit, 1), three = found(c, merit, 3);
      CHECK(one.column == three.column);
      CHECK(one.code == three.code);
      CHECK(one.merit == three.merit);
      if (one.column < 0) continue;
      double sum = 0, all = 0;
      for (int g = 0; g < 2; ++g) sum += one.first[g] + one.second[g];
      for (const double w : c.weight) all += w;
      CHECK(std::abs(sum - all) < 1e-12);
    }
}

TEST(exp_is_exp) {
  for (double x = -700; x < 700; x += 0.37) CHECK(std::abs(plain_exp(x) / std::exp(x) - 1) < 1e-15);
  CHECK(plain_exp(0) == 1);
  CHECK(plain_exp(-1e9) > 0);
  CHECK(std::isfinite(plain_exp(1e9)));
}

TEST(steps_and_masses) {
  const int64_t n = 20001;
  std::vector<double> signs(n), answers(n), base(n, 1.0 / n);
  Random random(5);
  for (int64_t i = 0; i < n; ++i) {
    signs[i] = random.below(2) ? 1 : -1;
    answers[i] = static_cast<double>(random.below(3)) - 1;
  }
  std::vector<double> last;
  for (const int threads : {1, 4}) {
    Stop stop;
    ThreadTeam team(threads, stop);
    std::vector<double> margins(n, 0.0), since(n, 0.0), weight = base;
    const AnswerMasses m = answer_masses(signs.data(), answers.data(), weight.data(), n, team);
    CHECK(std::abs(m.yes_right + m.yes_wrong + m.no_right + m.no_wrong + m.silent - 1) < 1e-12);
    const StepInput in{signs.data(), answers.data(), 0.4, 0.3, base.data(), false, n};
    boost_step(in, margins.data(), since.data(), weight.data(), team);
    double sum = 0;
    for (const double w : weight) sum += w;
    CHECK(std::abs(sum - 1) < 1e-9);
    CHECK(margins == since);
    if (!last.empty()) CHECK(last == weight);
    last = weight;
  }
}

TEST(tables_and_trees) {
  const std::vector<double> ends{1.0, 2.0, 5.0}, lines{1, 2, 3, 4, 0, 9};
  const std::vector<float> rows{0.5f, 1.0f, 1.5f, 5.0f, 7.0f, NAN};
  const std::vector<ScoreTable> tables{{0, 0, ends.data(), 3, lines.data()}};
  std::vector<double> out(6);
  Stop stop;
  ThreadTeam team(2, stop);
  const Matrix m{rows.data(), false, 6, 1, 1};
  table_scores(tables, m, 1, out.data(), team);
  CHECK((out == std::vector<double>{1, 1, 2, 3, 4, 9}));
  const double inf = INFINITY;
  const std::vector<WideNode> nodes{{1.0, 1, 0}, {inf, 1, 0x80000000u}, {inf, 2, 0x80000000u}};
  const std::vector<int64_t> root{0, 0};
  const std::vector<int32_t> column{0, 0, 0};
  const std::vector<double> amount{0, -1, 2};
  const std::vector<int32_t> depth{9, 1};  // the first is walked until nothing moves, the second one step
  ScoreTrees trees{nodes.data(), nullptr, root.data(), depth.data(), 2, column.data(), amount.data(),
                   false,        1};
  tree_scores(trees, m, 1, out.data(), team);
  CHECK((out == std::vector<double>{-2, -2, 4, 4, 4, 4}));
}

TEST(words) {
  const std::vector<int64_t> start{0, 2, 2, 3};
  const std::vector<int32_t> row{0, 2, 1};
  const std::vector<uint16_t> group{0, 1, 1};
  const std::vector<double> weight{0.5, 0.25, 0.25};
  Stop stop;
  ThreadTeam team(2, stop);
  const auto mass = word_masses(start.data(), row.data(), 3, group.data(), 2, weight.data(), team);
  CHECK((mass == std::vector<double>{0.5, 0.25, 0, 0, 0, 0.25}));
}

#include <cmath>
#include <cstring>
#include <vector>

#include "check.hpp"
#include "common/random.hpp"
#include "svm/many.hpp"
#include "svm/solve.hpp"
#include "svm/trace.hpp"

using namespace hedgerow;
using namespace hedgerow::svm;

namespace {

using Kind = std::string;
const Kind kKinds[] = {"linear", "poly", "rbf", "sigmoid"};

struct Sample {  // the same rows twice: dense, and without their zeros
  int64_t n, d;
  std::vector<double> dense, values, signs;
  std::vector<int64_t> starts{0};
  std::vector<int32_t> at;

  Source full() const { return {n, d, dense.data(), nullptr, nullptr, nullptr}; }
  Source thin() const { return {n, d, nullptr, starts.data(), at.data(), values.data()}; }
  const double* row(int64_t i) const { return dense.data() + i * d; }
};

Sample sample(uint64_t seed, int64_t n, int64_t d) {
  Random random(root_key(seed));
  Sample s{n, d, {}, {}, {}};
  for (int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < d; ++j) {
      const double x = random.unit() < 0.4 ? 0.0 : 2 * random.unit() - 1;
      s.dense.push_back(x);
      sum += x;
      if (x == 0) continue;
      s.at.push_back(int32_t(j));
      s.values.push_back(x);
    }
    s.starts.push_back(int64_t(s.at.size()));
    s.signs.push_back(i == 0 || (i > 1 && sum + random.unit() - 0.5 > 0) ? 1 : -1);
  }
  return s;
}

KernelOf kernel_of(const Kind& kind) { return {&find_kernel(kind), {0.3, 0.5, 3}}; }

double scale_of(const Kind& kind) { return kind == "linear" ? 1.0 : std::sqrt(0.3); }

double plainly(const Kind& kind, const Sample& s, int64_t i, int64_t j) {
  double dot = 0, apart = 0;
  for (int64_t k = 0; k < s.d; ++k) {
    dot += s.row(i)[k] * s.row(j)[k];
    apart += (s.row(i)[k] - s.row(j)[k]) * (s.row(i)[k] - s.row(j)[k]);
  }
  if (kind == "linear") return dot;
  if (kind == "poly") return std::pow(0.3 * dot + 0.5, 3);
  if (kind == "rbf") return std::exp(-0.3 * apart);
  return std::tanh(0.3 * dot + 0.5);
}

template <class T>
Rows<T> rows_of(const Kind& kind, const Source& source) {
  const auto centre = kind == "rbf" ? centre_of(source) : std::vector<double>{};
  return read_rows<T>(source, centre, scale_of(kind));
}

template <class T>
std::vector<T> all_values(const Kind& kind, const Source& source, const std::vector<int32_t>& some,
                          int threads) {
  Stop stop;
  ThreadTeam team(threads, stop);
  const Rows<T> rows = rows_of<T>(kind, source);
  const Side<T> left{&rows, some.data(), int64_t(some.size())}, right{&rows, nullptr, source.rows};
  std::vector<T> out(some.size() * size_t(source.rows), T(-9));
  each_tile<T>(kernel_of(kind), left, right, team,
               [&](const T* tile, int64_t first, int count, int64_t column, int width, int) {
                 for (int i = 0; i < count; ++i)
                   for (int j = 0; j < width; ++j)
                     out[size_t((first + i) * source.rows + column + j)] = tile[i * kTileColumns + j];
               });
  return out;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

std::vector<int32_t> every_third(int64_t n) {
  std::vector<int32_t> some;
  for (int64_t i = 0; i < n; i += 3) some.push_back(int32_t(n - 1 - i));
  return some;
}

template <class T>
void check_tiles(double tolerance) {
  for (const Kind& kind : kKinds)
    for (const auto& [n, d] : {std::pair<int64_t, int64_t>{1, 1}, {2, 5}, {63, 7}, {65, 16}, {149, 33}}) {
      const Sample s = sample(uint64_t(n), n, d);
      const auto some = every_third(n);
      for (const Source& source : {s.full(), s.thin()}) {
        const auto one = all_values<T>(kind, source, some, 1);
        CHECK(same_bits(one, all_values<T>(kind, source, some, 3)));
        for (size_t i = 0; i < some.size(); ++i)
          for (int64_t j = 0; j < n; ++j)
            CHECK_NEAR(one[i * size_t(n) + size_t(j)], plainly(kind, s, some[i], j), tolerance);
      }
    }
}

struct Bounds {
  std::vector<double> low, high;
};

// b'Kb / 2 - c'b by the plain formula
double objective(const Kind& kind, const Sample& s, const std::vector<double>& c,
                 const std::vector<double>& b) {
  double value = 0;
  for (size_t i = 0; i < b.size(); ++i) {
    value -= c[i] * b[i];
    for (size_t j = 0; j < b.size(); ++j)
      if (b[i] != 0 && b[j] != 0) value += 0.5 * b[i] * b[j] * plainly(kind, s, int64_t(i), int64_t(j));
  }
  return value;
}

Bounds bounds_of(const Sample& s, double cost) {
  Bounds bounds;
  for (const double sign : s.signs) {
    bounds.low.push_back(sign > 0 ? 0.0 : -cost);
    bounds.high.push_back(sign > 0 ? cost : 0.0);
  }
  return bounds;
}

template <class T>
Solution solved(const Kind& kind, const Sample& s, const Source& source, const Bounds& bounds, int64_t bytes,
                int threads) {
  Stop stop;
  ThreadTeam team(threads, stop);
  const Rows<T> rows = rows_of<T>(kind, source);
  Problem problem{s.n, s.signs.data(), bounds.low.data(), bounds.high.data(), nullptr, nullptr};
  const std::vector<double> start(size_t(s.n), 0.0);
  problem.start = start.data();
  Effort effort;
  effort.bytes = bytes;
  effort.steps = 200000;
  return solve<T>(kernel_of(kind), {&rows, nullptr, rows.rows}, problem, effort, team);
}

void check_solution(const Kind& kind, const Sample& s, const Bounds& bounds, const Solution& found) {
  CHECK(found.ending == Ending::solved);
  CHECK(found.gap <= 1e-3);
  double sum = 0, rise = -1e300, fall = 1e300;
  for (size_t i = 0; i < found.b.size(); ++i) {
    CHECK(found.b[i] >= bounds.low[i] && found.b[i] <= bounds.high[i]);
    sum += found.b[i];
    double kernel_dot = 0;
    for (size_t j = 0; j < found.b.size(); ++j)
      if (found.b[j] != 0) kernel_dot += found.b[j] * plainly(kind, s, int64_t(i), int64_t(j));
    CHECK_NEAR(found.kernel_dot[i], kernel_dot, 1e-4);
    if (found.b[i] < bounds.high[i]) rise = std::max(rise, s.signs[i] - kernel_dot);
    if (found.b[i] > bounds.low[i]) fall = std::min(fall, s.signs[i] - kernel_dot);
  }
  CHECK_NEAR(sum, 0.0, 1e-9);
  CHECK(rise - fall <= 2e-3);
}

}  // namespace

TEST(kernel_tiles_are_the_formula) {
  check_tiles<double>(1e-12);
  check_tiles<float>(1e-5);
}

TEST(kernel_square_is_the_formula) {
  for (const int64_t n : {1, 50, 131}) {
    const Sample s = sample(3, n, 6);
    const Rows<double> rows = rows_of<double>("rbf", s.full());
    Stop stop;
    ThreadTeam team(3, stop);
    const int64_t step = n + 5;
    std::vector<double> square(size_t(n * step), -7.0);
    fill_square<double>(kernel_of("rbf"), Side<double>{&rows, nullptr, n}, square.data(), step, team);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < step; ++j)
        CHECK_NEAR(square[size_t(i * step + j)], j < n ? plainly("rbf", s, i, j) : -7.0, 1e-12);
  }
}

TEST(kernel_sums_are_the_formula) {
  for (const Kind& kind : kKinds)
    for (const int outputs : {1, 3}) {
      const Sample s = sample(11, 113, 9);
      const auto some = every_third(s.n);
      std::vector<double> coef;
      Random random(root_key(4));
      for (size_t k = 0; k < some.size() * size_t(outputs); ++k) coef.push_back(random.unit() - 0.5);
      for (const Source& source : {s.full(), s.thin()}) {
        std::vector<std::vector<double>> found;
        for (const int threads : {1, 3}) {
          Stop stop;
          ThreadTeam team(threads, stop);
          const Rows<double> rows = rows_of<double>(kind, source);
          found.emplace_back(size_t(s.n * outputs), 1.0);
          add_up<double>(kernel_of(kind), Side<double>{&rows, some.data(), int64_t(some.size())}, coef.data(),
                         outputs, Side<double>{&rows, nullptr, s.n}, found.back().data(), team);
        }
        CHECK(same_bits(found[0], found[1]));
        for (int64_t j = 0; j < s.n; ++j)
          for (int o = 0; o < outputs; ++o) {
            double sum = 1.0;
            for (size_t i = 0; i < some.size(); ++i)
              sum += coef[i * size_t(outputs) + size_t(o)] * plainly(kind, s, some[i], j);
            CHECK_NEAR(found[0][size_t(j * outputs + o)], sum, 1e-11);
          }
      }
    }
}

TEST(machines_meet_their_conditions) {
  for (const Kind kind : {"linear", "poly", "rbf"})
    for (const int64_t n : {2, 17, 121, 301})
      for (const int64_t bytes : {int64_t(200) << 20, int64_t(1) << 15}) {  // all values stored, or some
        const Sample s = sample(uint64_t(n) + 1, n, 5);
        const Bounds bounds = bounds_of(s, 0.7);
        for (const Source& source : {s.full(), s.thin()}) {
          const Solution one = solved<double>(kind, s, source, bounds, bytes, 1);
          const Solution three = solved<double>(kind, s, source, bounds, bytes, 3);
          CHECK(same_bits(one.b, three.b));
          CHECK(same_bits(one.kernel_dot, three.kernel_dot));
          check_solution(kind, s, bounds, one);
        }
      }
}

TEST(machines_in_float_reach_the_same_objective) {
  const Sample s = sample(8, 203, 11);
  const Bounds bounds = bounds_of(s, 2.0);
  for (const int64_t bytes : {int64_t(200) << 20, int64_t(1) << 15}) {
    const Solution wide = solved<double>("rbf", s, s.full(), bounds, bytes, 1);
    const Solution slim = solved<float>("rbf", s, s.full(), bounds, bytes, 3);
    CHECK_NEAR(objective("rbf", s, s.signs, wide.b), objective("rbf", s, s.signs, slim.b), 1e-4);
  }
}

TEST(machines_on_a_given_matrix) {
  const Sample s = sample(21, 61, 4);
  const int64_t size = s.n + 6;  // some rows of it are not meant
  std::vector<int32_t> chosen;
  for (int64_t i = 0; i < s.n; ++i) chosen.push_back(int32_t((i * 5 + 3) % size));
  std::vector<double> matrix(size_t(size * size), 1e9);
  for (int64_t i = 0; i < s.n; ++i)
    for (int64_t j = 0; j < s.n; ++j)
      matrix[size_t(chosen[size_t(i)] * size + chosen[size_t(j)])] = plainly("rbf", s, i, j);
  const Bounds bounds = bounds_of(s, 1.5);
  const std::vector<double> start(size_t(s.n), 0.0);
  const Problem problem{s.n, s.signs.data(), bounds.low.data(), bounds.high.data(), start.data(), nullptr};
  for (const int64_t bytes : {int64_t(200) << 20, int64_t(1) << 13}) {
    Effort effort;
    effort.bytes = bytes;
    Stop stop;
    ThreadTeam team(3, stop);
    check_solution("rbf", s, bounds,
                   solve_given({matrix.data(), size, s.n, chosen.data()}, problem, effort, team));
  }
}

TEST(machines_for_numbers_share_rows) {
  const Sample s = sample(31, 45, 3);
  std::vector<double> c, low, high, start(size_t(2 * s.n), 0.0);
  std::vector<int32_t> row_of;
  for (const double side : {1.0, -1.0})
    for (int64_t i = 0; i < s.n; ++i) {
      c.push_back(s.row(i)[0] - side * 0.05);
      low.push_back(side > 0 ? 0.0 : -4.0);
      high.push_back(side > 0 ? 4.0 : 0.0);
      row_of.push_back(int32_t(i));
    }
  const Problem problem{2 * s.n, c.data(), low.data(), high.data(), start.data(), nullptr, row_of.data()};
  std::vector<Solution> found;
  for (const int threads : {1, 3}) {
    Stop stop;
    ThreadTeam team(threads, stop);
    const Rows<double> rows = rows_of<double>("rbf", s.full());
    found.push_back(solve<double>(kernel_of("rbf"), {&rows, nullptr, rows.rows}, problem, Effort{}, team));
  }
  CHECK(found[0].ending == Ending::solved);
  CHECK(same_bits(found[0].b, found[1].b));
  CHECK(int64_t(found[0].kernel_dot.size()) == s.n);
}

template <class T>
std::vector<T> products_of(const Rows<T>& left, const Rows<T>& right) {
  Stop stop;
  ThreadTeam team(2, stop);
  std::vector<T> out(size_t(left.rows * right.rows), T(-9));
  each_tile<T>(KernelOf{}, {&left, nullptr, left.rows}, {&right, nullptr, right.rows}, team,
               [&](const T* tile, int64_t first, int count, int64_t column, int width, int) {
                 for (int i = 0; i < count; ++i)
                   for (int j = 0; j < width; ++j)
                     out[size_t((first + i) * right.rows + column + j)] = tile[i * kTileColumns + j];
               });
  return out;
}

template <class T>
void check_zeros_left_out() {
  for (const auto& [n, d] : {std::pair<int64_t, int64_t>{1, 64}, {67, 131}, {51, 300}}) {
    Sample s = sample(uint64_t(d), n, d);
    for (size_t e = 0; e < s.dense.size(); ++e)
      if (e % 7 || e / size_t(d) == 3) s.dense[e] = 0.0;  // a row of zeros alone, too
    const auto thin = read_rows<T>(s.full(), {}, 1.0);
    CHECK(thin.mostly_zero());
    Rows<T> full = thin;
    full.filled_starts.clear();
    const auto wanted = products_of(full, full);
    CHECK(same_bits(products_of(thin, thin), wanted));
    CHECK(same_bits(products_of(thin, full), wanted));
    CHECK(same_bits(products_of(full, thin), wanted));
  }
}

TEST(rows_of_zeros_mostly_have_the_same_products) {
  check_zeros_left_out<float>();
  check_zeros_left_out<double>();
  CHECK(!read_rows<double>(sample(3, 20, 80).full(), {}, 1.0).mostly_zero());
}

TEST(scores_of_each_are_sums_over_its_own_rows) {
  const Sample s = sample(23, 90, 6);
  const std::vector<int32_t> odd{1, 3, 5, 7, 80}, columns{2, 89, 0};
  const std::vector<double> coef{0.5, -1.0, 2.0, 0.25, -0.75};
  for (const Kind& kind : kKinds)
    for (const Source& source : {s.full(), s.thin()})
      for (const int threads : {1, 2}) {
        std::vector<double> out(9, 0.0);
        std::vector<Scored> machines;
        for (int m = 0; m < 4; ++m)  // the last has no rows
          machines.push_back({odd.data(), coef.data(), m == 3 ? 0 : 5 - m, columns.data(), m == 3 ? 0 : 3,
                              out.data() + 3 * std::min(m, 2)});
        Stop stop;
        ThreadTeam team(threads, stop);
        score_each(kernel_of(kind), source, machines, team);
        for (int m = 0; m < 3; ++m)
          for (int j = 0; j < 3; ++j) {
            double sum = 0;
            for (int i = 0; i < 5 - m; ++i) sum += coef[i] * plainly(kind, s, odd[i], columns[j]);
            CHECK_NEAR(out[3 * m + j], sum, 1e-12);
          }
      }
}

TEST(pairs_are_solved_each_from_its_own_rows) {
  const Sample s = sample(51, 700, 3);
  const Rows<double> rows = rows_of<double>("rbf", s.full());
  std::vector<int32_t> even, all;
  std::vector<double> even_signs, weight(size_t(s.n), 1.5);
  for (int64_t i = 0; i < s.n; ++i) {
    all.push_back(int32_t(i));
    if (i % 2) continue;
    even.push_back(int32_t(i));
    even_signs.push_back(s.signs[size_t(i)]);
  }
  const std::vector<Learner> learners{
      {all.data(), nullptr, s.signs.data(), weight.data(), s.n, 0},
      {even.data(), nullptr, even_signs.data(), weight.data(), int64_t(even.size()), 0}};
  std::vector<std::vector<Solution>> found;
  for (const int threads : {1, 3}) {
    Stop stop;
    ThreadTeam team(threads, stop);
    found.push_back(solve_each(kernel_of("rbf"), rows, learners, Effort{}, team));
  }
  check_solution("rbf", s, bounds_of(s, 1.5), found[0][0]);
  for (const size_t k : {0, 1}) {
    CHECK(found[0][k].ending == Ending::solved);
    CHECK(same_bits(found[0][k].b, found[1][k].b));
  }
}

TEST(machines_stop_when_asked) {
  const Sample s = sample(41, 301, 5);
  const Bounds bounds = bounds_of(s, 1e6);
  const std::vector<double> start(size_t(s.n), 0.0);
  const Problem problem{s.n, s.signs.data(), bounds.low.data(), bounds.high.data(), start.data(), nullptr};
  const Rows<double> rows = rows_of<double>("linear", s.full());
  Effort few, brief;
  few.steps = 7;
  brief.seconds = 0.0;
  brief.tolerance = 1e-13;
  Stop stop;
  ThreadTeam team(3, stop);
  const Solution found = solve<double>(kernel_of("linear"), {&rows, nullptr, rows.rows}, problem, few, team);
  CHECK(found.ending == Ending::out_of_steps);
  CHECK(found.steps <= 7);
  CHECK(solve<double>(kernel_of("linear"), {&rows, nullptr, rows.rows}, problem, brief, team).ending ==
        Ending::out_of_time);
}

TEST(machines_that_set_variables_aside) {  // enough rows that most can be set aside, few between their bounds
  const Sample s = sample(51, 1201, 4);
  const Bounds bounds = bounds_of(s, 0.05);
  const Solution one = solved<double>("rbf", s, s.full(), bounds, int64_t(200) << 20, 1);
  const Solution three = solved<double>("rbf", s, s.full(), bounds, int64_t(200) << 20, 3);
  CHECK(same_bits(one.b, three.b));
  check_solution("rbf", s, bounds, one);
}

TEST(gram_becomes_kernel_values) {
  for (const Kind& kind : kKinds)
    for (const int64_t n : {1, 49, 131}) {
      const Sample s = sample(5, n, 6);
      Stop stop;
      ThreadTeam team(3, stop);
      const Rows<double> rows = read_rows<double>(s.full(), {}, 1.0);
      std::vector<double> products(size_t(n * n)), values(size_t(n * n));
      fill_square<double>(KernelOf{}, Side<double>{&rows, nullptr, n}, products.data(), n, team);
      apply_to_gram<double>(kernel_of(kind), products.data(), n, values.data(), team);
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) CHECK_NEAR(values[size_t(i * n + j)], plainly(kind, s, i, j), 1e-12);
    }
}

TEST(many_machines_along_costs) {
  const Sample s = sample(61, 97, 4);
  std::vector<double> gram(size_t(s.n * s.n));
  for (int64_t i = 0; i < s.n; ++i)
    for (int64_t j = 0; j < s.n; ++j) gram[size_t(i * s.n + j)] = plainly("rbf", s, i, j);
  std::vector<int32_t> all, held;
  for (int64_t i = 0; i < s.n; ++i) (i % 5 == 3 ? held : all).push_back(int32_t(i));
  std::vector<double> sign, weight(all.size(), 1.0);
  for (const int32_t i : all) sign.push_back(s.signs[size_t(i)]);
  const Learner one{all.data(),    held.data(),         sign.data(),
                    weight.data(), int64_t(all.size()), int64_t(held.size())};
  const std::vector<Learner> learners(5, one);
  std::vector<std::vector<Learned>> found;
  for (const int threads : {1, 3}) {
    Stop stop;
    ThreadTeam team(threads, stop);
    found.push_back(solve_many(Gram<double>{gram.data(), s.n}, learners, {0.1, 1.0, 10.0}, Effort{}, team));
  }
  CHECK(found[0].size() == 15);
  for (size_t k = 0; k < found[0].size(); ++k) {
    CHECK(same_bits(found[0][k].solution.b, found[1][k].solution.b));
    CHECK(same_bits(found[0][k].scores, found[1][k].scores));
    CHECK(same_bits(found[0][k].solution.b, found[0][k % 3].solution.b));  // the same learner five times
    CHECK(found[0][k].solution.ending == Ending::solved);
    for (size_t j = 0; j < held.size(); ++j) {
      double score = 0;
      for (size_t i = 0; i < all.size(); ++i)
        score += found[0][k].solution.b[i] * plainly("rbf", s, held[j], all[i]);
      CHECK_NEAR(found[0][k].scores[j], score, 1e-9);
    }
  }
}

TEST(one_machine_along_costs) {
  const Sample s = sample(71, 301, 4);
  const Bounds unit = bounds_of(s, 1.0);
  const Problem problem{s.n, s.signs.data(), unit.low.data(), unit.high.data(), nullptr, nullptr};
  const Rows<double> rows = rows_of<double>("rbf", s.full());
  for (const int64_t bytes : {int64_t(200) << 20, int64_t(1) << 15}) {
    Effort effort;
    effort.bytes = bytes;
    Stop stop;
    ThreadTeam team(2, stop);
    const auto found = solve_path<double>(kernel_of("rbf"), rows, problem, {0.2, 0.7, 5.0}, effort, team);
    for (size_t k = 0; k < 3; ++k)
      check_solution("rbf", s, bounds_of(s, k == 0 ? 0.2 : k == 1 ? 0.7 : 5.0), found[k]);
  }
}

TEST(steps_one_by_one_end_where_the_machine_does) {
  const Sample s = sample(81, 61, 3);
  const Bounds bounds = bounds_of(s, 1.5);
  const int64_t step = padded(s.n);
  std::vector<double> matrix(size_t(s.n * step), 0.0);
  SolverState state;
  state.resize(s.n);
  for (int64_t i = 0; i < s.n; ++i) {
    for (int64_t j = 0; j < s.n; ++j) matrix[size_t(i * step + j)] = plainly("rbf", s, i, j);
    state.low[size_t(i)] = bounds.low[size_t(i)];
    state.high[size_t(i)] = bounds.high[size_t(i)];
    state.slope[size_t(i)] = s.signs[size_t(i)];
  }
  Stop stop;
  const auto moves = trace_steps({matrix.data(), step, s.n}, s.signs, state, 1e-6, 10'000, stop);
  CHECK(!moves.empty() && moves.size() < 10'000);
  for (size_t k = 0; k < moves.size(); ++k) {
    CHECK(moves[k].rises >= 0 && moves[k].falls >= 0 && moves[k].rises != moves[k].falls && moves[k].by > 0);
    CHECK(moves[k].primal >= moves[k].dual - 1e-9);
    if (k > 0) CHECK(moves[k].dual >= moves[k - 1].dual - 1e-9);
  }
  CHECK_NEAR(moves.back().primal, moves.back().dual, 1e-4);
  CHECK(moves.back().gap <= 1e-6);
}

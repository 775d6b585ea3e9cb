#include "linear/l1.hpp"

#include <algorithm>

#include "linear/watch.hpp"

namespace hedgerow::linear {
namespace {

constexpr double kPays = 0.01;  // of the fall that the slope promises, what a step must bring
constexpr int kHalvings = 30;

class ColumnDescent {
 public:
  ColumnDescent(const Rows& columns, const double* sign, const double* cost, uint64_t seed, ThreadTeam& team);
  void epoch(int64_t number);
  void check();  // primal and dual of all columns
  void take_up_all();

  std::vector<double> w, beta;
  double primal = kInfinity, dual = -kInfinity, worst = 0;

 private:
  struct Slope {
    double first, second;  // of the loss along a column
  };
  template <typename Visit>
  void cells(int64_t j, Visit visit) const;
  Slope slope(int64_t j) const;
  double best_step(int64_t j, const Slope& at) const;
  double loss_change(int64_t j, double step) const;
  void move(int64_t j, double step);

  const Rows& columns_;
  const double* sign_;
  const double* cost_;
  uint64_t seed_;
  ThreadTeam& team_;
  std::vector<double> room_;  // 1 - s_i w . x_i
  std::vector<int32_t> active_;
  double threshold_ = kInfinity;
};

ColumnDescent::ColumnDescent(const Rows& columns, const double* sign, const double* cost, uint64_t seed,
                             ThreadTeam& team)
    : w(columns.n, 0.0),
      beta(columns.d, 0.0),
      columns_(columns),
      sign_(sign),
      cost_(cost),
      seed_(seed),
      team_(team),
      room_(columns.d, 1.0) {
  take_up_all();
}

template <typename Visit>
void ColumnDescent::cells(int64_t j, Visit visit) const {
  if (columns_.sparse()) {
    for (int64_t k = columns_.start[j]; k < columns_.start[j + 1]; ++k)
      visit(columns_.column[k], columns_.values[k]);
  } else {
    const double* x = columns_.values + j * columns_.d;
    for (int64_t i = 0; i < columns_.d; ++i) visit(i, x[i]);
  }
}

ColumnDescent::Slope ColumnDescent::slope(int64_t j) const {
  Slope at{0, 0};
  cells(j, [&](int64_t i, double x) {
    if (room_[i] <= 0) return;
    at.first -= 2 * cost_[i] * sign_[i] * x * room_[i];
    at.second += 2 * cost_[i] * x * x;
  });
  return at;
}

// Of the quadratic with this slope, plus |w_j|.
double ColumnDescent::best_step(int64_t j, const Slope& at) const {
  const double up = at.first + 1, down = at.first - 1, curvature = std::max(at.second, 1e-12);
  if (up < curvature * w[j]) return -up / curvature;
  if (down > curvature * w[j]) return -down / curvature;
  return -w[j];
}

double ColumnDescent::loss_change(int64_t j, double step) const {
  double change = 0;
  cells(j, [&](int64_t i, double x) {
    const double before = std::max(room_[i], 0.0), after = std::max(room_[i] - step * sign_[i] * x, 0.0);
    change += cost_[i] * (after - before) * (after + before);
  });
  return change;
}

void ColumnDescent::move(int64_t j, double step) {
  w[j] += step;
  cells(j, [&](int64_t i, double x) { room_[i] -= step * sign_[i] * x; });
}

void ColumnDescent::epoch(int64_t number) {
  shuffle(active_, seed_, number);
  worst = 0;
  size_t kept = 0;
  for (const int32_t j : active_) {
    team_.stop().check();
    const Slope at = slope(j);
    const double wrong = w[j] > 0   ? std::fabs(at.first + 1)
                         : w[j] < 0 ? std::fabs(at.first - 1)
                                    : std::max(0.0, std::fabs(at.first) - 1);
    worst = std::max(worst, wrong);
    if (w[j] == 0 && std::fabs(at.first) < 1 - threshold_) continue;  // rests until the next look at all
    active_[kept++] = j;
    double step = wrong == 0 ? 0.0 : best_step(j, at);
    if (step == 0) continue;
    const double from = std::fabs(w[j]);
    double promised = at.first * step + std::fabs(w[j] + step) - from;
    for (int tried = 0; tried < kHalvings; ++tried, step *= 0.5, promised *= 0.5)
      if (loss_change(j, step) + std::fabs(w[j] + step) - from <= kPays * promised) {
        move(j, step);
        break;
      }
  }
  active_.resize(kept);
  threshold_ = worst / static_cast<double>(std::max<int64_t>(1, columns_.d));
}

void ColumnDescent::check() {
  std::fill(room_.begin(), room_.end(), 1.0);  // anew, so that rounding does not add up
  for (int64_t j = 0; j < columns_.n; ++j)
    if (w[j] != 0) cells(j, [&](int64_t i, double x) { room_[i] -= w[j] * sign_[i] * x; });
  double loss = 0, norm = 0, rising = 0, falling = 0, most = 0;
  for (int64_t i = 0; i < columns_.d; ++i) {
    const double excess = std::max(room_[i], 0.0);
    loss += cost_[i] * excess * excess;
    beta[i] = 2 * cost_[i] * sign_[i] * excess;
    rising += sign_[i] * beta[i];
    falling += cost_[i] * excess * excess;  // beta^2 / (4 cost)
  }
  for (int64_t j = 0; j < columns_.n; ++j) {
    norm += std::fabs(w[j]);
    most = std::max(most, std::fabs(slope(j).first));
  }
  // the largest multiple of beta that is feasible, or the best one if that is shorter
  double share = most > 1 ? 1 / most : 1.0;
  if (falling > 0) share = std::min(most > 0 ? 1 / most : kInfinity, 0.5 * rising / falling);
  for (double& one : beta) one *= share;
  primal = norm + loss;
  dual = share * rising - share * share * falling;
}

void ColumnDescent::take_up_all() {
  active_.resize(columns_.n);
  for (int64_t j = 0; j < columns_.n; ++j) active_[j] = static_cast<int32_t>(j);
  threshold_ = kInfinity;
}

}  // namespace

Answer descend_columns(const Rows& columns, const double* sign, const double* cost, const Limits& limits,
                       uint64_t seed, ThreadTeam& team) {
  Watch watch(limits);
  ColumnDescent now(columns, sign, cost, seed, team);
  Answer answer;
  int64_t next_check = 4;
  double wanted = 0, before = kInfinity;  // of the columns at hand, the largest violation to get to
  for (;;) {
    const bool spent = watch.spent(answer);
    const bool still = answer.iterations > 0 && now.worst <= wanted;
    if (answer.iterations >= next_check || spent || still) {
      now.check();
      if (watch.ends(answer, now.primal, now.dual)) break;
      if (still) {
        if (now.primal >= before) {  // no step that pays is left
          answer.ending = Ending::precision;
          break;
        }
        before = now.primal;
        now.take_up_all();
        wanted = 0.1 * now.worst;
      }
      next_check = answer.iterations + std::clamp<int64_t>(answer.iterations / 2, 4, 50);
    }
    now.epoch(answer.iterations++);
    if (answer.iterations == 1) wanted = 0.1 * now.worst;
  }
  answer.w = std::move(now.w);
  answer.beta = std::move(now.beta);
  return answer;
}

}  // namespace hedgerow::linear

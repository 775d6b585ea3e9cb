// Dual coordinate descent for the linear svm (binary_svm.hpp), with shrinking.
//
// One row at a time, its beta is set to the best value given all others; w follows. A row that sits at a
// bound and is pushed against it harder than any other row was lately is left out until the next look at all
// rows.
//
// The free intercept asks for sum beta = 0. That is met by the method of multipliers: the rows carry one more
// column of value sqrt(pull), and b = centre + pull * sum beta, where the centre moves to b after each epoch;
// at the end sum beta is nothing and b has no penalty.
//
// One thread descends: each step needs the last. Blocks of rows on copies of w, added up, were tried; on
// text, where all rows share the frequent words, they took three to eight times the epochs. Looks at all rows
// use all threads.
#include <algorithm>

#include "linear/kernels.hpp"
#include "linear/watch.hpp"

namespace hedgerow::linear {
namespace {

constexpr double kPull = 0.03;  // of the mean |x|^2; much more slows the descent down
constexpr size_t kAhead = 4;    // rows fetched before their turn

class Descent {
 public:
  Descent(const Rows& rows, const BinarySvm& svm, uint64_t seed, ThreadTeam& team);
  void begin(const Answer& start);
  void epoch(int64_t number);
  double check();  // looks at all rows; returns the gap

  std::vector<double> w, beta;
  double primal = kInfinity, dual = -kInfinity, best_b = 0;

 private:
  double violation(int64_t i, double gradient, bool& rests) const;
  double best(int64_t i, double gradient, double curvature) const;
  double b() const { return svm_.intercept ? centre_ + pull_ * sum_ : 0.0; }

  const Rows& rows_;
  const BinarySvm& svm_;
  uint64_t seed_;
  ThreadTeam& team_;
  std::vector<double> square_, low_, high_, z_;
  std::vector<int32_t> active_, resting_;
  double pull_ = 0, centre_ = 0, sum_ = 0, threshold_ = kInfinity;
};

Descent::Descent(const Rows& rows, const BinarySvm& svm, uint64_t seed, ThreadTeam& team)
    : w(rows.d, 0.0),
      beta(rows.n, 0.0),
      rows_(rows),
      svm_(svm),
      seed_(seed),
      team_(team),
      square_(rows.n),
      low_(rows.n),
      high_(rows.n),
      z_(rows.n) {
  double mean = 0, weight = 0;
  for (int64_t i = 0; i < rows.n; ++i) {
    mean += square_[i] = rows.square(i);
    weight += svm.cost[i];
    low_[i] = svm.low(i);
    high_[i] = svm.high(i);
    if (svm.cost[i] > 0) active_.push_back(static_cast<int32_t>(i));
  }
  if (svm.intercept)
    pull_ = std::max(kPull * mean / std::max<int64_t>(1, rows.n), 1.0 / std::max(weight, 1e-300));
  for (int64_t i = 0; i < rows.n; ++i) square_[i] += pull_;
}

void Descent::begin(const Answer& start) {
  for (int64_t i = 0; i < rows_.n; ++i) beta[i] = std::clamp(start.beta[i], low_[i], high_[i]);
  sum_ = transposed(rows_, beta.data(), w.data(), team_);
  centre_ = start.b - pull_ * sum_;
}

// How far beta_i is from being best, and whether it may rest.
double Descent::violation(int64_t i, double gradient, bool& rests) const {
  const double up = gradient + svm_.epsilon, down = gradient - svm_.epsilon, at = beta[i];
  rests = false;
  if (at <= low_[i] && at >= high_[i]) return 0;
  if (at >= high_[i]) {
    rests = up < -threshold_;
    return std::max(0.0, up);
  }
  if (at <= low_[i]) {
    rests = down > threshold_;
    return std::max(0.0, -down);
  }
  if (at > 0) return std::fabs(up);
  if (at < 0) return std::fabs(down);
  rests = up > threshold_ && down < -threshold_;
  return std::max({0.0, -up, down});
}

double Descent::best(int64_t i, double gradient, double curvature) const {
  const double up = gradient + svm_.epsilon, down = gradient - svm_.epsilon;
  double to = 0;
  if (up < curvature * beta[i])
    to = beta[i] - up / curvature;
  else if (down > curvature * beta[i])
    to = beta[i] - down / curvature;
  return std::clamp(to, low_[i], high_[i]);
}

void Descent::epoch(int64_t number) {
  shuffle(active_, seed_, number);
  double worst = 0;
  size_t kept = 0;
  for (size_t k = 0; k < active_.size(); ++k) {
    if (k % 256 == 0) team_.stop().check();
    if (k + kAhead < active_.size()) rows_.fetch(active_[k + kAhead]);
    const int32_t i = active_[k];
    const double flat = svm_.flat(i);
    const double gradient = rows_.dot(i, w.data()) + b() + flat * beta[i] - svm_.target[i];
    bool rests;
    const double wrong = violation(i, gradient, rests);
    worst = std::max(worst, wrong);
    if (rests) {
      resting_.push_back(i);
      continue;
    }
    active_[kept++] = i;
    const double curvature = square_[i] + flat;
    if (wrong == 0 || curvature <= 0) continue;
    const double change = best(i, gradient, curvature) - beta[i];
    if (change == 0) continue;
    beta[i] += change;
    sum_ += change;
    rows_.add(i, change, w.data());
  }
  active_.resize(kept);
  threshold_ = worst > 0 ? worst : kInfinity;
  if (svm_.intercept) centre_ += pull_ * sum_;
}

double Descent::check() {
  times(rows_, w.data(), 0.0, z_.data(), team_);
  best_b = svm_.intercept ? best_intercept(svm_, z_.data(), rows_.n) : 0.0;
  double loss = 0, linear = 0, residual = 0;
  for (int64_t i = 0; i < rows_.n; ++i) {
    loss += svm_.loss(i, svm_.target[i] - z_[i] - best_b);
    residual += std::fabs(svm_.target[i] - z_[i] - best_b);
    linear += svm_.linear(i, beta[i]);
  }
  const double half = 0.5 * dense_dot(w.data(), w.data(), rows_.d);
  primal = half + loss;
  dual = linear - half;
  if (svm_.intercept)  // about what bringing beta to the sum 0 will cost
    dual -= std::fabs(sum_) * (std::fabs(best_b) + residual / std::max<int64_t>(1, rows_.n));
  size_t kept = 0;
  for (const int32_t i : resting_) {
    bool rests;
    violation(i, z_[i] + b() + svm_.flat(i) * beta[i] - svm_.target[i], rests);
    if (rests)
      resting_[kept++] = i;
    else
      active_.push_back(i);
  }
  resting_.resize(kept);
  return primal - dual;
}

}  // namespace

Answer descend(const Rows& rows, const BinarySvm& svm, const Limits& limits, const Answer* start,
               uint64_t seed, ThreadTeam& team) {
  Watch watch(limits);
  Descent now(rows, svm, seed, team);
  if (start) now.begin(*start);
  Answer answer;
  int64_t next_check = start ? 1 : 4, last_check = 0;
  double last_gap = kInfinity;
  for (;;) {
    if (watch.spent(answer) || answer.iterations >= next_check) {
      const double gap = now.check(), wanted = limits.tol * std::fabs(now.primal);
      if (watch.ends(answer, now.primal, now.dual)) break;
      // as many epochs again as the rate so far says are needed
      const double rate =
          std::isfinite(last_gap) ? std::log(last_gap / gap) / double(answer.iterations - last_check) : 0;
      const double ahead = rate > 0 ? std::log(gap / wanted) / rate : 5;
      last_gap = gap;
      last_check = answer.iterations;
      next_check = answer.iterations + std::clamp<int64_t>(static_cast<int64_t>(0.9 * ahead), 1, 10);
    }
    now.epoch(answer.iterations++);
  }
  answer.w = std::move(now.w);
  answer.b = now.best_b;
  answer.beta = std::move(now.beta);
  return answer;
}

}  // namespace hedgerow::linear

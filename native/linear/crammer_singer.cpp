#include "linear/crammer_singer.hpp"

#include <algorithm>
#include <functional>

#include "linear/kernels.hpp"
#include "linear/watch.hpp"

namespace hedgerow::linear {
namespace {

class ClassDescent {
 public:
  ClassDescent(const Rows& rows, const int32_t* codes, int32_t classes, const double* cost, uint64_t seed,
               ThreadTeam& team);
  void epoch(int64_t number);
  void check();  // primal and dual of all rows

  std::vector<double> w, beta;
  double primal = kInfinity, dual = -kInfinity;

 private:
  void score(int64_t i);  // 1 for each wrong class, plus its score
  void solve(int64_t i, double square);

  const Rows& rows_;
  const int32_t* codes_;
  int32_t classes_;
  const double* cost_;
  uint64_t seed_;
  ThreadTeam& team_;
  std::vector<double> square_, gradient_, wanted_, sorted_;
  std::vector<int32_t> order_;
};

ClassDescent::ClassDescent(const Rows& rows, const int32_t* codes, int32_t classes, const double* cost,
                           uint64_t seed, ThreadTeam& team)
    : w(rows.d * classes, 0.0),
      beta(rows.n * classes, 0.0),
      rows_(rows),
      codes_(codes),
      classes_(classes),
      cost_(cost),
      seed_(seed),
      team_(team),
      square_(rows.n),
      gradient_(classes),
      wanted_(classes),
      sorted_(classes) {
  for (int64_t i = 0; i < rows.n; ++i) {
    square_[i] = rows.square(i);
    if (!(cost[i] > 0)) continue;
    if (square_[i] > 0) {
      order_.push_back(static_cast<int32_t>(i));
      continue;
    }
    beta[i * classes + codes[i]] = cost[i];  // a row of zeros moves nothing: its best is known
    beta[i * classes + (codes[i] == 0)] = -cost[i];
  }
}

void ClassDescent::score(int64_t i) {
  for (int32_t k = 0; k < classes_; ++k)
    gradient_[k] = (k == codes_[i] ? 0.0 : 1.0) + rows_.dot(i, w.data() + k * rows_.d);
}

// The best numbers of one row: each is (level - B_k) / square, cut at its bound, with the level at which
// they sum to zero; B is the gradient without the row's own part.
void ClassDescent::solve(int64_t i, double square) {
  const double cost = cost_[i];
  const int32_t own = codes_[i];
  const double* at = beta.data() + i * classes_;
  for (int32_t k = 0; k < classes_; ++k) {
    wanted_[k] = gradient_[k] - square * at[k];
    sorted_[k] = wanted_[k] + (k == own ? square * cost : 0.0);
  }
  std::sort(sorted_.begin(), sorted_.end(), std::greater<>());
  double level = sorted_[0] - square * cost;
  int32_t used = 1;
  for (; used < classes_ && level < used * sorted_[used]; ++used) level += sorted_[used];
  level /= used;
  for (int32_t k = 0; k < classes_; ++k)
    wanted_[k] = std::min(k == own ? cost : 0.0, (level - wanted_[k]) / square);
}

void ClassDescent::epoch(int64_t number) {
  shuffle(order_, seed_, number);
  for (size_t at = 0; at < order_.size(); ++at) {
    if (at % 64 == 0) team_.stop().check();
    const int32_t i = order_[at];
    score(i);
    solve(i, square_[i]);
    for (int32_t k = 0; k < classes_; ++k) {
      double& now = beta[static_cast<int64_t>(i) * classes_ + k];
      const double change = wanted_[k] - now;
      if (std::fabs(change) * square_[i] < 1e-15) continue;
      now = wanted_[k];
      rows_.add(i, change, w.data() + k * rows_.d);
    }
  }
}

void ClassDescent::check() {
  double loss = 0, rising = 0, half = 0;
  for (int64_t i = 0; i < rows_.n; ++i) {
    if (cost_[i] <= 0) continue;
    score(i);
    loss += cost_[i] * (*std::max_element(gradient_.begin(), gradient_.end()) - gradient_[codes_[i]]);
    rising += beta[i * classes_ + codes_[i]];
  }
  for (int32_t k = 0; k < classes_; ++k)
    half += 0.5 * dense_dot(w.data() + k * rows_.d, w.data() + k * rows_.d, rows_.d);
  primal = half + loss;
  dual = rising - half;
}

}  // namespace

Answer descend_classes(const Rows& rows, const int32_t* codes, int32_t classes, const double* cost,
                       const Limits& limits, uint64_t seed, ThreadTeam& team) {
  Watch watch(limits);
  ClassDescent now(rows, codes, classes, cost, seed, team);
  Answer answer;
  int64_t next_check = 4;
  for (;;) {
    if (watch.spent(answer) || answer.iterations >= next_check) {
      now.check();
      if (watch.ends(answer, now.primal, now.dual)) break;
      next_check = answer.iterations + std::clamp<int64_t>(answer.iterations / 4, 1, 10);
    }
    now.epoch(answer.iterations++);
  }
  answer.w = std::move(now.w);
  answer.beta = std::move(now.beta);
  return answer;
}

}  // namespace hedgerow::linear

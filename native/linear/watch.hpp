// What the solvers share: the clock, one rule for when to end, and a drawn order for each epoch.
#pragma once

#include <chrono>
#include <utility>
#include <vector>

#include "common/random.hpp"
#include "linear/binary_svm.hpp"

namespace hedgerow::linear {

class Watch {
 public:
  explicit Watch(const Limits& limits) : limits_(limits) {}

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  // Whether the limits allow no further epoch. Asked before a check, which may take long.
  bool spent(const Answer& answer) {
    over_ = answer.iterations >= limits_.iterations;
    late_ = seconds() > limits_.seconds;
    return over_ || late_;
  }

  // Notes what a check found. True where the solver is to end; the answer then says why.
  bool ends(Answer& answer, double primal, double dual) const {
    answer.progress.insert(answer.progress.end(), {seconds(), primal, dual});
    if (primal - dual <= limits_.tol * std::fabs(primal)) return true;
    if (over_ || late_) answer.ending = over_ ? Ending::iterations : Ending::seconds;
    return over_ || late_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const Limits& limits_;
  const Clock::time_point begin_ = Clock::now();
  bool over_ = false, late_ = false;
};

inline void shuffle(std::vector<int32_t>& order, uint64_t seed, int64_t epoch) {
  Random random(child_key(root_key(seed), static_cast<int>(epoch)));
  for (size_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1], order[random.below(static_cast<uint32_t>(k))]);
}

}  // namespace hedgerow::linear

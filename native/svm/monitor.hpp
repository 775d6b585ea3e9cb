// When to give up, and what has happened so far.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace hedgerow::svm {

enum class Ending { solved, out_of_time, out_of_steps, at_rounding };

class Monitor {
 public:
  Monitor(double seconds, int64_t steps) : seconds_(seconds), steps_(steps), begin_(Clock::now()) {}

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  bool late() const { return elapsed() > seconds_; }
  int64_t steps_left() const { return steps_ - taken; }
  void note(double gap) { history.emplace_back(elapsed(), gap); }

  // A gap below nine tenths of the lowest so far is progress; returns the steps taken since there was some.
  int64_t steps_in_vain(double gap) {
    if (gap < 0.9 * lowest_) {
      lowest_ = gap;
      progress_at_ = taken;
    }
    return taken - progress_at_;
  }

  int64_t taken = 0;
  bool stalled = false;  // steps no longer lead to the tolerance
  double worst_curvature = 0.0;
  std::vector<std::pair<double, double>> history;  // seconds, gap

 private:
  using Clock = std::chrono::steady_clock;
  double seconds_, lowest_ = std::numeric_limits<double>::infinity();
  int64_t steps_, progress_at_ = 0;
  Clock::time_point begin_;
};

}  // namespace hedgerow::svm

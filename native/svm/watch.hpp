// When to give up, and what has happened so far.
#pragma once

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace hedgerow::svm {

enum class Ending { solved, out_of_time, out_of_steps, at_rounding };

class Watch {
 public:
  Watch(double seconds, int64_t steps) : seconds_(seconds), steps_(steps), begin_(Clock::now()) {}

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  bool late() const { return elapsed() > seconds_; }
  int64_t steps_left() const { return steps_ - taken; }
  void note(double gap) { history.emplace_back(elapsed(), gap); }

  int64_t taken = 0;
  double worst_curvature = 0.0;
  std::vector<std::pair<double, double>> history;  // seconds, gap

 private:
  using Clock = std::chrono::steady_clock;
  double seconds_;
  int64_t steps_;
  Clock::time_point begin_;
};

}  // namespace hedgerow::svm

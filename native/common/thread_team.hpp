// Threads for one call, and the way to stop it.
//
// In: a number of tasks and a function of (task, worker).   Out: every task done once.
// Which worker does a task is a matter of luck, so a task may depend on its own number only.
// A task may not call run() of its own team.
// Threads live as long as the ThreadTeam, that is one native call: nothing survives to clash with fork.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace hedgerow {

struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

// Asked by long loops at least every 100 ms. Only the thread that made it may poll (signals reach Python's
// main thread only); the others read the flag.
class Stop {
 public:
  explicit Stop(std::function<bool()> poll = {})
      : poll_(std::move(poll)), owner_(std::this_thread::get_id()), last_(Clock::now()) {}

  void check() {
    if (poll_ && std::this_thread::get_id() == owner_) {
      const auto now = Clock::now();
      if (now - last_ > std::chrono::milliseconds(50)) {
        last_ = now;
        if (poll_()) asked_.store(true, std::memory_order_relaxed);
      }
    }
    if (asked_.load(std::memory_order_relaxed)) throw Stopped();
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::function<bool()> poll_;
  std::thread::id owner_;
  Clock::time_point last_;
  std::atomic<bool> asked_{false};
};

class ThreadTeam {
 public:
  ThreadTeam(int threads, Stop& stop);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return size_; }
  Stop& stop() { return stop_; }
  void run(int64_t tasks, const std::function<void(int64_t task, int worker)>& work);

 private:
  void member(int worker);
  void do_tasks(int worker);

  Stop& stop_;
  int size_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::atomic<uint64_t> round_{0};
  std::atomic<int> busy_{0};
  std::atomic<bool> leaving_{false};
  const std::function<void(int64_t, int)>* work_ = nullptr;
  int64_t tasks_ = 0;
  std::atomic<int64_t> next_{0};
  std::exception_ptr trouble_;
};

}  // namespace hedgerow

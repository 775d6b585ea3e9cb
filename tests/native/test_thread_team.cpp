#include "common/thread_team.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "check.hpp"

using namespace hedgerow;
using namespace std::chrono_literals;

TEST(crew_does_every_task_once) {
  for (int threads = 1; threads <= 8; ++threads)
    for (const int64_t tasks : {0, 1, 2, 3, 7, 100, 1000}) {
      Stop stop;
      ThreadTeam team(threads, stop);
      std::vector<int> done(tasks, 0);  // no atomics: each task has its own cell
      std::atomic<bool> known_worker{true};
      team.run(tasks, [&](int64_t task, int worker) {
        ++done[task];
        if (worker < 0 || worker >= team.size()) known_worker = false;
      });
      CHECK(team.size() == threads);
      CHECK(known_worker);
      for (const int times : done) CHECK(times == 1);
    }
}

TEST(crew_of_no_threads_is_a_crew_of_one) {
  Stop stop;
  for (const int threads : {0, -3}) {
    ThreadTeam team(threads, stop);
    CHECK(team.size() == 1);
    int done = 0;
    team.run(5, [&](int64_t, int) { ++done; });
    CHECK(done == 5);
  }
}

TEST(crew_is_used_again_and_again) {
  for (int threads = 1; threads <= 8; threads += threads > 2 ? 5 : 1) {
    Stop stop;
    ThreadTeam team(threads, stop);
    std::vector<int64_t> cell(37, 0);
    for (int round = 0; round < 500; ++round)
      team.run(round % 38, [&](int64_t task, int) { cell[task] += task + round; });  // rounds do not overlap
    for (int64_t task = 0; task < 37; ++task) {
      int64_t wanted = 0;
      for (int round = 0; round < 500; ++round)
        if (task < round % 38) wanted += task + round;
      CHECK(cell[task] == wanted);
    }
  }
}

TEST(crew_may_run_at_once_and_leave_at_once) {
  for (int round = 0; round < 200; ++round) {
    Stop stop;
    ThreadTeam idle(4, stop);  // leaves before its threads have woken up
    ThreadTeam team(1 + round % 5, stop);
    std::atomic<int> done{0};
    team.run(3, [&](int64_t, int) { ++done; });
    CHECK(done == 3);
  }
}

TEST(crews_side_by_side) {  // a task may have a team of its own
  Stop stop;
  ThreadTeam outer(3, stop);
  std::vector<int64_t> sums(11, 0);
  outer.run(11, [&](int64_t task, int) {
    ThreadTeam inner(2, stop);
    std::vector<int64_t> parts(task + 1, 0);
    inner.run(task + 1, [&](int64_t k, int) { parts[k] = k; });
    for (const int64_t part : parts) sums[task] += part;
  });
  for (int64_t task = 0; task < 11; ++task) CHECK(sums[task] == task * (task + 1) / 2);
}

struct Trouble {
  int64_t task;
};

TEST(crew_hands_exceptions_on) {
  for (int threads = 1; threads <= 8; ++threads)
    for (int round = 0; round < 20; ++round) {
      Stop stop;
      ThreadTeam team(threads, stop);
      std::atomic<int> done{0};
      bool caught = false;
      try {
        team.run(1000, [&](int64_t task, int) {
          if (task == 5 || task == 6) throw Trouble{task};
          ++done;
        });
      } catch (const Trouble& trouble) {
        caught = trouble.task == 5 || trouble.task == 6;
      }
      CHECK(caught);
      CHECK(done < 1000);
      done = 0;
      team.run(10, [&](int64_t, int) { ++done; });  // the trouble is forgotten
      CHECK(done == 10);
    }
}

TEST(stop_is_not_asked_when_nobody_asks) {
  Stop silent;
  for (int i = 0; i < 1000; ++i) silent.check();
  int polls = 0;
  Stop stop([&] { return ++polls, false; });
  const auto until = std::chrono::steady_clock::now() + 180ms;
  while (std::chrono::steady_clock::now() < until) stop.check();
  CHECK(polls >= 1 && polls <= 4);  // not more than every 50 ms
}

TEST(stop_ends_a_run) {
  for (const int threads : {1, 2, 5}) {
    Stop stop([] { return true; });
    ThreadTeam team(threads, stop);
    std::atomic<int64_t> done{0};
    CHECK_THROWS(team.run(100000,
                          [&](int64_t, int) {
                            std::this_thread::sleep_for(1ms);
                            ++done;
                          }),
                 Stopped);
    CHECK(done < 20000);
    CHECK_THROWS(team.run(1, [](int64_t, int) {}), Stopped);  // and stays asked
  }
}

TEST(stop_reaches_a_worker_while_the_caller_waits) {
  // The caller's task ends at once; the other one goes on until it is told to stop. Only the caller polls.
  const auto caller = std::this_thread::get_id();
  std::atomic<int> strangers{0};
  Stop stop([&] {
    if (std::this_thread::get_id() != caller) ++strangers;
    return true;
  });
  ThreadTeam team(2, stop);
  std::atomic<int> begun{0};
  std::atomic<bool> told{false};
  CHECK_THROWS(team.run(2,
                        [&](int64_t, int worker) {
                          ++begun;
                          while (begun < 2) std::this_thread::yield();  // one task each
                          if (worker == 0) return;
                          try {
                            for (int i = 0; i < 20000; ++i) {
                              stop.check();
                              std::this_thread::sleep_for(1ms);
                            }
                          } catch (const Stopped&) {
                            told = true;
                            throw;
                          }
                        }),
               Stopped);
  CHECK(told);
  CHECK(strangers == 0);
}

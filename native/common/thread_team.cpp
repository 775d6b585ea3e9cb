#include "common/thread_team.hpp"

#include <system_error>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace hedgerow {
namespace {

// Looks a few times before it lies down to sleep: to be woken takes longer than most waits last.
template <class Ready>
void watch_for(Ready ready) {
  for (int look = 0; look < 2000 && !ready(); ++look) {
#if defined(__x86_64__) || defined(_M_X64)
    _mm_pause();
#endif
  }
}

}  // namespace

ThreadTeam::ThreadTeam(int threads, Stop& stop) : stop_(stop), size_(threads < 1 ? 1 : threads) {
  threads_.reserve(size_ - 1);
  for (int worker = 1; worker < size_; ++worker) {
    try {
      threads_.emplace_back([this, worker] { member(worker); });
    } catch (const std::system_error&) {  // no more threads to be had: fewer do the same work
      size_ = worker;
      break;
    }
  }
}

ThreadTeam::~ThreadTeam() {
  {
    std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void ThreadTeam::do_tasks(int worker) {
  try {
    for (int64_t task; (task = next_.fetch_add(1)) < tasks_;) {
      stop_.check();
      (*work_)(task, worker);
    }
  } catch (...) {
    next_.store(tasks_);
    std::lock_guard lock(mutex_);
    if (!trouble_) trouble_ = std::current_exception();
  }
}

void ThreadTeam::member(int worker) {
  uint64_t seen = 0;
  for (;;) {
    watch_for([&] { return leaving_ || round_ != seen; });
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return leaving_ || round_ != seen; });
    if (leaving_) return;
    seen = round_;
    lock.unlock();
    do_tasks(worker);
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
    lock.unlock();
  }
}

void ThreadTeam::run(int64_t tasks, const std::function<void(int64_t, int)>& work) {
  const bool shared = tasks > 1 && size_ > 1;
  {
    std::lock_guard lock(mutex_);
    work_ = &work;
    tasks_ = tasks;
    next_.store(0);
    trouble_ = nullptr;
    busy_ = shared ? size_ - 1 : 0;
    if (shared) ++round_;
  }
  if (shared) wake_.notify_all();
  do_tasks(0);
  watch_for([&] { return busy_ == 0; });
  std::unique_lock lock(mutex_);
  while (!done_.wait_for(lock, std::chrono::milliseconds(20), [&] { return busy_ == 0; })) {
    lock.unlock();
    try {
      stop_.check();
    } catch (...) {
      next_.store(tasks_);
    }
    lock.lock();
  }
  if (trouble_) std::rethrow_exception(trouble_);
  lock.unlock();
  stop_.check();
}

}  // namespace hedgerow

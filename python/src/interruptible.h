// Long calls that Python can interrupt: a worker runs the call without the interpreter's lock while this thread looks
// for signals, shows progress and, on Ctrl-C, asks the call to stop.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "cfrules/run.h"

namespace cfrules::python {

namespace nb = nanobind;

struct Calling {
  unsigned threads = 0;  // 0: all cores
  nb::object progress;   // None, or called with (done, total)
};

class Watch {
 public:
  explicit Watch(const Calling& calling) : calling_(calling) {}

  [[nodiscard]] Run run() {
    Run run{calling_.threads, stop_.get_token(), {}};
    if (!calling_.progress.is_none()) {
      run.progress = [this](std::size_t done, std::size_t total) {
        done_ = done;
        total_ = total;
      };
    }
    return run;
  }

  void finish() {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    changed_.notify_one();
  }

  // Returns when the worker has finished. Called without the interpreter's lock; a Python error it meets is kept.
  void wait() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::milliseconds(50), [this] { return finished_; })) {
      lock.unlock();
      look();
      lock.lock();
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  void look() {
    if (error_) return;
    const nb::gil_scoped_acquire gil;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (total_ > 0) calling_.progress(done_.load(), total_.load());
    } catch (...) {
      error_ = std::current_exception();
      stop_.request_stop();
    }
  }

  const Calling& calling_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool finished_ = false;
  std::atomic<std::size_t> done_ = 0;
  std::atomic<std::size_t> total_ = 0;
  std::exception_ptr error_;
};

template <class Work>
auto interruptible(const Calling& calling, Work work) {
  std::optional<decltype(work(Run{}))> result;
  std::exception_ptr failure;
  Watch watch(calling);
  {
    const nb::gil_scoped_release release;
    std::jthread worker([&] {
      try {
        result.emplace(work(watch.run()));
      } catch (...) {
        failure = std::current_exception();
      }
      watch.finish();
    });
    watch.wait();
  }
  watch.rethrow();
  if (failure) std::rethrow_exception(failure);
  return std::move(*result);
}

}  // namespace cfrules::python

#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/limits.h"
#include "cfrules/error.h"

namespace cfrules {

unsigned thread_count(const Run& run) {
  const unsigned wanted = run.threads > 0 ? run.threads : std::max(1u, std::thread::hardware_concurrency());
  return std::min(wanted, static_cast<unsigned>(limits::kThreads.most));
}

void check_stop(const Run& run) {
  if (run.stop.stop_requested()) throw Interrupted();
}

namespace {

// Where the system gives no more threads, those there are do the work.
void start(std::vector<std::jthread>& threads, std::size_t count, const std::function<void()>& work) {
  try {
    threads.reserve(count);
    while (threads.size() < count) threads.emplace_back(work);
  } catch (const std::system_error&) {
  }
}

}  // namespace

void parallel_for(std::size_t items, const Run& run, const std::function<void(std::size_t)>& body) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::exception_ptr error;
  std::size_t done = 0;

  const auto work = [&] {
    for (;;) {
      const std::size_t item = next.fetch_add(1);
      if (item >= items || failed) return;
      try {
        check_stop(run);
        body(item);
        if (run.progress) {
          const std::lock_guard lock(mutex);
          run.progress(++done, items);
        }
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        failed = true;
        return;
      }
    }
  };

  const std::size_t team = std::min<std::size_t>(thread_count(run), items);
  {
    std::vector<std::jthread> threads;
    if (team > 1) start(threads, team - 1, work);
    if (items > 0) work();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace cfrules

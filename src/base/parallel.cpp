#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "cfrules/error.h"

namespace cfrules {

unsigned thread_count(const Run& run) {
  return run.threads > 0 ? run.threads : std::max(1u, std::thread::hardware_concurrency());
}

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
        if (run.stop.stop_requested()) throw Interrupted();
        body(item);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        failed = true;
        return;
      }
      if (run.progress) {
        const std::lock_guard lock(mutex);
        run.progress(++done, items);
      }
    }
  };

  const std::size_t team = std::min<std::size_t>(thread_count(run), items);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < team; ++i) threads.emplace_back(work);
    if (items > 0) work();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace cfrules

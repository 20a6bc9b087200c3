// Answers computed by many threads, handed on in order, with only a window of them in memory.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>

#include "base/parallel.h"
#include "cfrules/error.h"

namespace cfrules {

// answer(i) for every i, any thread; sink(answer) one at a time, in the order of i. A thread that is far ahead waits.
template <class Answer>
void in_order(std::size_t items, const Run& run, const std::function<Answer(std::size_t)>& answer,
              const std::function<void(Answer&&)>& sink) {
  const std::size_t window = 64 * std::max(1u, thread_count(run));
  std::mutex mutex;
  std::condition_variable moved;
  std::map<std::size_t, Answer> waiting;
  std::size_t next = 0;
  bool failed = false;
  Run unstopped = run;  // a stop must come through the catch below, or whoever waits there waits for ever
  unstopped.stop = {};
  parallel_for(items, unstopped, [&](std::size_t item) {
    try {
      check_stop(run);
      {
        std::unique_lock lock(mutex);
        moved.wait(lock, [&] { return failed || item < next + window; });
        if (failed) return;
      }
      Answer made = answer(item);
      const std::lock_guard lock(mutex);
      waiting.emplace(item, std::move(made));
      for (auto ready = waiting.find(next); ready != waiting.end() && !failed; ready = waiting.find(next)) {
        sink(std::move(ready->second));
        waiting.erase(ready);
        ++next;
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      failed = true;
      moved.notify_all();
      throw;
    }
    moved.notify_all();
  });
}

}  // namespace cfrules

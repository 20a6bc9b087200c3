// How a long call runs. Nothing in here changes what is computed: results are the same bytes for any thread count.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace cfrules {

struct Run {
  unsigned threads = 0;  // 0: as many as the machine has cores
  std::stop_token stop;  // a requested stop ends the call with Interrupted within a fraction of a second
  // Called now and then from one thread at a time: work done so far, work in all.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

}  // namespace cfrules

// One way to use several cores: a team of threads per call takes items from a shared counter.
#pragma once

#include <cstddef>
#include <functional>

#include "cfrules/run.h"

namespace cfrules {

// Runs body(item) for every item in [0, items). Each item must depend on nothing but its index. The first exception is
// rethrown here; a stop requested through run ends with Interrupted. Progress is told after each item.
void parallel_for(std::size_t items, const Run& run, const std::function<void(std::size_t item)>& body);

[[nodiscard]] unsigned thread_count(const Run& run);

// For work that is done in one piece: throws Interrupted if a stop was requested.
void check_stop(const Run& run);

}  // namespace cfrules

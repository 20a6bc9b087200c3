// What people are taken to want while a model is fitted and the search is tried: nobody has asked for anything yet.
#pragma once

#include <vector>

#include "cfrules/outcome.h"

namespace cfrules {

// Classes: each of the most common ones. Numbers: the fifths of the training outcomes.
[[nodiscard]] std::vector<Target> tried_targets(const Outcome& outcome);

}  // namespace cfrules

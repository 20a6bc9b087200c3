// Whom the search is tried on while a model is fitted, and what they want: nobody has asked for anything yet.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cfrules/outcome.h"

namespace cfrules {

// Classes: each of the most common ones. Numbers: the fifths of the training outcomes.
[[nodiscard]] std::vector<Target> tried_targets(const Outcome& outcome);

// The first so many whose answer is another one.
[[nodiscard]] std::vector<std::size_t> people_outside(const Target& target, std::span<const double> answers,
                                                      std::size_t most);

}  // namespace cfrules

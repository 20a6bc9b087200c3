// What a forest says of one row.
#pragma once

#include <span>

#include "forest/tree.h"

namespace cfrules {

// The mean over the trees of every output; where there is room for one more, also of the first output's square.
void mean_answers(const Forest& forest, std::span<const Code> codes, std::span<double> means);

// What the means decide: the class with the largest share, the first of equals; or the number itself.
[[nodiscard]] double decision(std::span<const double> means, bool numeric);

}  // namespace cfrules

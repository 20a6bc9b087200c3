// Sides of rules in words.
#pragma once

#include <string>

#include "cfrules/explanation.h"

namespace cfrules {

// The range with the word that leads to it: "into [2 000, 5 000)", "to at most 24", "to own".
[[nodiscard]] std::string into_range(const Condition& condition);

// The side as a statement: "age at most 30", "housing is own", "savings in [2 000, 5 000)".
[[nodiscard]] std::string stated_condition(const Condition& condition);

}  // namespace cfrules

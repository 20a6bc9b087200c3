// Sides of rules in words.
#pragma once

#include <string>

#include "cfrules/explanation.h"

namespace cfrules {

// A condition of this kind names values; one of another kind has sides.
[[nodiscard]] bool has_names(Kind kind);

// The condition with sides as they are printed. A side halfway between two neighbouring single-precision numbers comes
// from a library that rounds values to single precision before it compares them: values beyond it are above the one, or
// from the other on, whichever has fewer digits.
[[nodiscard]] Condition as_printed(Condition condition);

// The range with the word that leads to it: "into [2 000, 5 000)", "to at most 24", "to own".
[[nodiscard]] std::string into_range(const Condition& condition);

// The side as a statement: "age at most 30", "housing is own", "savings in [2 000, 5 000)".
[[nodiscard]] std::string stated_condition(const Condition& condition);

// The same for a group of a summary; feature: what it is grouped by.
[[nodiscard]] std::string group_text(const SummaryGroup& group, const std::string& feature);

}  // namespace cfrules

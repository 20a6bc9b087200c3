// How the groups of one feature fare under few rules for all. In: people, the rules and whom they serve. Out: a line
// per group that holds somebody: categories in the order of their codes, or quarters of the training rows; then the
// missing.
#pragma once

#include <span>
#include <vector>

#include "cfrules/explanation.h"
#include "explain/context.h"

namespace cfrules {

// rules: their rows are places in the list of people.
[[nodiscard]] std::vector<SummaryGroup> summary_groups(const Context& context, const Reach& reach, std::size_t feature,
                                                       std::span<const CodedPerson> people,
                                                       std::span<const RegionalRule> rules);

}  // namespace cfrules

// Which of a rule's points come first, by method.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "recourse/place_in_rule.h"

namespace cfrules {

// Distinct points of `cap` donors the person may follow (or all, if fewer): an even stride over the donors, and where
// it meets refused ones further strides between.
[[nodiscard]] std::vector<RulePoint> donor_points(PlaceInRule& place, std::size_t cap);

[[nodiscard]] std::vector<RulePoint> surest_points(PlaceInRule& place);
[[nodiscard]] std::vector<RulePoint> cheapest_points(PlaceInRule& place);
// enough: how many are wanted; a single one rarely needs the donors.
[[nodiscard]] std::vector<RulePoint> nearest_points(PlaceInRule& place, std::size_t enough);

}  // namespace cfrules

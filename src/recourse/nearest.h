// Points a rule has by its sides alone, without asking the training rows for a whole point.
#pragma once

#include <optional>

#include "recourse/place_in_rule.h"

namespace cfrules {

// The person clamped into the rule, feature by feature: the nearest point for l1 and l2 alike, unless constraints
// couple features. Half-open sides: the outermost training value inside for numbers, the next whole number for
// integers. A missing value goes to the donors' median. None if some side holds no value the person may take.
[[nodiscard]] std::optional<RulePoint> clamped_point(PlaceInRule& place);

// The clamped point with every noisy feature where it is least likely to leave its side: midway between two finite
// ends, at the training value farthest from a single one.
[[nodiscard]] std::optional<RulePoint> steadiest_point(PlaceInRule& place);

}  // namespace cfrules

// What must hold of every rule that is printed, whoever found it.
#pragma once

#include <vector>

#include "cfrules/explanation.h"
#include "oracle/boxes.h"
#include "region/move_grid.h"
#include "region/reach.h"
#include "support/world.h"

namespace cfrules::test {

[[nodiscard]] CodeBox box_of(const Rule& rule);

// Are all codes of the box within reach of these people, one by one and together?
[[nodiscard]] bool within_reach(const Reach& reach, const std::vector<const CodedPerson*>& people,
                                const std::vector<std::size_t>& features, const CodeBox& box);

// Moves the person to points of the rule, at training values and between them, and asks which constraint breaks.
void expect_constraints_kept(const World& world, const Reach& reach, const CodedPerson& person, const Rule& rule,
                             RandomStream& random);

void expect_disjoint(const std::vector<Rule>& rules);

}  // namespace cfrules::test

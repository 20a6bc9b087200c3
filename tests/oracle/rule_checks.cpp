#include "oracle/rule_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace cfrules::test {

namespace {

bool printed(const Feature& feature, const Condition& condition, double value) {
  if (!feature.categories.empty()) {
    const std::string& name = feature.categories[static_cast<std::size_t>(value)];
    return std::find(condition.values.begin(), condition.values.end(), name) != condition.values.end();
  }
  return (condition.low_closed ? value >= condition.low : value > condition.low) &&
         (condition.high_closed ? value <= condition.high : value < condition.high);
}

// A training value inside the side, brought onto the feature's steps; none if it has to leave the side for that.
// Implications are promised at training values only, so with them a value off the steps is not moved but refused.
std::optional<double> draw_value(const World& world, const Reach& reach, const Condition& condition,
                                 RandomStream& random) {
  const Feature& feature = world.table.schema()[condition.index];
  for (int tries = 0; tries < 20; ++tries) {
    double value = world.table.value(random.below(world.table.rows()), condition.index);
    if (std::isnan(value)) continue;
    if (const Lattice* lattice = reach.lattice(condition.index)) {
      const double steps = std::round((value - lattice->origin) / lattice->step);
      const double stepped = lattice->origin + steps * lattice->step;
      if (reach.has_implications() && stepped != value) continue;
      value = stepped;
    }
    if (printed(feature, condition, value)) return value;
  }
  return std::nullopt;
}

// Every cell of small boxes, a few thousand of large ones.
bool some_cell(const CodeBox& box, const std::function<bool(const std::vector<Code>&)>& test) {
  std::size_t cells = 1;
  for (const Interval side : box) cells *= side.high - side.low + 1u;
  if (cells < 10'000) return any_cell(box, test);
  RandomStream random = test_stream(3, cells);
  for (int draw = 0; draw < 2000; ++draw) {
    std::vector<Code> cell;
    for (const Interval side : box)
      cell.push_back(static_cast<Code>(side.low + random.below(side.high - side.low + 1u)));
    if (test(cell)) return true;
  }
  return false;
}

}  // namespace

CodeBox box_of(const Rule& rule) {
  CodeBox box;
  for (const Condition& condition : rule.conditions) box.push_back(condition.codes);
  return box;
}

bool within_reach(const Reach& reach, const std::vector<const CodedPerson*>& people,
                  const std::vector<std::size_t>& features, const CodeBox& box) {
  for (const CodedPerson* person : people) {
    for (std::size_t i = 0; i < features.size(); ++i) {
      const std::vector<std::uint8_t> allowed = reach.codes(features[i], person->values[features[i]]);
      for (Code code = box[i].low; code <= box[i].high; ++code)
        if (allowed[code] == 0) return false;
    }
    const auto breaks = [&](const std::vector<Code>& cell) {
      return reach.breaks_implication(person->values, features, cell);
    };
    if (reach.has_implications() && some_cell(box, breaks)) return false;
  }
  return true;
}

void expect_constraints_kept(const World& world, const Reach& reach, const CodedPerson& person, const Rule& rule,
                             RandomStream& random) {
  for (int draw = 0; draw < 10; ++draw) {
    std::vector<double> moved = person.values;
    bool drawn = true;
    for (const Condition& condition : rule.conditions) {
      const std::optional<double> value = draw_value(world, reach, condition, random);
      drawn = drawn && value;
      if (value) moved[condition.index] = *value;
    }
    if (!drawn) continue;
    const std::optional<std::string> broken = reach.violation(person.values, moved);
    EXPECT_FALSE(broken) << *broken;
  }
}

void expect_disjoint(const std::vector<Rule>& rules) {
  for (std::size_t i = 0; i < rules.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(touch(box_of(rules[i]), box_of(rules[j])));
}

}  // namespace cfrules::test

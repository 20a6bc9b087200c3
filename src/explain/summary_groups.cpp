#include "explain/summary_groups.h"

#include <algorithm>
#include <cmath>

#include "explain/condition_writer.h"
#include "explain/moved_rules.h"
#include "region/move_axis.h"

namespace cfrules {

namespace {

constexpr std::size_t kQuarters = 4;

MoveAxis axis_of(const Context& context, std::size_t feature) {
  const bool named = context.schema()[feature].kind == Kind::category;
  const std::size_t bins = named ? context.grid.last_code(feature) : kQuarters;
  return {feature, context.grid, context.values, context.inliers, bins};
}

}  // namespace

std::vector<SummaryGroup> summary_groups(const Context& context, const Reach& reach, std::size_t feature,
                                         std::span<const CodedPerson> people, std::span<const RegionalRule> rules) {
  const MoveAxis axis = axis_of(context, feature);
  std::vector<SummaryGroup> groups(axis.size() + 1);  // the last: missing
  for (std::size_t bin = 0; bin < axis.size(); ++bin)
    groups[bin].who = condition_of(context.schema(), context.grid, feature, axis.codes(bin), kUnknown, context.values);
  for (SummaryGroup& group : groups) group.served_by.assign(rules.size(), 0);
  std::vector<double> cost_sums(groups.size(), 0.0);
  for (std::size_t person = 0; person < people.size(); ++person) {
    const Code code = people[person].codes[feature];
    const std::size_t place = code == kMissing ? axis.size() : axis.bin_of(code);
    SummaryGroup& group = groups[place];
    ++group.people;
    double least = kUnknown;
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
      if (!std::binary_search(rules[rule].rows.begin(), rules[rule].rows.end(), person)) continue;
      ++group.served_by[rule];
      least = std::fmin(least, cost_of_box(context, reach, rules[rule].rule.conditions, people[person].values));
    }
    if (std::isnan(least)) continue;
    ++group.served;
    cost_sums[place] += least;
  }
  for (std::size_t place = 0; place < groups.size(); ++place)
    if (groups[place].served > 0) groups[place].cost = cost_sums[place] / static_cast<double>(groups[place].served);
  std::erase_if(groups, [](const SummaryGroup& group) { return group.people == 0; });
  return groups;
}

}  // namespace cfrules

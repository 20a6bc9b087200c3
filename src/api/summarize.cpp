// Few rules for everybody who needs recourse.
#include <algorithm>

#include "api/impl.h"
#include "base/decimal.h"
#include "base/parallel.h"
#include "base/text.h"
#include "cfrules/error.h"
#include "explain/cover.h"
#include "explain/summary_groups.h"

namespace cfrules {

namespace {

CoverDemand demand_of(const RegionsOptions& options) {
  if (!(options.cover >= 0 && options.cover <= 1))
    throw InputError("cover is " + shortest_decimal(options.cover) + "; it must lie between 0 and 1");
  if (options.max_regions == 0) throw InputError("max-regions is 0; ask for at least one rule");
  if (options.max_rule_features < 1 || options.max_rule_features > 2)
    throw InputError("max-rule-features is " + std::to_string(options.max_rule_features) + "; it must be 1 or 2");
  return {options.cover, options.max_regions, options.max_rule_features};
}

// People with their rows in the table they come from.
struct Crowd {
  std::vector<CodedPerson> people;
  std::vector<std::size_t> rows;
};

std::vector<std::size_t> rows_in_need(const Explainer::Impl& impl, const Table& people,
                                      std::span<const double> outcomes, const Target& target, const Run& run) {
  std::vector<std::uint8_t> needs(people.rows());
  parallel_for(needs.size(), {run.threads, run.stop, {}}, [&](std::size_t row) {
    needs[row] = target.contains(impl.present_outcome(people, outcomes, row)) ? 0 : 1;
  });
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < needs.size(); ++row)
    if (needs[row] != 0) rows.push_back(row);
  return rows;
}

// An even stride of a large crowd speaks for it; all counts of the summary are of the people looked at.
Crowd looked_at(const Explainer::Impl& impl, const Table& people, const std::vector<std::size_t>& rows) {
  constexpr std::size_t kMost = 400;
  const std::size_t count = std::min(rows.size(), kMost);
  Crowd crowd;
  for (std::size_t i = 0; i < count; ++i) {
    crowd.rows.push_back(rows[i * rows.size() / count]);
    crowd.people.push_back(impl.coded(people.row(crowd.rows.back())));
  }
  return crowd;
}

std::optional<std::size_t> group_feature(const RegionsOptions& options, const Schema& schema) {
  if (options.by.empty()) return std::nullopt;
  const std::size_t feature = find_feature(schema, options.by);
  if (feature == schema.size())
    throw InputError("cannot group by " + quote(options.by) + ", which is not a feature of this model");
  return feature;
}

}  // namespace

Summary Explainer::summarize(const Table& people, std::span<const double> outcomes, const Target& target,
                             const RegionsOptions& options, const Run& run) const {
  const CoverDemand demand = demand_of(options);
  const Settings settings = impl_->group_settings(options.explain, target);
  const std::optional<std::size_t> by = group_feature(options, schema());
  const bool training_rows = people.rows() == 0;
  if (!training_rows) impl_->check_schema(people);
  const Table& asked = training_rows ? impl_->model.rows : people;
  const std::span<const double> known = training_rows ? std::span<const double>(impl_->model.outcome.values) : outcomes;
  const Crowd crowd = looked_at(*impl_, asked, rows_in_need(*impl_, asked, known, target, run));
  const std::shared_ptr<const TargetReading> reading = impl_->reading(target, run);
  const Context& context = reading->context;
  const Reach reach(options.explain.constraints, schema(), impl_->model.grid, impl_->values);
  Summary summary{target.names(), crowd.people.size(), 0, options.cover, settings.min_probability, {}, options.by, {}};
  if (crowd.people.empty()) return summary;
  summary.rules = Cover(context, reach, settings, crowd.people, demand, run).choose();
  if (by) summary.groups = summary_groups(context, reach, *by, crowd.people, summary.rules);
  for (RegionalRule& rule : summary.rules) {
    summary.served += rule.served;
    for (std::size_t& row : rule.rows) row = crowd.rows[row];
  }
  return summary;
}

}  // namespace cfrules

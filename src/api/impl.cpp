#include "api/impl.h"

#include <algorithm>
#include <cmath>

#include "base/decimal.h"
#include "base/text.h"
#include "cfrules/error.h"
#include "explain/feature_sets.h"
#include "forest/answers.h"
#include "forest/small_nodes.h"

namespace cfrules {

Explainer::Impl::Impl(Model frozen, const Run& run)
    : model(std::move(frozen)),
      values(model.grid, model.rows, run),
      costs(model.rows, run),
      conditional(model.forest, model.codes, model.weights),
      moves(model.grid, values, model.inliers, model.codes, model.weights) {
  model.forest.small_trees = small_nodes(model.forest.trees);
}

CodedPerson Explainer::Impl::coded(std::span<const double> row) const {
  CodedPerson person{{row.begin(), row.end()}, model.grid.codes(row), {}};
  for (std::size_t feature = 0; feature < row.size(); ++feature)
    person.isolation_codes.push_back(
        model.inliers.cuts().code_of_position(feature, model.grid.position(feature, row[feature])));
  return person;
}

std::vector<double> Explainer::Impl::class_shares(std::span<const Code> codes) const {
  std::vector<double> shares(model.forest.outputs);
  mean_answers(model.forest, codes, shares);
  return shares;
}

double Explainer::Impl::decision(std::span<const double> shares) const {
  return cfrules::decision(shares, model.outcome.numeric());
}

double Explainer::Impl::predict(std::span<const Code> codes) const { return decision(class_shares(codes)); }

CalibrationMap Explainer::Impl::map(const Target& target, const AuditReading& audit, const Run& run) const {
  if (model.calibration.cases() > 0)
    return CalibrationMap::fit(model.calibration, target, run).corrected(audit.shift());
  const bool decides = model.settings.imported && model.outcome.classes.size() == 2;
  return decides ? CalibrationMap::decision(target) : CalibrationMap::identity(target);
}

Context Explainer::Impl::context(const TargetForest& forest, const Run& run) const {
  conditional.prepare(run);
  return {model.rows, model.grid, model.codes, model.weights, values, model.inliers, costs, conditional, forest, moves, conditional.mark(forest.hits())};
}

namespace {

void check_share(double value, const char* name) {
  if (!(value >= 0 && value <= 1)) throw InputError(std::string(name) + " is " + shortest_decimal(value) + "; it must lie between 0 and 1");
}

}  // namespace

Settings Explainer::Impl::settings(const ExplainOptions& options) const {
  const bool observed = model.settings.labels == Labels::observed;
  Settings settings;
  settings.search = options.search.value_or(model.settings.paper ? Search::divergent : Search::sparsest);
  settings.estimator = options.estimator.value_or(model.settings.paper ? Estimator::paper : Estimator::moved);
  settings.pi = options.pi;
  settings.min_probability = std::isnan(options.min_probability) ? (observed && !model.settings.paper ? 0.8 : 0.9) : options.min_probability;
  settings.floor = std::isnan(options.floor) ? std::max(0.0, settings.min_probability - (observed ? 0.1 : 0.0)) : options.floor;
  check_share(settings.pi, "pi");
  check_share(settings.min_probability, "min-probability");
  check_share(settings.floor, "floor");
  check_share(options.min_mass, "min-mass");
  if (options.max_features == 0) throw InputError("max-features is 0; at least one feature must be allowed to change");
  if (options.rules == 0) throw InputError("rules is 0; ask for at least one rule");
  if (options.verify && (settings.search != Search::sparsest || settings.estimator != Estimator::moved))
    throw InputError("rules are verified by the sparsest search with the moved estimator only, not by search '" +
                     std::string(name_of(settings.search)) + "' with estimator '" +
                     std::string(name_of(settings.estimator)) + "'");
  settings.min_mass = options.min_mass;
  settings.max_features = options.max_features;
  settings.rules = options.rules;
  settings.min_rows = std::max<std::size_t>(1, options.min_rows);
  settings.all_sets = options.all_sets;
  settings.path_sets = options.path_sets;
  settings.work_limit = options.work_limit;
  settings.seed = options.seed;
  for (const std::string& name : options.candidate_features) {
    const std::size_t feature = find_feature(model.rows.schema(), name);
    if (feature == model.rows.features()) throw InputError("candidate feature " + quote(name) + " is not a feature of this model");
    settings.candidates.push_back(feature);
  }
  if (settings.candidates.empty()) {
    // Features that may not change would only take places: they are left out before the leading ones are counted.
    std::vector<double> rank = options.rank_by_splits ? model.forest.split_counts : model.forest.importance;
    for (const FeatureConstraint& constraint : options.constraints.features) {
      const std::size_t feature = find_feature(model.rows.schema(), constraint.feature);
      if (feature < rank.size() && constraint.direction == Direction::immutable) rank[feature] = -1;
    }
    settings.candidates = leading_features(rank, options.candidates);
  }
  return settings;
}

Settings Explainer::Impl::group_settings(const ExplainOptions& options, const Target& target) const {
  if (options.verify) throw InputError("only rules of single people are verified, not those of groups");
  return settings(options, target);
}

ExplainOptions Explainer::Impl::with_promise(const ExplainOptions& options, const Target& target) const {
  ExplainOptions settled = options;
  if (std::isnan(options.promise)) return settled;
  const auto refuse = [&](const std::string& why) {
    throw InputError("a success of " + shortest_decimal(options.promise) + " cannot be promised with confidence " +
                     shortest_decimal(options.confidence) + ": " + why);
  };
  if (!std::isnan(options.min_probability)) throw InputError("give either a promise or a min-probability, not both");
  if (settings(options).estimator != Estimator::moved) refuse("only the moved reading is audited");
  const AuditReading audit = audit_reading(target);
  if (audit.empty()) refuse("this model was not audited for " + quote_list(target.names()));
  const auto kept = audit.promise(options.promise, options.confidence);
  if (!kept) {
    std::string seen;
    for (const PromiseTrial& trial : audit.trials())
      seen += (seen.empty() ? "" : ", ") + std::to_string(trial.hits) + " of " + std::to_string(trial.found) + " at " +
              shortest_decimal(std::round(trial.threshold * 1000) / 1000);
    refuse("the audit saw rules come true for " + seen + "; promise less, or audit more people when fitting");
  }
  settled.promise = kUnknown;
  settled.min_probability = kept->threshold;
  return settled;
}

void Explainer::Impl::check_schema(const Table& people) const {
  if (people.schema() == model.rows.schema()) return;
  for (const Feature& feature : model.rows.schema())
    if (find_feature(people.schema(), feature.name) == people.features())
      throw InputError("the people have no column " + quote(feature.name) + ", which the model was trained with");
  throw InputError("the people's columns differ from the model's in order, kind or categories");
}

double Explainer::Impl::present_outcome(const Table& people, std::span<const double> outcomes, std::size_t row) const {
  if (row < outcomes.size() && !std::isnan(outcomes[row])) return outcomes[row];
  return predict(model.grid.codes(people.row(row)));
}

Interval Explainer::Impl::codes_of_side(const SideSpec& side, std::size_t feature) const {
  const Feature& about = model.rows.schema()[feature];
  const auto refuse = [&](const std::string& why) -> Interval { throw InputError("region: feature " + quote(about.name) + " " + why); };
  if (side.what == SideSpec::What::free) return model.grid.everything(feature);
  if (side.what == SideSpec::What::names) {
    std::vector<std::uint8_t> taken(model.grid.last_code(feature) + 1u, 0);
    for (const std::string& name : side.allowed.values) {
      const auto found = std::find(about.categories.begin(), about.categories.end(), name);
      if (found == about.categories.end()) return refuse("has no category " + quote(name));
      taken[model.grid.code(feature, static_cast<double>(found - about.categories.begin()))] = 1;
    }
    const auto first = std::find(taken.begin(), taken.end(), 1);
    const auto last = std::find(taken.rbegin(), taken.rend(), 1).base();
    if (first == taken.end()) return refuse("is given no category");
    if (std::find(first, last, 0) != last) return refuse("is given categories that are not neighbours in the model's order of them");
    return {static_cast<Code>(first - taken.begin()), static_cast<Code>(last - taken.begin() - 1)};
  }
  if (about.kind == Kind::category) return refuse("is a category; give a list of its names, not a range");
  const double infinity = std::numeric_limits<double>::infinity();
  const double low = side.low_open ? std::nextafter(side.allowed.low, infinity) : side.allowed.low;
  const double high = side.high_open ? std::nextafter(side.allowed.high, -infinity) : side.allowed.high;
  if (low > high) return refuse("is given a range that holds no value");
  return {std::max<Code>(1, model.grid.code(feature, low)), model.grid.code(feature, high)};
}

Region Explainer::Impl::region(const RegionSpec& spec, std::span<const double> row) const {
  Region region = row.empty() ? Region::everything(model.grid) : Region::at(model.grid.codes(row));
  if (!row.empty() && spec.others == SideSpec::What::free) region = Region::everything(model.grid);
  for (const SideSpec& side : spec.sides) {
    const std::size_t feature = find_feature(model.rows.schema(), side.feature);
    if (feature == model.rows.features()) throw InputError("region: " + quote(side.feature) + " is not a feature of this model");
    if (side.what == SideSpec::What::fixed) {
      if (row.empty()) throw InputError("region: feature " + quote(side.feature) + " is fixed, but there is no row to take its value from");
      region.fix(feature, model.grid.code(feature, row[feature]));
    } else if (side.what == SideSpec::What::free) {
      region.free(feature, model.grid);
    } else {
      region.limit(feature, codes_of_side(side, feature));
    }
  }
  return region;
}

}  // namespace cfrules

#include "problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cfrules::fuzz {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kExtremes[] = {1e308, -1e308, 1e-308, -1e-308, 5e-324, -0.0, 9007199254740993.0, 1e15, -1e15, 0.1};

double cell(ByteFeed& feed, const Feature& feature, bool extreme) {
  const std::uint8_t byte = feed.byte();
  if (byte == 255) return kNaN;
  if (feature.kind == Kind::boolean) return byte % 2;
  if (feature.kind == Kind::category) return static_cast<double>(byte % feature.categories.size());
  if (extreme && byte >= 200) {
    const double value = kExtremes[byte % std::size(kExtremes)];
    return feature.kind == Kind::integer ? std::trunc(value) : value;
  }
  return feature.kind == Kind::integer ? byte % 32 - 5.0 : byte % 64 / 4.0;
}

double weight_of(ByteFeed& feed, bool extreme) {
  constexpr double kWeights[] = {0, 0.5, 1, 1.5, 1e15, 5e-324, 1e-300, 1e9};
  return kWeights[feed.below(extreme ? std::size(kWeights) : 4)];
}

Feature feature_of(ByteFeed& feed, std::size_t index) {
  Feature feature{"x" + std::to_string(index), static_cast<Kind>(feed.below(4)), {}};
  if (feature.kind == Kind::boolean) feature.categories = {"no", "yes"};
  if (feature.kind == Kind::category)
    for (std::size_t i = 0; i < 1 + index * 2; ++i) feature.categories.push_back("c" + std::to_string(i));
  return feature;
}

Outcome outcome_of(ByteFeed& feed, std::size_t rows, bool extreme) {
  Outcome outcome{"y", {}, {}};
  const std::size_t classes = feed.below(4) == 0 ? 0 : 2 + feed.below(3);
  for (std::size_t i = 0; i < classes; ++i) outcome.classes.push_back("k" + std::to_string(i));
  const Feature number{"y", Kind::number, {}};
  for (std::size_t row = 0; row < rows; ++row) {
    const double value = classes == 0 ? cell(feed, number, extreme) : static_cast<double>(feed.below(classes));
    outcome.values.push_back(std::isnan(value) ? 0 : value);
  }
  return outcome;
}

FitOptions fit_of(ByteFeed& feed, const Outcome& outcome) {
  FitOptions options;
  options.labels = feed.flip() ? Labels::predicted : Labels::observed;
  options.paper = feed.below(8) == 7;
  options.trees = 1 + feed.below(7);
  options.depth = feed.below(5);
  options.min_leaf = feed.below(5);
  options.features_per_split = feed.below(4);
  options.cuts = feed.flip() ? 255 : 3 + feed.below(16);
  options.bootstrap = feed.flip();
  options.subsample = std::max(0.1, feed.share());
  options.estimate = static_cast<EstimateOn>(feed.below(3));
  options.isolation_trees = 1 + feed.below(8);
  options.seed = feed.byte();
  if (feed.below(6) == 5)
    for (std::size_t i = 0; i < outcome.classes.size(); ++i) options.class_weights.push_back(0.25 + feed.share());
  return options;
}

AllowedValues allowed_of(ByteFeed& feed, const Feature& feature) {
  AllowedValues allowed;
  if (!feature.categories.empty()) {
    for (const std::string& name : feature.categories)
      if (feed.flip()) allowed.values.push_back(name);
    if (allowed.values.empty()) allowed.values.push_back(feature.categories.front());
    return allowed;
  }
  if (feed.flip()) allowed.low = feed.whole_below(16);
  if (feed.flip()) allowed.high = 4 + feed.whole_below(24);
  return allowed;
}

FeatureConstraint constraint_of(ByteFeed& feed, const Feature& feature) {
  FeatureConstraint constraint;
  constraint.feature = feature.name;
  constraint.direction = static_cast<Direction>(feed.below(4));
  if (feed.flip()) constraint.allowed = allowed_of(feed, feature);
  if (feed.below(4) == 3)
    constraint.step = feature.kind == Kind::integer ? 1 + feed.whole_below(4) : 0.25 * (1 + feed.whole_below(8));
  if (feed.below(4) == 3) constraint.cost = feed.share();
  return constraint;
}

Constraints constraints_of(ByteFeed& feed, const Schema& schema) {
  Constraints constraints;
  for (const Feature& feature : schema)
    if (feed.below(3) == 2) constraints.features.push_back(constraint_of(feed, feature));
  if (schema.size() > 2 && feed.below(4) == 3) constraints.linked = {{schema[0].name, schema[2].name}};
  if (schema.size() > 1 && feed.below(4) == 3)
    constraints.implies = {
        {{{schema[1].name, allowed_of(feed, schema[1])}}, {{schema[0].name, allowed_of(feed, schema[0])}}}};
  constraints.max_changes = feed.below(4);
  return constraints;
}

ExplainOptions ask_of(ByteFeed& feed, const Schema& schema) {
  ExplainOptions options;
  options.search = feed.flip() ? Search::divergent : Search::sparsest;
  options.estimator = static_cast<Estimator>(feed.below(4));
  options.pi = feed.share();
  options.min_probability = feed.share();
  if (feed.flip()) options.floor = options.min_probability * feed.share();
  options.min_mass = feed.flip() ? 0 : 0.02;
  options.candidates = 1 + feed.below(5);
  options.rank_by_splits = feed.flip();
  options.max_features = 1 + feed.below(3);
  options.rules = 1 + feed.below(3);
  options.min_rows = feed.below(8);
  options.all_sets = feed.flip();
  options.path_sets = feed.below(3) == 2 ? 20 : 0;
  options.work_limit = 1 + 8 * feed.byte();
  options.recourse.method = static_cast<RecourseMethod>(feed.below(4));
  options.recourse.per_rule = feed.below(3);
  options.recourse.steps = 30;
  options.recourse.l2 = feed.flip();
  if (feed.below(4) == 3) options.recourse.noise = {feed.share()};
  if (!options.recourse.noise.empty() && feed.flip()) options.recourse.max_invalid = feed.share();
  options.seed = feed.byte();
  if (feed.flip()) options.constraints = constraints_of(feed, schema);
  return options;
}

}  // namespace

Problem problem_of(ByteFeed& feed) {
  Problem problem;
  problem.extreme = feed.below(4) == 3;
  const std::size_t features = 1 + feed.below(5);
  const std::size_t rows = 2 + feed.below(40);
  Schema schema;
  for (std::size_t i = 0; i < features; ++i) schema.push_back(feature_of(feed, i));
  problem.fit = fit_of(feed, {});
  problem.ask = ask_of(feed, schema);
  const bool weighted = feed.below(4) == 3;
  problem.outcome = outcome_of(feed, rows, problem.extreme);
  std::vector<std::vector<double>> columns(features);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < features; ++i) columns[i].push_back(cell(feed, schema[i], problem.extreme));
    if (weighted) problem.weights.push_back(weight_of(feed, problem.extreme));
  }
  problem.table = Table(std::move(schema), std::move(columns));
  return problem;
}

Target target_of(ByteFeed& feed, const Outcome& outcome) {
  if (!outcome.numeric()) return Target::of_classes({outcome.classes[feed.below(outcome.classes.size())]}, outcome);
  const double one = outcome.values[feed.below(outcome.rows())];
  const double other = outcome.values[feed.below(outcome.rows())];
  return Target::of_interval(std::min(one, other), std::max(one, other), outcome);
}

}  // namespace cfrules::fuzz

#include "options.h"

#include <cmath>

#include "option_reader.h"

namespace cfrules::python {
namespace {

const std::vector<std::pair<std::string, Estimator>> kEstimators = {{"moved", Estimator::moved},
                                                                    {"paper", Estimator::paper},
                                                                    {"union", Estimator::leaf_union},
                                                                    {"inside", Estimator::inside}};

ColumnHint hint_of(nb::handle given) {
  OptionReader reader(nb::cast<nb::dict>(given));
  ColumnHint hint;
  reader.read("name", hint.name);
  reader.choose<Kind>(
      "kind", hint.kind,
      {{"number", Kind::number}, {"integer", Kind::integer}, {"boolean", Kind::boolean}, {"category", Kind::category}});
  reader.read("categories", hint.categories);
  reader.read("missing", hint.missing);
  reader.finish();
  return hint;
}

std::vector<double> noise_of(nb::handle given, const Schema& schema) {
  double all = 0;
  if (nb::try_cast<double>(given, all)) return {all};
  nb::dict by_name;
  if (!nb::try_cast<nb::dict>(given, by_name))
    throw InputError("noise is " + nb::cast<std::string>(nb::repr(given)) +
                     "; allowed: a number of at least 0, or {feature: number}");
  std::vector<double> noise(schema.size(), kUnknown);
  for (const auto& [key, value] : by_name) {
    const auto name = nb::cast<std::string>(key);
    const std::size_t feature = find_feature(schema, name);
    if (feature == schema.size()) throw InputError("noise names \"" + name + "\", which is not a feature of the model");
    noise[feature] = nb::cast<double>(value);
  }
  return noise;
}

void read_recourse(OptionReader& reader, const Schema& schema, RecourseOptions& options) {
  reader.choose<RecourseMethod>("method", options.method,
                                {{"surest", RecourseMethod::surest},
                                 {"nearest", RecourseMethod::nearest},
                                 {"cheapest", RecourseMethod::cheapest},
                                 {"annealing", RecourseMethod::annealing}});
  reader.read("recourses", options.per_rule);
  if (const nb::object noise = reader.take("noise"); noise.is_valid()) options.noise = noise_of(noise, schema);
  reader.read("max_invalid", options.max_invalid);
  reader.read("l2", options.l2);
  reader.read("steps", options.steps);
  if (!std::isnan(options.max_invalid) && options.noise.empty()) throw InputError("max_invalid needs noise");
}

void read_search(OptionReader& reader, ExplainOptions& options) {
  reader.choose<Search>("search", options.search, {{"sparsest", Search::sparsest}, {"divergent", Search::divergent}});
  reader.choose<Estimator>("estimator", options.estimator, kEstimators);
  reader.read("pi", options.pi);
  reader.read("min_probability", options.min_probability);
  reader.read("promise", options.promise);
  reader.read("confidence", options.confidence);
  reader.read("floor", options.floor);
  reader.read("min_mass", options.min_mass);
  reader.read("candidates", options.candidates);
  reader.read("candidate_features", options.candidate_features);
  reader.read("rank_by_splits", options.rank_by_splits);
  reader.read("max_features", options.max_features);
  reader.read("rules", options.rules);
  reader.read("min_rows", options.min_rows);
  reader.read("all_sets", options.all_sets);
  reader.read("path_sets", options.path_sets);
  reader.read("work_limit", options.work_limit);
}

}  // namespace

FrameOptions frame_options(const nb::dict& given) {
  OptionReader reader(given);
  FrameOptions options;
  if (const nb::object hints = reader.take("hints"); hints.is_valid())
    for (const nb::handle hint : hints) options.hints.push_back(hint_of(hint));
  reader.read("missing", options.missing);
  reader.read("unseen_as_missing", options.unseen_as_missing);
  reader.read("classes", options.classes);
  reader.finish();
  return options;
}

FitOptions fit_options(const nb::dict& given) {
  OptionReader reader(given);
  FitOptions options;
  reader.choose<Labels>("labels", options.labels,
                        {{"observed", Labels::observed},
                         {"predicted", Labels::predicted},
                         {"memorised", Labels::memorised},
                         {"model", Labels::model},
                         {"trees", Labels::trees}});
  reader.choose<bool>("preset", options.paper, {{"paper", true}});
  reader.read("trees", options.trees);
  reader.read("depth", options.depth);
  reader.read("min_leaf", options.min_leaf);
  reader.read("features_per_split", options.features_per_split);
  reader.read("cuts", options.cuts);
  reader.read("bootstrap", options.bootstrap);
  reader.read("subsample", options.subsample);
  reader.read("class_weights", options.class_weights);
  reader.choose<EstimateOn>("estimate", options.estimate,
                            {{"all", EstimateOn::all}, {"oob", EstimateOn::oob}, {"honest", EstimateOn::honest}});
  reader.read("isolation_trees", options.isolation_trees);
  reader.read("generated", options.generated);
  reader.read("rounds", options.rounds);
  reader.read("audit", options.audit);
  reader.read("seed", options.seed);
  reader.finish();
  return options;
}

ExplainOptions explain_options(const nb::dict& given, const Schema& schema) {
  OptionReader reader(given);
  ExplainOptions options;
  read_search(reader, options);
  read_recourse(reader, schema, options.recourse);
  std::string constraints;
  reader.read("constraints", constraints);
  if (!constraints.empty()) options.constraints = Constraints::parse(constraints, "constraints");
  reader.read("seed", options.seed);
  reader.finish();
  return options;
}

RegionsOptions regions_options(const nb::dict& given, const Schema& schema) {
  OptionReader reader(given);
  RegionsOptions options;
  reader.read("cover", options.cover);
  reader.read("max_regions", options.max_regions);
  reader.read("max_rule_features", options.max_rule_features);
  reader.read("by", options.by);
  options.explain = explain_options(reader.left(), schema);
  return options;
}

SufficientOptions sufficient_options(const nb::dict& given) {
  OptionReader reader(given);
  SufficientOptions options;
  reader.read("pi", options.pi);
  reader.read("max_features", options.max_features);
  reader.read("candidates", options.candidates);
  reader.read("min_rows", options.min_rows);
  reader.read("all", options.all);
  reader.read("rules", options.rules);
  reader.finish();
  return options;
}

Estimator estimator_named(const std::string& name) {
  for (const auto& [word, estimator] : kEstimators)
    if (word == name) return estimator;
  throw InputError("estimator is '" + name + "'; allowed: moved, paper, union, inside");
}

Target target_of(nb::handle target, const Outcome& outcome) {
  if (nb::isinstance<nb::str>(target)) return Target::parse(nb::cast<std::string>(target), outcome);
  if (!nb::isinstance<nb::tuple>(target))
    return Target::of_classes(nb::cast<std::vector<std::string>>(target), outcome);
  const auto sides = nb::cast<nb::tuple>(target);
  return Target::of_interval(nb::cast<double>(sides[0]), nb::cast<double>(sides[1]), outcome);
}

}  // namespace cfrules::python

// Saving, loading, and what a model says of itself.
#include <algorithm>
#include <cmath>
#include <mutex>

#include "api/impl.h"
#include "base/json.h"
#include "cfrules/explainer.h"
#include "cfrules/version.h"
#include "io/model_file.h"

namespace cfrules {

Explainer Explainer::load(const std::string& path, const Run& run) {
  return Explainer(std::make_unique<const Impl>(load_model(path, run), Run{run.threads, run.stop, {}}));
}

void Explainer::save(const std::string& path, bool overwrite, const Run& run) const {
  save_model(impl_->model, path, overwrite, run);
}

std::string Explainer::checksum(const Run& run) const {
  std::call_once(impl_->checksum_once, [&] { impl_->checksum = model_checksum(impl_->model, run); });
  return impl_->checksum;
}

namespace {

void write_features(JsonWriter& json, const Model& model) {
  json.key("features").begin_array();
  for (std::size_t feature = 0; feature < model.rows.features(); ++feature) {
    const Feature& about = model.rows.schema()[feature];
    std::size_t missing = 0;
    for (const double value : model.rows.column(feature)) missing += std::isnan(value) ? 1 : 0;
    json.begin_object().key("name").value(about.name).key("kind").value(name_of(about.kind));
    json.key("codes").value(static_cast<std::size_t>(model.grid.last_code(feature)));
    json.key("missing").value(missing);
    json.key("importance").value(model.forest.importance[feature]);
    if (about.kind == Kind::category) {
      json.key("order").begin_array();
      for (const std::uint32_t category : model.grid.categories(feature, model.grid.all_values(feature))) json.value(about.categories[category]);
      json.end_array();
    }
    json.end_object();
  }
  json.end_array();
}

void write_outcome(JsonWriter& json, const Model& model) {
  json.key("outcome").begin_object().key("name").value(model.outcome.name);
  json.key("kind").value(model.outcome.numeric() ? "number" : "class");
  if (model.outcome.numeric()) {
    const auto [low, high] = std::minmax_element(model.outcome.values.begin(), model.outcome.values.end());
    json.key("low").value(*low).key("high").value(*high);
  } else {
    json.key("classes").begin_array();
    for (std::size_t label = 0; label < model.outcome.classes.size(); ++label) {
      std::size_t rows = 0;
      for (const double value : model.outcome.values) rows += value == static_cast<double>(label) ? 1 : 0;
      json.begin_object().key("name").value(model.outcome.classes[label]).key("rows").value(rows).end_object();
    }
    json.end_array();
  }
  json.end_object();
}

void write_forest(JsonWriter& json, const Model& model) {
  const ModelSettings& settings = model.settings;
  std::size_t leaves = 0;
  for (const Tree& tree : model.forest.trees) leaves += tree.leaves();
  json.key("forest").begin_object();
  json.key("imported").value(settings.imported).key("trees").value(model.forest.trees.size()).key("leaves").value(leaves);
  json.key("depth").value(settings.depth).key("min_leaf").value(settings.min_leaf).key("cuts").value(settings.cuts);
  json.key("features_per_split").value(settings.features_per_split).key("bootstrap").value(settings.bootstrap);
  json.key("subsample").value(settings.subsample).key("estimate").value(name_of(settings.estimate));
  json.key("out_of_bag_score").value(settings.out_of_bag_score).end_object();
}

// Per target: the correction the audit asks for, and what became of its rules at each threshold.
void write_audit(JsonWriter& json, const Explainer::Impl& impl) {
  const Audit& audit = impl.model.audit;
  if (audit.empty()) {
    json.key("audit").null();
    return;
  }
  json.key("audit").begin_object().key("judge").value(audit.judge).key("targets").begin_array();
  for (const std::string& name : audit.targets) {
    const Target target = audited_target(name, impl.model.outcome);
    const AuditReading reading = impl.audit_reading(target);
    json.begin_object().key("target").value(name);
    json.key("intercept").value(reading.shift().intercept).key("slope").value(reading.shift().slope);
    json.key("thresholds").begin_array();
    for (const PromiseTrial& trial : reading.trials()) {
      json.begin_object().key("threshold").value(trial.threshold).key("people").value(trial.people);
      json.key("found").value(trial.found).key("stated").value(trial.stated).key("came_true").value(trial.came_true);
      json.key("hits").value(trial.hits).key("distance").value(trial.distance).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

}  // namespace

std::string Explainer::inspect() const {
  const Model& model = impl_->model;
  JsonWriter json(true);
  json.begin_object().key("schema").value("cfrules.model/1").key("version").value(model.settings.version);
  json.key("model").value(checksum()).key("rows").value(model.rows.rows()).key("weighted").value(!model.weights.empty());
  write_outcome(json, model);
  write_features(json, model);
  write_forest(json, model);
  json.key("isolation_forest").begin_object().key("trees").value(model.inliers.trees().size());
  json.key("sample").value(model.inliers.sample()).end_object();
  json.key("labels").value(name_of(model.settings.labels)).key("preset").value(model.settings.paper ? "paper" : "default");
  json.key("calibration").begin_object().key("source").value(model.calibration.source).key("cases").value(model.calibration.cases());
  json.key("maps").begin_array();
  if (!model.outcome.numeric() && model.calibration.cases() > 0)
    for (const std::string& label : model.outcome.classes) {
      const Target target = Target::of_classes({label}, model.outcome);
      const CalibrationMap map = impl_->map(target, impl_->audit_reading(target));
      json.begin_object().key("target").value(label).key("intercept").value(map.intercept()).key("slope").value(map.slope()).end_object();
    }
  json.end_array().end_object();
  write_audit(json, *impl_);
  json.key("seed").value(static_cast<std::size_t>(model.settings.seed));
  json.end_object();
  return json.take();
}

std::string Explainer::provenance(const ExplainOptions& options, const Run& run) const {
  const Settings settings = impl_->settings(options);
  JsonWriter json;
  json.begin_object().key("version").value(version()).key("model").value(checksum(run));
  json.key("seed").value(static_cast<std::size_t>(settings.seed)).key("settings").begin_object();
  json.key("labels").value(name_of(impl_->model.settings.labels)).key("calibrated_on").value(impl_->model.calibration.source);
  json.key("pi").value(settings.pi).key("min_probability").value(settings.min_probability).key("floor").value(settings.floor);
  json.key("min_mass").value(settings.min_mass).key("max_features").value(settings.max_features).key("rules").value(settings.rules);
  json.key("verified").value(static_cast<bool>(options.verify));
  json.key("min_rows").value(settings.min_rows).key("work_limit").value(settings.work_limit).key("candidates").begin_array();
  for (const std::size_t feature : settings.candidates) json.value(schema()[feature].name);
  json.end_array().end_object().end_object();
  return json.take();
}

ExplainOptions Explainer::with_promise(const ExplainOptions& options, const Target& target) const {
  return impl_->with_promise(options, target);
}

std::string Explainer::probability_note(const ExplainOptions& options) const {
  const Settings settings = impl_->settings(options);
  if (settings.estimator != Estimator::moved)
    return "Probability: share of similar people in the rule who have the outcome (estimator '" + std::string(name_of(settings.estimator)) +
           "', not calibrated).";
  const std::string meant = impl_->model.settings.labels == Labels::observed ? "what happened" : "what the model decides";
  if (options.verify)
    return "Probability: chance that the person who moves gets the outcome, by the model itself, asked about points of each rule.";
  const CalibrationSample& sample = impl_->model.calibration;
  if (sample.cases() == 0) return "Probability: chance that the person who moves gets the outcome, by the forest's own trees (" + meant + ").";
  std::string note = "Probability: chance that the person who moves gets the outcome (" + meant + "), calibrated on " +
                     std::to_string(sample.cases()) + " " + sample.source;
  const Audit& audit = impl_->model.audit;
  if (!audit.empty()) note += "; intervals by an audit at fit time (" + audit.judge + ")";
  return note + ".";
}

}  // namespace cfrules

#include "io/model_metadata.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/json.h"
#include "base/limits.h"
#include "cfrules/error.h"
#include "io/json_checks.h"

namespace cfrules {
namespace {

constexpr std::array kKinds = {Kind::number, Kind::integer, Kind::boolean, Kind::category};
constexpr std::array kLabels = {Labels::observed, Labels::predicted, Labels::memorised, Labels::model, Labels::trees};
constexpr std::array kEstimates = {EstimateOn::all, EstimateOn::oob, EstimateOn::honest};

// JSON readers take numbers for doubles, which hold whole numbers up to here; larger ones are written as text.
constexpr auto kLargestWhole = static_cast<double>(limits::kWholeNumber.most);

void write_whole(JsonWriter& out, std::string_view key, std::uint64_t number) {
  out.key(key);
  if (static_cast<double>(number) < kLargestWhole)
    out.raw(std::to_string(number));
  else
    out.value(std::to_string(number));
}

void write_names(JsonWriter& out, std::string_view key, const std::vector<std::string>& names) {
  out.key(key).begin_array();
  for (const std::string& name : names) out.value(name);
  out.end_array();
}

void write_features(JsonWriter& out, const Schema& schema) {
  out.key("features").begin_array();
  for (const Feature& feature : schema) {
    out.begin_object().key("name").value(feature.name).key("kind").value(name_of(feature.kind));
    write_names(out, "categories", feature.categories);
    out.end_object();
  }
  out.end_array();
}

void write_settings(JsonWriter& out, const ModelSettings& settings) {
  out.key("settings").begin_object();
  out.key("version").value(settings.version);
  out.key("labels").value(name_of(settings.labels));
  out.key("paper").value(settings.paper);
  out.key("imported").value(settings.imported);
  write_whole(out, "trees", settings.trees);
  write_whole(out, "depth", settings.depth);
  write_whole(out, "min_leaf", settings.min_leaf);
  write_whole(out, "features_per_split", settings.features_per_split);
  write_whole(out, "cuts", settings.cuts);
  out.key("bootstrap").value(settings.bootstrap);
  out.key("subsample").value(settings.subsample);
  out.key("class_weights").begin_array();
  for (const double weight : settings.class_weights) out.value(weight);
  out.end_array();
  out.key("estimate").value(name_of(settings.estimate));
  write_whole(out, "seed", settings.seed);
  out.key("out_of_bag_score").value(settings.out_of_bag_score);
  out.end_object();
}

// May be empty.
const std::string& text_at(const JsonPlace& place) {
  const std::string* text = place.value.string();
  if (text == nullptr) place.refuse("it must be text");
  return *text;
}

// An object whose keys are exactly those asked for.
class Members {
 public:
  Members(const JsonPlace& place, std::initializer_list<std::string_view> keys) : place_(place) {
    static_cast<void>(require_object(place, "it must be an object"));
    require_keys(place, keys);
  }

  [[nodiscard]] JsonPlace at(std::string_view key) const {
    const Json* value = place_.value.find(key);
    if (value == nullptr)
      throw InputError(std::string(place_.source) + ": the key '" + std::string(key) + "' is missing");
    return place_.inside(*value, key);
  }
  [[nodiscard]] std::string text(std::string_view key) const { return text_at(at(key)); }
  [[nodiscard]] bool flag(std::string_view key) const { return require_boolean(at(key)); }
  [[nodiscard]] double number(std::string_view key) const { return require_number(at(key), "it must be a number"); }

  template <class Whole>
  [[nodiscard]] Whole whole(std::string_view key) const {
    const JsonPlace place = at(key);
    Whole result = 0;
    if (const std::string* text = place.value.string()) {
      const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), result);
      if (error == std::errc() && end == text->data() + text->size()) return result;
    } else if (const double* number = place.value.number()) {
      if (*number >= 0 && *number < kLargestWhole && *number == std::trunc(*number)) return static_cast<Whole>(*number);
    }
    place.refuse("it must be a whole number of at least 0");
  }

  template <class Enum, std::size_t count>
  [[nodiscard]] Enum one_of(std::string_view key, const std::array<Enum, count>& values) const {
    const JsonPlace place = at(key);
    const std::string& name = text_at(place);
    for (const Enum value : values)
      if (name_of(value) == name) return value;
    place.refuse("it is none of the words this program knows");
  }

  [[nodiscard]] std::vector<std::string> names(std::string_view key) const {
    const JsonPlace place = at(key);
    std::vector<std::string> result;
    for (const Json& item : require_array(place, "it must be a list of names"))
      result.push_back(text_at(place.item(item, result.size())));
    return result;
  }

  [[nodiscard]] std::vector<double> numbers(std::string_view key) const {
    const JsonPlace place = at(key);
    std::vector<double> result;
    for (const Json& item : require_array(place, "it must be a list of numbers"))
      result.push_back(require_number(place.item(item, result.size()), "it must be a number"));
    return result;
  }

 private:
  const JsonPlace& place_;
};

Schema read_features(const JsonPlace& place) {
  Schema schema;
  for (const Json& item : require_array(place, "it must be a list of features")) {
    const JsonPlace here = place.item(item, schema.size());
    const Members feature(here, {"name", "kind", "categories"});
    schema.push_back({feature.text("name"), feature.one_of("kind", kKinds), feature.names("categories")});
  }
  return schema;
}

ModelSettings read_settings(const JsonPlace& place) {
  const Members from(
      place, {"version", "labels", "paper", "imported", "trees", "depth", "min_leaf", "features_per_split", "cuts",
              "bootstrap", "subsample", "class_weights", "estimate", "seed", "out_of_bag_score"});
  ModelSettings settings;
  settings.version = from.text("version");
  settings.labels = from.one_of("labels", kLabels);
  settings.paper = from.flag("paper");
  settings.imported = from.flag("imported");
  settings.trees = from.whole<std::size_t>("trees");
  settings.depth = from.whole<std::size_t>("depth");
  settings.min_leaf = from.whole<std::size_t>("min_leaf");
  settings.features_per_split = from.whole<std::size_t>("features_per_split");
  settings.cuts = from.whole<std::size_t>("cuts");
  settings.bootstrap = from.flag("bootstrap");
  settings.subsample = from.number("subsample");
  settings.class_weights = from.numbers("class_weights");
  settings.estimate = from.one_of("estimate", kEstimates);
  settings.seed = from.whole<std::uint64_t>("seed");
  const bool unknown = from.at("out_of_bag_score").value.is_null();
  settings.out_of_bag_score = unknown ? std::numeric_limits<double>::quiet_NaN() : from.number("out_of_bag_score");
  return settings;
}

void read_outcome(const JsonPlace& place, ModelMetadata& metadata) {
  const Members outcome(place, {"name", "classes"});
  metadata.outcome = outcome.text("name");
  metadata.classes = outcome.names("classes");
}

void read_inliers(const JsonPlace& place, ModelMetadata& metadata) {
  const Members inliers(place, {"trees", "sample"});
  metadata.inlier_trees = inliers.whole<std::size_t>("trees");
  metadata.inlier_sample = inliers.whole<std::size_t>("sample");
}

void read_calibration(const JsonPlace& place, ModelMetadata& metadata) {
  const Members calibration(place, {"source", "channels", "cases", "weighted"});
  metadata.calibration_source = calibration.text("source");
  metadata.calibration_channels = calibration.whole<std::size_t>("channels");
  metadata.calibration_cases = calibration.whole<std::size_t>("cases");
  metadata.calibration_weighted = calibration.flag("weighted");
}

void write_audit(JsonWriter& out, const ModelMetadata& metadata) {
  out.key("audit").begin_object().key("judge").value(metadata.audit_judge);
  out.key("asked_the_model").value(metadata.audit_asked_the_model);
  write_names(out, "targets", metadata.audit_targets);
  write_whole(out, "cases", metadata.audit_cases);
  out.end_object();
}

void read_audit(const JsonPlace& place, ModelMetadata& metadata) {
  const Members audit(place, {"judge", "asked_the_model", "targets", "cases"});
  metadata.audited = true;
  metadata.audit_judge = audit.text("judge");
  metadata.audit_asked_the_model = audit.flag("asked_the_model");
  metadata.audit_targets = audit.names("targets");
  metadata.audit_cases = audit.whole<std::size_t>("cases");
}

}  // namespace

ModelMetadata metadata_of(const Model& model) {
  return {model.rows.schema(),          model.rows.rows(),         model.outcome.name,
          model.outcome.classes,        !model.weights.empty(),    model.forest.trees.size(),
          model.inliers.trees().size(), model.inliers.sample(),    model.calibration.source,
          model.calibration.channels,   model.calibration.cases(), !model.calibration.weights.empty(),
          !model.audit.empty(),         model.audit.judge,         model.audit.asked_the_model,
          model.audit.targets,          model.audit.cases.size(),  model.settings};
}

std::string metadata_json(const ModelMetadata& metadata) {
  JsonWriter out;
  out.begin_object();
  write_whole(out, "rows", metadata.rows);
  write_features(out, metadata.schema);
  out.key("outcome").begin_object().key("name").value(metadata.outcome);
  write_names(out, "classes", metadata.classes);
  out.end_object();
  out.key("weighted").value(metadata.weighted);
  write_whole(out, "trees", metadata.trees);
  out.key("inliers").begin_object();
  write_whole(out, "trees", metadata.inlier_trees);
  write_whole(out, "sample", metadata.inlier_sample);
  out.end_object();
  out.key("calibration").begin_object().key("source").value(metadata.calibration_source);
  write_whole(out, "channels", metadata.calibration_channels);
  write_whole(out, "cases", metadata.calibration_cases);
  out.key("weighted").value(metadata.calibration_weighted).end_object();
  if (metadata.audited) write_audit(out, metadata);
  write_settings(out, metadata.settings);
  return out.end_object().take();
}

ModelMetadata parse_metadata(std::string_view text) {
  const Json json = Json::parse(text, "metadata");
  const JsonPlace place{json, "metadata", ""};
  const Members from(
      place, {"rows", "features", "outcome", "weighted", "trees", "inliers", "calibration", "audit", "settings"});
  ModelMetadata metadata;
  metadata.rows = from.whole<std::size_t>("rows");
  metadata.schema = read_features(from.at("features"));
  read_outcome(from.at("outcome"), metadata);
  metadata.weighted = from.flag("weighted");
  metadata.trees = from.whole<std::size_t>("trees");
  read_inliers(from.at("inliers"), metadata);
  read_calibration(from.at("calibration"), metadata);
  if (json.find("audit") != nullptr) read_audit(from.at("audit"), metadata);
  metadata.settings = read_settings(from.at("settings"));
  return metadata;
}

}  // namespace cfrules

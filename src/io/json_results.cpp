#include <span>

#include "base/json.h"
#include "cfrules/write.h"
#include "io/json_parts.h"

namespace cfrules {
namespace {

void begin_result(JsonWriter& json, std::string_view schema) { json.begin_object().key("schema").value(schema); }

template <class Number>
void write_numbers(JsonWriter& json, std::string_view key, std::span<const Number> numbers) {
  json.key(key).begin_array();
  for (const Number number : numbers) json.value(number);
  json.end_array();
}

void write_sets(JsonWriter& json, std::span<const FeatureSet> sets) {
  json.key("sets").begin_array();
  for (const FeatureSet& set : sets) {
    json.begin_object();
    write_names(json, "features", set.features);
    json.key("cdp").value(set.cdp).end_object();
  }
  json.end_array();
}

void write_note(JsonWriter& json, const std::string& note) {
  json.key("note");
  if (note.empty()) {
    json.null();
  } else {
    json.value(note);
  }
}

void write_sufficient_set(JsonWriter& json, const SufficientSet& set) {
  json.begin_object();
  write_names(json, "features", set.features);
  json.key("probability").value(set.probability);
  write_conditions(json, "rule", set.rule);
  json.key("rule_probability").value(set.rule_probability).key("rule_share").value(set.rule_share).end_object();
}

void write_regional_rule(JsonWriter& json, const RegionalRule& regional) {
  json.begin_object();
  write_conditions(json, "who", regional.who);
  json.key("rule");
  write_rule(json, regional.rule);
  json.key("people").value(regional.people).key("served").value(regional.served);
  json.key("reached").value(regional.reached).key("plausible").value(regional.plausible);
  write_numbers<std::size_t>(json, "rows", regional.rows);
  json.end_object();
}

void write_group(JsonWriter& json, const SummaryGroup& group) {
  json.begin_object().key("who");
  if (group.who) {
    write_condition(json, *group.who);
  } else {
    json.null();
  }
  json.key("people").value(group.people).key("served").value(group.served);
  write_numbers<std::size_t>(json, "served_by", group.served_by);
  json.key("cost").value(group.cost).end_object();
}

void write_reliability(JsonWriter& json, std::span<const ReliabilityBin> bins) {
  json.key("reliability").begin_array();
  for (const ReliabilityBin& bin : bins) {
    json.begin_object().key("stated").value(bin.stated).key("observed").value(bin.observed);
    json.key("count").value(bin.count).end_object();
  }
  json.end_array();
}

}  // namespace

std::string to_json(const Explanation& explanation, const std::string& provenance) {
  JsonWriter json;
  begin_result(json, "cfrules.explanation/1");
  json.key("row").value(explanation.row).key("status").value(name_of(explanation.status));
  write_names(json, "target", explanation.target);
  json.key("search").value(name_of(explanation.search)).key("estimator").value(name_of(explanation.estimator));
  json.key("plausible").value(explanation.plausible);
  write_names(json, "changed", explanation.changed);
  json.key("cdp").value(explanation.cdp).key("base_rate").value(explanation.base_rate);
  json.key("rules").begin_array();
  for (const Rule& rule : explanation.rules) write_rule(json, rule);
  json.end_array();
  write_sets(json, explanation.sets);
  write_note(json, explanation.note);
  end_result(json, provenance);
  return json.take();
}

std::string to_json(const SufficientExplanation& explanation, const Schema& schema, const std::string& provenance) {
  JsonWriter json;
  begin_result(json, "cfrules.sufficient/1");
  json.key("row").value(explanation.row).key("decision").value(explanation.decision);
  json.key("found").value(explanation.found).key("sets").begin_array();
  for (const SufficientSet& set : explanation.sets) write_sufficient_set(json, set);
  json.end_array().key("frequency").begin_object();
  for (std::size_t feature = 0; feature < schema.size(); ++feature) {
    const bool known = feature < explanation.frequency.size();
    json.key(schema[feature].name).value(known ? explanation.frequency[feature] : kUnknown);
  }
  json.end_object();
  end_result(json, provenance);
  return json.take();
}

std::string to_json(const Summary& summary, const std::string& provenance) {
  JsonWriter json;
  begin_result(json, "cfrules.summary/1");
  write_names(json, "target", summary.target);
  json.key("people").value(summary.people).key("served").value(summary.served);
  json.key("cover").value(summary.cover).key("min_probability").value(summary.min_probability);
  json.key("rules").begin_array();
  for (const RegionalRule& rule : summary.rules) write_regional_rule(json, rule);
  json.end_array().key("by");
  summary.by.empty() ? json.null() : json.value(summary.by);
  json.key("groups").begin_array();
  for (const SummaryGroup& group : summary.groups) write_group(json, group);
  json.end_array();
  end_result(json, provenance);
  return json.take();
}

std::string to_json(const RegionProbability& answer, bool with_weights, const std::string& provenance) {
  JsonWriter json;
  begin_result(json, "cfrules.probability/1");
  json.key("estimator").value(name_of(answer.estimator)).key("probability").value(answer.probability);
  json.key("raw").value(answer.raw).key("mass").value(answer.mass);
  write_numbers<std::size_t>(json, "cells", answer.cells);
  if (with_weights) {
    write_numbers<double>(json, "weights", answer.weights);
  } else {
    json.key("weights").null();
  }
  json.key("donors").value(answer.donors).key("inlier_share").value(answer.inlier_share);
  end_result(json, provenance);
  return json.take();
}

std::string to_json(const Evaluation& evaluation, const std::string& provenance) {
  JsonWriter json;
  begin_result(json, "cfrules.evaluation/1");
  json.key("people").value(evaluation.people).key("already").value(evaluation.already);
  json.key("coverage").value(evaluation.coverage).key("accuracy").value(evaluation.accuracy);
  json.key("accuracy_found").value(evaluation.accuracy_found);
  json.key("donor_accuracy").value(evaluation.donor_accuracy).key("stated").value(evaluation.stated);
  json.key("calibration_error").value(evaluation.calibration_error);
  json.key("calibration_error_low").value(evaluation.calibration_error_low);
  json.key("calibration_error_high").value(evaluation.calibration_error_high);
  json.key("plausibility").value(evaluation.plausibility).key("sparsity").value(evaluation.sparsity);
  json.key("cost").value(evaluation.cost).key("mass").value(evaluation.mass);
  write_numbers<double>(json, "stability", evaluation.stability);
  json.key("below_half").value(evaluation.below_half).key("seconds_per_person").value(evaluation.seconds_per_person);
  write_reliability(json, evaluation.reliability);
  json.key("judged_by").value(evaluation.judged_by);
  end_result(json, provenance);
  return json.take();
}

}  // namespace cfrules

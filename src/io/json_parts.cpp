#include "io/json_parts.h"

#include "io/range_text.h"

namespace cfrules {
namespace {

void write_cell(JsonWriter& json, const Cell& cell) {
  if (cell.name.empty()) {
    json.value(cell.value);  // missing is NaN, which becomes null
  } else {
    json.value(cell.name);
  }
}

void write_probability(JsonWriter& json, const Probability& probability) {
  json.key("probability").begin_object();
  json.key("raw").value(probability.raw).key("calibrated").value(probability.calibrated);
  json.key("low").value(probability.low).key("high").value(probability.high).key("held_out");
  if (probability.held_out == 0) {
    json.null();
  } else {
    json.value(probability.held_out);
  }
  json.key("verified").value(probability.verified).end_object();
}

void write_recourse(JsonWriter& json, const Recourse& recourse) {
  json.begin_object().key("values").begin_object();
  for (const ChangedValue& changed : recourse.values) write_cell(json.key(changed.feature), changed.cell);
  json.end_object();
  json.key("method").value(name_of(recourse.method)).key("probability").value(recourse.probability);
  json.key("inlier_score").value(recourse.inlier_score).key("cost").value(recourse.cost);
  json.key("stays_in_box").value(recourse.stays_in_box).end_object();
}

}  // namespace

void write_names(JsonWriter& json, std::string_view key, std::span<const std::string> names) {
  json.key(key).begin_array();
  for (const std::string& name : names) json.value(name);
  json.end_array();
}

void write_condition(JsonWriter& json, const Condition& condition) {
  json.begin_object();
  json.key("feature").value(condition.feature).key("kind").value(name_of(condition.kind));
  write_cell(json.key("from"), condition.from);
  if (has_names(condition.kind)) {
    write_names(json, "values", condition.values);
  } else {
    const Condition sides = as_printed(condition);
    json.key("low").value(sides.low).key("low_closed").value(sides.low_closed);
    json.key("high").value(sides.high).key("high_closed").value(sides.high_closed);
  }
  json.end_object();
}

void write_conditions(JsonWriter& json, std::string_view key, std::span<const Condition> conditions) {
  json.key(key).begin_array();
  for (const Condition& condition : conditions) write_condition(json, condition);
  json.end_array();
}

void write_rule(JsonWriter& json, const Rule& rule) {
  json.begin_object();
  write_conditions(json, "conditions", rule.conditions);
  write_probability(json, rule.probability);
  json.key("mass").value(rule.mass).key("support").value(rule.support).key("cost").value(rule.cost);
  json.key("optimal").value(rule.optimal).key("recourses").begin_array();
  for (const Recourse& recourse : rule.recourses) write_recourse(json, recourse);
  json.end_array().end_object();
}

void end_result(JsonWriter& json, std::string_view provenance) {
  json.key("provenance");
  if (provenance.empty()) {
    json.null();
  } else {
    json.raw(provenance);
  }
  json.end_object();
}

}  // namespace cfrules

#include <cmath>
#include <set>

#include "base/limits.h"
#include "cfrules/constraints.h"
#include "cfrules/error.h"
#include "io/json_checks.h"
#include "io/toml.h"

namespace cfrules {
namespace {

constexpr std::string_view kFeatureForms =
    "allowed: \"immutable\", \"increase\", \"decrease\", \"any\", or an object with direction, range, values, step, "
    "cost";

Direction parse_direction(const JsonPlace& place, std::string_view requirement) {
  const std::string& word = require_string(place, requirement);
  if (word == "any") return Direction::any;
  if (word == "immutable") return Direction::immutable;
  if (word == "increase") return Direction::increase;
  if (word == "decrease") return Direction::decrease;
  place.refuse(requirement);
}

// "direction": "increase" and "increase": true say the same; saying two different things is a contradiction.
void set_direction(const JsonPlace& place, Direction direction, FeatureConstraint& constraint) {
  const bool contradicts = constraint.direction != Direction::any && constraint.direction != direction;
  if (contradicts) place.refuse("only one of immutable, increase and decrease may be asked for");
  constraint.direction = direction;
}

void parse_flags(const JsonPlace& place, FeatureConstraint& constraint) {
  constexpr std::pair<std::string_view, Direction> kFlags[] = {
      {"immutable", Direction::immutable}, {"increase", Direction::increase}, {"decrease", Direction::decrease}};
  for (const auto& [key, direction] : kFlags) {
    const Json* flag = place.value.find(key);
    if (flag != nullptr && require_boolean(place.inside(*flag, key))) set_direction(place, direction, constraint);
  }
}

void parse_allowed(const JsonPlace& place, FeatureConstraint& constraint) {
  const Json* range = place.value.find("range");
  const Json* values = place.value.find("values");
  if (range != nullptr && values != nullptr) place.refuse("a range and values contradict each other; give one of them");
  if (range != nullptr) constraint.allowed = require_range(place.inside(*range, "range"));
  if (values != nullptr) constraint.allowed = require_names(place.inside(*values, "values"));
}

void parse_numbers(const JsonPlace& place, FeatureConstraint& constraint) {
  if (const Json* step = place.value.find("step")) {
    const JsonPlace where = place.inside(*step, "step");
    constraint.step = require_number(where, "a step is a number above 0");
    if (constraint.step <= 0) where.refuse("a step is a number above 0");
  }
  if (const Json* cost = place.value.find("cost")) {
    const JsonPlace where = place.inside(*cost, "cost");
    constraint.cost = require_number(where, "a cost is a number of at least 0");
    if (constraint.cost < 0) where.refuse("a cost is a number of at least 0");
  }
}

void refuse_contradictions(const JsonPlace& place, const FeatureConstraint& constraint) {
  const bool limited =
      place.value.find("range") != nullptr || place.value.find("values") != nullptr || constraint.step > 0;
  if (constraint.direction == Direction::immutable && limited) {
    place.refuse("immutable contradicts range, values and step; give one of them");
  }
  const bool ordered =
      constraint.step > 0 || constraint.direction == Direction::increase || constraint.direction == Direction::decrease;
  if (!constraint.allowed.values.empty() && ordered) {
    place.refuse("values are names, which have no step and neither increase nor decrease");
  }
}

FeatureConstraint parse_feature(const JsonPlace& place, const std::string& name) {
  FeatureConstraint constraint;
  constraint.feature = name;
  if (place.value.string() != nullptr) {
    constraint.direction = parse_direction(place, kFeatureForms);
    return constraint;
  }
  require_object(place, kFeatureForms);
  require_keys(place, {"direction", "immutable", "increase", "decrease", "range", "values", "step", "cost"});
  if (const Json* direction = place.value.find("direction")) {
    constraint.direction = parse_direction(place.inside(*direction, "direction"),
                                           "allowed: \"immutable\", \"increase\", \"decrease\" or \"any\"");
  }
  parse_flags(place, constraint);
  parse_allowed(place, constraint);
  parse_numbers(place, constraint);
  refuse_contradictions(place, constraint);
  return constraint;
}

void parse_features(const JsonPlace& place, Constraints& constraints) {
  for (const auto& [name, value] : require_object(place, "allowed: an object from feature to what may change")) {
    constraints.features.push_back(parse_feature(place.inside(value, name), name));
  }
}

void parse_linked(const JsonPlace& place, Constraints& constraints) {
  constexpr std::string_view kForm = "allowed: a list of lists of at least two features";
  std::set<std::string> seen;
  const Json::Array& groups = require_array(place, kForm);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const JsonPlace where = place.item(groups[g], g);
    const Json::Array& members = require_array(where, kForm);
    if (members.size() < 2) where.refuse(kForm);
    std::vector<std::string> group;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const JsonPlace member = where.item(members[m], m);
      group.push_back(require_string(member, "allowed: the name of a feature"));
      if (!seen.insert(group.back()).second) member.refuse("a feature may be linked once only");
    }
    constraints.linked.push_back(std::move(group));
  }
}

std::vector<FeatureLimit> parse_limits(const JsonPlace& implication, std::string_view key) {
  const Json* side = implication.value.find(key);
  if (side == nullptr) implication.refuse("an implication is {\"if\": {...}, \"then\": {...}}");
  const JsonPlace place = implication.inside(*side, key);
  constexpr std::string_view kForm = "allowed: an object from feature to [low, high] or a list of names, not empty";
  const Json::Object& members = require_object(place, kForm);
  if (members.empty()) place.refuse(kForm);
  std::vector<FeatureLimit> limits;
  for (const auto& [name, value] : members) limits.push_back({name, require_range_or_names(place.inside(value, name))});
  return limits;
}

void parse_implications(const JsonPlace& place, Constraints& constraints) {
  const Json::Array& items = require_array(place, "allowed: a list of {\"if\": {...}, \"then\": {...}}");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const JsonPlace where = place.item(items[i], i);
    require_object(where, "an implication is {\"if\": {...}, \"then\": {...}}");
    require_keys(where, {"if", "then"});
    constraints.implies.push_back({parse_limits(where, "if"), parse_limits(where, "then")});
  }
}

std::size_t parse_max_changes(const JsonPlace& place) {
  constexpr std::string_view kForm = "allowed: a whole number from 1 to 1000000";
  const double number = require_number(place, kForm);
  if (number < 1 || number > 1e6 || number != std::floor(number)) place.refuse(kForm);
  return static_cast<std::size_t>(number);
}

Constraints parse_document(const Json& document, std::string_view source) {
  const JsonPlace whole{document, source, ""};
  require_object(whole, "constraints are an object with features, linked, implies and max_changes");
  require_keys(whole, {"features", "linked", "implies", "max_changes"});
  Constraints constraints;
  if (const Json* part = document.find("features")) parse_features(whole.inside(*part, "features"), constraints);
  if (const Json* part = document.find("linked")) parse_linked(whole.inside(*part, "linked"), constraints);
  if (const Json* part = document.find("implies")) parse_implications(whole.inside(*part, "implies"), constraints);
  if (const Json* part = document.find("max_changes")) {
    constraints.max_changes = parse_max_changes(whole.inside(*part, "max_changes"));
  }
  return constraints;
}

}  // namespace

Constraints Constraints::parse(std::string_view json, std::string_view source) {
  require_within(limits::kSettingsBytes, json.size(), source);
  return parse_document(Json::parse(json, source), source);
}

Constraints Constraints::parse_toml(std::string_view toml, std::string_view source) {
  require_within(limits::kSettingsBytes, toml.size(), source);
  return parse_document(cfrules::parse_toml(toml, source), source);
}

}  // namespace cfrules

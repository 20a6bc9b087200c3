#include <cmath>
#include <set>

#include "base/limits.h"
#include "cfrules/error.h"
#include "cfrules/region_spec.h"
#include "io/json_checks.h"

namespace cfrules {
namespace {

constexpr std::string_view kForms =
    "allowed: \"free\", \"fixed\", [low, high] with null for an open end, a list of names, or a condition of a rule";

SideSpec parse_word(const JsonPlace& place) {
  const std::string& word = *place.value.string();
  SideSpec side;
  if (word == "free") {
    side.what = SideSpec::What::free;
  } else if (word == "fixed") {
    side.what = SideSpec::What::fixed;
  } else {
    place.refuse(kForms);
  }
  return side;
}

SideSpec parse_list(const JsonPlace& place) {
  SideSpec side;
  side.what = is_list_of_names(place.value) ? SideSpec::What::names : SideSpec::What::range;
  side.allowed = require_range_or_names(place);
  return side;
}

const Json* present(const Json& object, std::string_view key) {
  const Json* part = object.find(key);
  return part == nullptr || part->is_null() ? nullptr : part;
}

// An end of a condition: its number, and whether it is left open.
void parse_end(const JsonPlace& place, std::string_view key, std::string_view closed_key, double& end, bool& open) {
  const Json* number = present(place.value, key);
  const Json* closed = present(place.value, closed_key);
  if (number != nullptr) end = require_number(place.inside(*number, key), "allowed: a number, or null for an open end");
  const bool said_open = closed != nullptr && !require_boolean(place.inside(*closed, closed_key));
  open = number != nullptr && said_open;
}

SideSpec parse_condition(const JsonPlace& place) {
  require_keys(place, {"feature", "kind", "from", "low", "low_closed", "high", "high_closed", "values"});
  SideSpec side;
  const Json* values = present(place.value, "values");
  parse_end(place, "low", "low_closed", side.allowed.low, side.low_open);
  parse_end(place, "high", "high_closed", side.allowed.high, side.high_open);
  const bool bounded = std::isfinite(side.allowed.low) || std::isfinite(side.allowed.high);
  if (values != nullptr && bounded) place.refuse("a condition has either values or low and high");
  if (values != nullptr) side.allowed = require_names(place.inside(*values, "values"));
  side.what = values != nullptr ? SideSpec::What::names : SideSpec::What::range;
  const bool empty = side.allowed.low > side.allowed.high ||
                     (side.allowed.low == side.allowed.high && (side.low_open || side.high_open));
  if (empty) place.refuse("no value lies between low and high");
  return side;
}

SideSpec parse_side(const JsonPlace& place) {
  if (place.value.string() != nullptr) return parse_word(place);
  if (place.value.array() != nullptr) return parse_list(place);
  if (place.value.object() != nullptr) return parse_condition(place);
  place.refuse(kForms);
}

RegionSpec parse_conditions(const JsonPlace& whole, const Json::Array& conditions) {
  RegionSpec region;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const JsonPlace place = whole.item(conditions[i], i);
    require_object(place, "a list of conditions holds objects such as {\"feature\": \"age\", \"low\": 30}");
    const Json* name = place.value.find("feature");
    if (name == nullptr) place.refuse("a condition needs the key feature");
    SideSpec side = parse_condition(place);
    side.feature = require_string(place.inside(*name, "feature"), "allowed: the name of a feature");
    if (!seen.insert(side.feature).second) place.refuse("a feature may have one condition only");
    region.sides.push_back(std::move(side));
  }
  return region;
}

}  // namespace

RegionSpec RegionSpec::parse(std::string_view json, std::string_view source) {
  require_within(limits::kSettingsBytes, json.size(), source);
  const Json document = Json::parse(json, source);
  const JsonPlace whole{document, source, ""};
  if (const Json::Array* conditions = document.array()) return parse_conditions(whole, *conditions);
  RegionSpec region;
  for (const auto& [name, value] : require_object(whole, "a region is an object from feature to a side")) {
    SideSpec side = parse_side(whole.inside(value, name));
    side.feature = name;
    region.sides.push_back(std::move(side));
  }
  return region;
}

}  // namespace cfrules

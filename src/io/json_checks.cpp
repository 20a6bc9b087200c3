#include "io/json_checks.h"

#include <algorithm>
#include <cmath>

#include "base/decimal.h"
#include "base/text.h"
#include "cfrules/error.h"
#include "io/json_text.h"

namespace cfrules {
namespace {

std::string text_shown(const Json& value) { return shown(json_text(value)); }

double require_end(const JsonPlace& place, const Json& end, double open) {
  if (end.is_null()) return open;
  const double* number = end.number();
  if (number == nullptr) place.refuse("a range is [low, high] with numbers, null for an open end");
  return *number;
}

}  // namespace

JsonPlace JsonPlace::inside(const Json& part, std::string_view key) const {
  return {part, source, path.empty() ? shown(key) : path + "." + shown(key)};
}

JsonPlace JsonPlace::item(const Json& part, std::size_t index) const {
  return {part, source, path + "[" + std::to_string(index) + "]"};
}

void JsonPlace::refuse(std::string_view requirement) const {
  std::string sentence(source);
  sentence += ": ";
  sentence += path.empty() ? "the whole" : "\"" + path + "\"";
  throw InputError(sentence + " is " + text_shown(value) + "; " + std::string(requirement));
}

const Json::Object& require_object(const JsonPlace& place, std::string_view requirement) {
  const Json::Object* members = place.value.object();
  if (members == nullptr) place.refuse(requirement);
  return *members;
}

const Json::Array& require_array(const JsonPlace& place, std::string_view requirement) {
  const Json::Array* items = place.value.array();
  if (items == nullptr) place.refuse(requirement);
  return *items;
}

const std::string& require_string(const JsonPlace& place, std::string_view requirement) {
  const std::string* text = place.value.string();
  if (text == nullptr || text->empty()) place.refuse(requirement);
  return *text;
}

double require_number(const JsonPlace& place, std::string_view requirement) {
  const double* number = place.value.number();
  if (number == nullptr || !std::isfinite(*number)) place.refuse(requirement);
  return *number;
}

bool require_boolean(const JsonPlace& place) {
  const bool* flag = place.value.boolean();
  if (flag == nullptr) place.refuse("allowed: true or false");
  return *flag;
}

void require_keys(const JsonPlace& place, std::initializer_list<std::string_view> allowed) {
  const Json::Object* members = place.value.object();
  if (members == nullptr) return;
  for (const auto& [key, member] : *members) {
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    std::string list;
    for (const std::string_view name : allowed) list.append(list.empty() ? "" : ", ").append(name);
    const std::string where = place.path.empty() ? std::string() : " in \"" + place.path + "\"";
    throw InputError(std::string(place.source) + ": unknown key \"" + shown(key) + "\"" + where + "; allowed: " + list);
  }
}

AllowedValues require_range(const JsonPlace& place) {
  const Json::Array& ends = require_array(place, "a range is [low, high], null for an open end");
  if (ends.size() != 2) place.refuse("a range is [low, high], null for an open end");
  AllowedValues allowed;
  allowed.low = require_end(place, ends[0], allowed.low);
  allowed.high = require_end(place, ends[1], allowed.high);
  if (allowed.low > allowed.high) place.refuse("the low end of a range must not be above its high end");
  return allowed;
}

AllowedValues require_names(const JsonPlace& place) {
  const Json::Array& items = require_array(place, "allowed: a list of names");
  if (items.empty()) place.refuse("at least one name is needed");
  AllowedValues allowed;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string& name = require_string(place.item(items[i], i), "names are strings, as they stand in the data");
    if (std::find(allowed.values.begin(), allowed.values.end(), name) != allowed.values.end()) {
      place.refuse("\"" + shown(name) + "\" is listed twice");
    }
    allowed.values.push_back(name);
  }
  return allowed;
}

bool is_list_of_names(const Json& value) {
  const Json::Array* items = value.array();
  return items != nullptr &&
         std::any_of(items->begin(), items->end(), [](const Json& item) { return item.string() != nullptr; });
}

AllowedValues require_range_or_names(const JsonPlace& place) {
  if (place.value.array() == nullptr)
    place.refuse("allowed: [low, high] with null for an open end, or a list of names");
  return is_list_of_names(place.value) ? require_names(place) : require_range(place);
}

}  // namespace cfrules

// Reading settings written by people: every mistake is one sentence with the source, the key, the value and what is
// allowed.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/json.h"
#include "cfrules/constraints.h"

namespace cfrules {

// A value inside a document, with the way to it: "features.age.range".
struct JsonPlace {
  const Json& value;
  std::string_view source;
  std::string path;

  [[nodiscard]] JsonPlace inside(const Json& part, std::string_view key) const;
  [[nodiscard]] JsonPlace item(const Json& part, std::size_t index) const;
  // "SOURCE: PATH is VALUE; REQUIREMENT".
  [[noreturn]] void refuse(std::string_view requirement) const;
};

const Json::Object& require_object(const JsonPlace& place, std::string_view requirement);
[[nodiscard]] const Json::Array& require_array(const JsonPlace& place, std::string_view requirement);
[[nodiscard]] const std::string& require_string(const JsonPlace& place, std::string_view requirement);
[[nodiscard]] double require_number(const JsonPlace& place, std::string_view requirement);
[[nodiscard]] bool require_boolean(const JsonPlace& place);
// Every key of the object is one of allowed.
void require_keys(const JsonPlace& place, std::initializer_list<std::string_view> allowed);

// [low, high], null for an open end, low <= high.
[[nodiscard]] AllowedValues require_range(const JsonPlace& place);
// A non-empty list of names, none twice.
[[nodiscard]] AllowedValues require_names(const JsonPlace& place);
// Either of the two: a list that holds a string is one of names.
[[nodiscard]] AllowedValues require_range_or_names(const JsonPlace& place);
[[nodiscard]] bool is_list_of_names(const Json& value);

}  // namespace cfrules

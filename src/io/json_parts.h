// The pieces several results are made of, as JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "cfrules/explanation.h"

namespace cfrules {

void write_names(JsonWriter& json, std::string_view key, std::span<const std::string> names);
void write_condition(JsonWriter& json, const Condition& condition);
void write_conditions(JsonWriter& json, std::string_view key, std::span<const Condition> conditions);
void write_rule(JsonWriter& json, const Rule& rule);
// Closes the result's object: provenance comes last, null if there is none.
void end_result(JsonWriter& json, std::string_view provenance);

}  // namespace cfrules

// The part of TOML that settings need: tables, arrays of tables, dotted and quoted keys, one-line strings, numbers,
// booleans, arrays and inline tables. Dates, multi-line strings and numbers of other bases are refused by name.
#pragma once

#include <string_view>

#include "base/json.h"

namespace cfrules {

// TOML has no null: in a list, -inf at the start and inf at the end stand for an open end and become null.
// Throws InputError with source, line and column.
[[nodiscard]] Json parse_toml(std::string_view text, std::string_view source);

}  // namespace cfrules

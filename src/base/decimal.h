// Numbers as people write them.
#pragma once

#include <string>
#include <string_view>

namespace cfrules {

// The shortest decimal that reads back as the same double; "inf", "-inf", "nan" as such; never "-0".
// Plain notation from 0.00001 up to 10^16, an exponent beyond.
[[nodiscard]] std::string shortest_decimal(double value);

// A number with the fewest digits in [low, high), as near the middle as that allows. low < high.
[[nodiscard]] double shortest_between(double low, double high);

// Strict: the whole text is one finite decimal number (optional sign, point, exponent; no hex, no spaces, no "inf").
// Too near zero for a double is 0; never -0. value is unspecified where the answer is false.
[[nodiscard]] bool parse_decimal(std::string_view text, double& value);

// whole: written without point and exponent.
[[nodiscard]] bool parse_decimal(std::string_view text, double& value, bool& whole);

}  // namespace cfrules

// Numbers as people write them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cfrules {

// The shortest decimal that reads back as the same double; "inf", "-inf", "nan" as such; never "-0".
// Plain notation from 0.00001 up to 10^16, an exponent beyond.
[[nodiscard]] std::string shortest_decimal(double value);

// A number with the fewest digits in [low, high), as near the middle as that allows. low < high.
[[nodiscard]] double shortest_between(double low, double high);

// A number with the fewest decimal places in [from, to], as near from as that allows; in (from, to] if open. Nothing
// where it would take all the digits of a double.
[[nodiscard]] std::optional<double> short_number_up(double from, double to, bool open);

// Digits of the shortest decimal, leading zeros among them.
[[nodiscard]] std::size_t digits_of(double value);

// Whether a double is halfway between two single-precision numbers, give or take the one that a tie to even costs, and
// does not look like anything else: what a comparison of singles comes down to for doubles.
[[nodiscard]] bool halfway_between_singles(double value);

// Strict: the whole text is one finite decimal number (optional sign, point, exponent; no hex, no spaces, no "inf").
// Too near zero for a double is 0; never -0. value is unspecified where the answer is false.
[[nodiscard]] bool parse_decimal(std::string_view text, double& value);

// whole: written without point and exponent.
[[nodiscard]] bool parse_decimal(std::string_view text, double& value, bool& whole);

}  // namespace cfrules

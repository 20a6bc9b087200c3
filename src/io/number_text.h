// Numbers, shares and lists the way a person reads them aloud.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cfrules/explanation.h"

namespace cfrules {

// The shortest decimal with thousands apart: "2 000", "12 345.5".
[[nodiscard]] std::string grouped(double value);
[[nodiscard]] std::string grouped(std::size_t count);

// A fixed number of decimals; "unknown" for NaN.
[[nodiscard]] std::string fixed(double value, int decimals);

// Two decimals; three where two would claim certainty: 0.9973 is "0.997", never "1.00".
[[nodiscard]] std::string probability_text(double probability);

// "18 %", "under 1 %"; "unknown" for NaN.
[[nodiscard]] std::string percent(double share);

// "a, b and c".
[[nodiscard]] std::string listed(std::span<const std::string> names, std::string_view last_word = "and");

// A value as shown: its name, its number, or "missing".
[[nodiscard]] std::string cell_text(const Cell& cell);

// The wanted outcome: "yes", "yes or maybe", "between 2 and 5", "at least 2".
[[nodiscard]] std::string target_text(std::span<const std::string> target);

// Columns on the terminal that text takes: code points, not bytes.
[[nodiscard]] std::size_t columns_of(std::string_view text);
[[nodiscard]] std::string pad_right(std::string_view text, std::size_t columns);
[[nodiscard]] std::string pad_left(std::string_view text, std::size_t columns);

}  // namespace cfrules

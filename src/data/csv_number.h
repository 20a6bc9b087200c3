// What is wrong with a cell that should be a number: the mistakes people make, told apart for the message.
#pragma once

#include <string>
#include <string_view>

namespace cfrules {

// Not a number for us but meant as one: an infinity, a decimal comma, separators of thousands.
[[nodiscard]] bool meant_as_number(std::string_view text);

// The rest of the sentence that begins with the place: "'1,5' has a comma; write ...".
[[nodiscard]] std::string why_not_a_number(std::string_view text);

[[nodiscard]] bool is_date(std::string_view text);
// Does the double hold this very whole number, or only one near it? Beyond 2^53 not every one has its own.
[[nodiscard]] bool is_exact(std::string_view whole_number, double value);

}  // namespace cfrules

// Text as it comes from files and goes into messages. ASCII case only: other letters compare as bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cfrules {

// Offset of the first byte that is not part of well-formed UTF-8, or npos.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text);

// Without spaces and tabs at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

[[nodiscard]] bool equal_ignoring_case(std::string_view left, std::string_view right);

// text for a message: at most 60 bytes, cut between characters; control characters and bytes that are not UTF-8 as ?.
[[nodiscard]] std::string shown(std::string_view text);
[[nodiscard]] std::string quote(std::string_view text);  // the same as 'text'

// 'a', 'b', 'c' for a message: at most the first 20, then "and 5 more".
[[nodiscard]] std::string quote_list(std::span<const std::string> names);

}  // namespace cfrules

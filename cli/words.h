// Small things about words and numbers on the terminal.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cfrules::cli {

// Strict: the whole text is one finite decimal number.
[[nodiscard]] bool read_number(std::string_view text, double& number);
// The shortest decimal that reads back as the same number.
[[nodiscard]] std::string number_text(double number);
[[nodiscard]] std::string fixed(double number, int decimals);
[[nodiscard]] std::string grouped(std::size_t count);                  // "2 000"
[[nodiscard]] std::string listed(std::span<const std::string> names);  // "a, b, c"
// Values from data may hold control characters; a terminal must not obey them and a log must stay one line.
[[nodiscard]] std::string one_line(std::string text);
[[nodiscard]] std::string pad_right(std::string_view text, std::size_t columns);
[[nodiscard]] std::string pad_left(std::string_view text, std::size_t columns);
// Lines of at most width columns; later ones are indented. The first one starts at this column.
[[nodiscard]] std::string wrapped(std::string_view sentence, std::size_t width, std::size_t indent,
                                  std::size_t start = 0);
// The number under a key of JSON the library wrote; NaN if it is null or not there.
[[nodiscard]] double number_under(std::string_view json, std::string_view key);

}  // namespace cfrules::cli

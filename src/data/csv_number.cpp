#include "data/csv_number.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/decimal.h"
#include "base/text.h"

namespace cfrules {
namespace {

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return text;
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool infinite(std::string_view text) {
  const std::string_view size = without_sign(text);
  if (equal_ignoring_case(size, "inf") || equal_ignoring_case(size, "infinity")) return true;
  // A well-formed decimal that parse_decimal refuses can only be too large; try it with another exponent.
  const std::size_t mark = size.find_first_of("eE");
  double value = 0;
  if (mark == std::string_view::npos) return size.size() > 300 && std::all_of(size.begin(), size.end(), is_digit);
  std::string_view exponent = size.substr(mark + 1);
  if (!exponent.empty() && exponent.front() == '+') exponent.remove_prefix(1);
  return parse_decimal(size.substr(0, mark), value) && !exponent.empty() &&
         std::all_of(exponent.begin(), exponent.end(), is_digit) && !parse_decimal(size, value);
}

// Digits with separators among them: 1,5  1.234,5  1,234,567.8  1 234  1'234.
bool separated(std::string_view text) {
  const std::string_view size = without_sign(text);
  if (size.empty() || !is_digit(size.front()) || !is_digit(size.back())) return false;
  bool separator = false;
  for (const char letter : size) {
    if (is_digit(letter)) {
      separator = false;
      continue;
    }
    if (separator || (letter != ',' && letter != '.' && letter != ' ' && letter != '\'')) return false;
    separator = true;
  }
  return true;
}

bool with_comma(std::string_view text) { return separated(text) && text.find(',') != std::string_view::npos; }

// One to three digits, then groups of three after one and the same separator, then perhaps a point and decimals.
bool in_thousands(std::string_view text) {
  if (!separated(text)) return false;
  std::string_view size = without_sign(text);
  const std::size_t first = size.find_first_not_of("0123456789");
  if (first == std::string_view::npos || first > 3) return false;
  const char separator = size[first];
  std::size_t groups = 0;
  for (size.remove_prefix(first); !size.empty() && size.front() == separator; ++groups) {
    const std::size_t end = std::min(size.find_first_not_of("0123456789", 1), size.size());
    if (end != 4) return false;
    size.remove_prefix(end);
  }
  if (separator == '.' && groups < 2 && size.empty()) return false;  // an ordinary decimal
  return size.empty() || size.front() == '.' || size.front() == ',';
}

std::size_t digits_at(std::string_view text) { return std::min(text.find_first_not_of("0123456789"), text.size()); }

}  // namespace

// 2024-01-31, 31.1.2024, 1/31/24, perhaps with a time of day.
bool is_date(std::string_view text) {
  std::size_t lengths[3] = {};
  char separator = 0;
  for (std::size_t part = 0; part < 3; ++part) {
    lengths[part] = digits_at(text);
    text.remove_prefix(lengths[part]);
    if (part == 2) break;
    if (text.empty() || (separator != 0 && text.front() != separator)) return false;
    separator = text.front();
    text.remove_prefix(1);
  }
  if (separator != '-' && separator != '/' && separator != '.') return false;
  const auto short_part = [&](std::size_t part) { return lengths[part] == 1 || lengths[part] == 2; };
  const bool year_first = lengths[0] == 4 && short_part(1) && short_part(2);
  const bool year_last = short_part(0) && short_part(1) && (lengths[2] == 4 || lengths[2] == 2);
  return (year_first || year_last) && (text.empty() || text.front() == ' ' || text.front() == 'T');
}

bool is_exact(std::string_view whole_number, double value) {
  const std::string_view sizes = without_sign(whole_number);
  const std::string_view digits = sizes.substr(std::min(sizes.find_first_not_of('0'), sizes.size()));
  char buffer[400];  // the largest double has 309 digits
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::fixed, 0).ptr;
  return digits == std::string_view(buffer, static_cast<std::size_t>(end - buffer));
}

bool meant_as_number(std::string_view text) { return infinite(text) || with_comma(text) || in_thousands(text); }

std::string why_not_a_number(std::string_view text) {
  if (infinite(text)) return quote(text) + " is infinite; a number must be finite, or the cell empty if it is missing";
  if (in_thousands(text))
    return quote(text) +
           " seems to hold separators of thousands or a decimal comma; write plain digits with a decimal point";
  if (with_comma(text)) return quote(text) + " seems to hold a decimal comma; write a decimal point";
  if (is_date(text)) return quote(text) + " is a date; a number such as days or years is needed";
  return quote(text) + " is not a number";
}

}  // namespace cfrules

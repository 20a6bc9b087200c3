#include "base/decimal.h"

#include <charconv>
#include <cmath>

namespace cfrules {

std::string shortest_decimal(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

double shortest_between(double low, double high) {
  const double middle = low / 2 + high / 2;
  for (int digits = 1; digits <= 17; ++digits) {
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, middle, std::chars_format::scientific, digits - 1).ptr;
    double rounded = 0;
    std::from_chars(buffer, end, rounded);
    if (low <= rounded && rounded < high) return rounded;
  }
  return low;
}

bool parse_decimal(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (text.empty() || !(text.front() == '-' || text.front() == '.' || (text.front() >= '0' && text.front() <= '9')))
    return false;
  if (text.find_first_of("nNiIxX") != std::string_view::npos) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

}  // namespace cfrules

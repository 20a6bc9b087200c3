#include "io/number_text.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "base/decimal.h"

namespace cfrules {
namespace {

std::string group_digits(std::string text) {
  if (text.find('e') != std::string::npos) return text;
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  std::size_t point = text.find('.');
  if (point == std::string::npos) point = text.size();
  for (std::size_t at = point; at > first + 3; at -= 3) text.insert(at - 3, " ");
  return text;
}

double clear_of_certainty(double probability) {
  if (probability < 1 && probability >= 0.995) return std::floor(probability * 1000) / 1000;
  if (probability > 0 && probability < 0.005) return std::ceil(probability * 1000) / 1000;
  return probability;
}

// Reads one end of "LOW:HIGH"; an empty one is open.
bool read_end(std::string_view text, double open, double& value) {
  value = open;
  return text.empty() || parse_decimal(text, value);
}

std::string interval_text(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {};
  double low = 0;
  double high = 0;
  if (!read_end(text.substr(0, colon), -kInfinity, low) || !read_end(text.substr(colon + 1), kInfinity, high))
    return {};
  if (std::isinf(low) && std::isinf(high)) return {};
  if (std::isinf(low)) return "at most " + grouped(high);
  if (std::isinf(high)) return "at least " + grouped(low);
  return "between " + grouped(low) + " and " + grouped(high);
}

}  // namespace

std::string grouped(double value) { return group_digits(shortest_decimal(value)); }

std::string grouped(std::size_t count) { return group_digits(std::to_string(count)); }

std::string fixed(double value, int decimals) {
  if (std::isnan(value)) return "unknown";
  if (std::abs(value) >= 1e15) return shortest_decimal(value);
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals).ptr;
  return group_digits({buffer, end});
}

std::string probability_text(double probability) {
  const double shown = clear_of_certainty(probability);
  return fixed(shown, shown == probability ? 2 : 3);
}

std::string percent(double share) {
  if (std::isnan(share)) return "unknown";
  if (share > 0 && share < 0.01) return "under 1 %";
  if (share < 1 && share > 0.99) return "over 99 %";
  return fixed(share * 100, 0) + " %";
}

std::string listed(std::span<const std::string> names, std::string_view last_word) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0 && i + 1 == names.size()) {
      text.append(" ").append(last_word).append(" ");
    } else if (i > 0) {
      text += ", ";
    }
    text += names[i];
  }
  return text;
}

std::string cell_text(const Cell& cell) {
  if (!cell.name.empty()) return cell.name;
  return std::isnan(cell.value) ? "missing" : grouped(cell.value);
}

std::string target_text(std::span<const std::string> target) {
  if (target.size() == 1) {
    if (std::string interval = interval_text(target.front()); !interval.empty()) return interval;
  }
  return listed(target, "or");
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (const char byte : text) columns += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1 : 0;
  return columns;
}

std::string pad_right(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(text) + std::string(columns > used ? columns - used : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(columns > used ? columns - used : 0, ' ') + std::string(text);
}

}  // namespace cfrules

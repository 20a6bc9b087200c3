#include "words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace cfrules::cli {

bool read_number(std::string_view text, double& number) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != std::string_view::npos) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(number);
}

std::string number_text(double number) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

std::string fixed(double number, int decimals) {
  char buffer[400];  // the largest double has 309 digits
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::fixed, decimals).ptr};
}

std::string grouped(std::size_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, " ");
  return text;
}

std::string listed(std::span<const std::string> names) {
  std::string text;
  for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

std::string one_line(std::string text) {
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F) letter = ' ';
  return text;
}

std::string pad_right(std::string_view text, std::size_t columns) {
  return std::string(text) + std::string(columns > text.size() ? columns - text.size() : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t columns) {
  return std::string(columns > text.size() ? columns - text.size() : 0, ' ') + std::string(text);
}

std::string wrapped(std::string_view sentence, std::size_t width, std::size_t indent, std::size_t start) {
  std::string text;
  std::size_t used = start;
  bool line_begins = true;
  while (!sentence.empty()) {
    const std::size_t end = std::min(sentence.find(' '), sentence.size());
    if (!line_begins && used + 1 + end > width) {
      text.append("\n").append(indent, ' ');
      used = indent;
    } else if (!line_begins) {
      text += ' ';
      ++used;
    }
    text += sentence.substr(0, end);
    used += end;
    line_begins = false;
    sentence.remove_prefix(std::min(end + 1, sentence.size()));
  }
  return text;
}

// Inside strings a quote is written \", so a bare "key": can only be a key.
double number_under(std::string_view json, std::string_view key) {
  const std::string wanted = "\"" + std::string(key) + "\":";
  std::size_t at = json.find(wanted);
  double number = std::numeric_limits<double>::quiet_NaN();
  if (at == std::string_view::npos) return number;
  at = std::min(json.find_first_not_of(' ', at + wanted.size()), json.size());
  const std::size_t end = std::min(json.find_first_of(",}\n ", at), json.size());
  double found = 0;
  return read_number(json.substr(at, end - at), found) ? found : number;
}

}  // namespace cfrules::cli

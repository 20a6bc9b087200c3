#include "base/text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace cfrules {
namespace {

constexpr std::size_t kLongestQuoted = 60;
constexpr std::size_t kMostListed = 20;

unsigned char byte_at(std::string_view text, std::size_t position) {
  return position < text.size() ? static_cast<unsigned char>(text[position]) : 0;
}

bool continues(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// Bytes of the well-formed character at position, 0 if there is none (Unicode standard, table 3-7).
std::size_t character_length(std::string_view text, std::size_t position) {
  const unsigned char first = byte_at(text, position);
  const unsigned char second = byte_at(text, position + 1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !continues(second)) return 0;
  if (first < 0xE0) return 2;
  if (!continues(byte_at(text, position + 2))) return 0;
  if (first == 0xE0 && second < 0xA0) return 0;  // overlong
  if (first == 0xED && second > 0x9F) return 0;  // surrogate
  if (first < 0xF0) return 3;
  if (!continues(byte_at(text, position + 3))) return 0;
  if (first == 0xF0 && second < 0x90) return 0;  // overlong
  if (first == 0xF4 && second > 0x8F) return 0;  // beyond U+10FFFF
  return 4;
}

// Skips whole words of ASCII: most text is nothing else.
std::size_t skip_ascii(std::string_view text, std::size_t position) {
  while (position + sizeof(std::uint64_t) <= text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + position, sizeof word);
    if (word & 0x8080808080808080) break;
    position += sizeof word;
  }
  return position;
}

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t position = skip_ascii(text, 0);
  while (position < text.size()) {
    const std::size_t length = character_length(text, position);
    if (length == 0) return position;
    position = skip_ascii(text, position + length);
  }
  return std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char letter) { return letter == ' ' || letter == '\t'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool equal_ignoring_case(std::string_view left, std::string_view right) {
  return left.size() == right.size() &&
         std::equal(left.begin(), left.end(), right.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

std::string shown(std::string_view text) {
  std::string out;
  for (std::size_t position = 0; position < text.size();) {
    const std::size_t length = character_length(text, position);
    if (out.size() + length >= kLongestQuoted) return out + "...";
    const bool printable = length > 0 && byte_at(text, position) >= 0x20 && text[position] != 0x7F;
    out += printable ? text.substr(position, length) : std::string_view("?");
    position += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string quote(std::string_view text) { return "'" + shown(text) + "'"; }

std::string quote_list(std::span<const std::string> names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i) out += (i ? ", " : "") + quote(names[i]);
  if (names.size() > kMostListed) out += " and " + std::to_string(names.size() - kMostListed) + " more";
  return out;
}

}  // namespace cfrules

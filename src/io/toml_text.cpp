#include "io/toml_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/text.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

bool is_bare(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         letter == '_' || letter == '-';
}

void append_utf8(std::string& out, std::uint32_t point) {
  const auto byte = [&out](std::uint32_t value) { out += static_cast<char>(value); };
  if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xC0 | point >> 6);
    byte(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    byte(0xE0 | point >> 12);
    byte(0x80 | (point >> 6 & 0x3F));
    byte(0x80 | (point & 0x3F));
  } else {
    byte(0xF0 | point >> 18);
    byte(0x80 | (point >> 12 & 0x3F));
    byte(0x80 | (point >> 6 & 0x3F));
    byte(0x80 | (point & 0x3F));
  }
}

bool is_character(std::uint32_t point) { return point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF); }

}  // namespace

bool TomlText::take(char wanted) {
  if (at_end() || peek() != wanted) return false;
  advance();
  return true;
}

void TomlText::expect(char wanted, std::string_view meaning) {
  if (!take(wanted)) refuse(meaning);
}

void TomlText::check_encoding() {
  const std::size_t invalid = find_invalid_utf8(text_);
  if (invalid == std::string_view::npos) return;
  at_ = invalid;
  complain("the text is not valid UTF-8");
}

void TomlText::skip_blanks() {
  while (!at_end() && (peek() == ' ' || peek() == '\t')) advance();
}

void TomlText::skip_comment() {
  if (at_end() || peek() != '#') return;
  at_ = std::min(text_.find('\n', at_), text_.size());
}

void TomlText::skip_lines() {
  while (true) {
    skip_blanks();
    skip_comment();
    if (looking_at("\r\n")) {
      advance(2);
    } else if (!take('\n')) {
      return;
    }
  }
}

void TomlText::expect_line_end() {
  skip_blanks();
  skip_comment();
  if (at_end() || take('\n')) return;
  if (!looking_at("\r\n")) refuse("the end of the line");
  advance(2);
}

std::vector<std::string> TomlText::read_key() {
  std::vector<std::string> parts;
  do {
    skip_blanks();
    parts.push_back(read_simple_key());
    skip_blanks();
  } while (take('.'));
  return parts;
}

std::string TomlText::read_simple_key() {
  if (peek() == '"' || peek() == '\'') return read_string();
  std::string key;
  for (; !at_end() && is_bare(peek()); advance()) key += peek();
  if (key.empty()) refuse("a key");
  return key;
}

std::string TomlText::read_string() {
  const char quote = peek();
  if (peek(1) == quote && peek(2) == quote) complain("strings over several lines are not supported here");
  advance();
  std::string out;
  while (!at_end() && peek() != quote) {
    const auto letter = static_cast<unsigned char>(peek());
    if ((letter < 0x20 && letter != '\t') || letter == 0x7F) refuse("the end of the string");
    if (quote == '"' && letter == '\\') {
      read_escape(out);
      continue;
    }
    out += peek();
    advance();
  }
  expect(quote, "the end of the string");
  return out;
}

void TomlText::read_escape(std::string& out) {
  constexpr std::string_view kLetters = "btnfr\"\\";
  constexpr std::string_view kMeanings = "\b\t\n\f\r\"\\";
  const char letter = peek(1);
  const std::size_t known = letter == '\0' ? std::string_view::npos : kLetters.find(letter);
  if (known != std::string_view::npos) {
    out += kMeanings[known];
    return advance(2);
  }
  const std::size_t digits = letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  const std::string_view hex = text_.substr(std::min(at_ + 2, text_.size()), digits);
  std::uint32_t point = 0;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), point, 16);
  const bool complete = digits > 0 && hex.size() == digits && error == std::errc{} && end == hex.data() + hex.size();
  if (!complete || !is_character(point)) refuse("one of the escapes \\b \\t \\n \\f \\r \\\" \\\\ \\uXXXX \\UXXXXXXXX");
  append_utf8(out, point);
  advance(2 + digits);
}

std::string_view TomlText::read_word() {
  const std::size_t start = at_;
  while (!at_end() && (is_bare(peek()) || peek() == '+' || peek() == '.' || peek() == ':')) advance();
  return text_.substr(start, at_ - start);
}

void TomlText::refuse(std::string_view expected) const {
  std::string found = "the end of the text";
  if (!at_end()) {
    const char letter = peek();
    std::size_t end = at_ + 1;
    while (end < text_.size() && (text_[end] & 0xC0) == 0x80) ++end;
    found = letter == '\n' || letter == '\r' ? "the end of the line" : quote(text_.substr(at_, end - at_));
  }
  complain("expected " + std::string(expected) + " but found " + found);
}

void TomlText::complain(const std::string& sentence) const {
  const std::string_view before = text_.substr(0, at_);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  throw InputError(std::string(source_) + ": line " + std::to_string(line) + ", column " +
                   std::to_string(at_ - line_start + 1) + ": " + sentence);
}

}  // namespace cfrules

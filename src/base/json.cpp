#include "base/json.h"

#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include "base/decimal.h"
#include "base/limits.h"
#include "base/text.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

constexpr int kDeepest = static_cast<int>(limits::kNesting.most);
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void append_utf8(std::string& out, std::uint32_t point) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((point >> shift) & 0x3F)); };
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0 | (point >> 6));
    tail(0);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0 | (point >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0 | (point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  Json document();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void unexpected(std::string_view expected) const;
  [[nodiscard]] char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  void skip_space();
  bool take(char letter);
  void take_word(std::string_view word);

  Json value(int depth);
  Json object(int depth);
  Json array(int depth);
  Json number();
  std::string string();
  void escape(std::string& out);
  std::uint32_t four_hex_digits();
  void digits(std::string_view expected);

  std::string_view text_;
  std::string_view source_;
  std::size_t position_ = 0;
};

void Parser::fail(const std::string& what) const {
  const std::string_view before = text_.substr(0, position_);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::string_view on_line = before.substr(before.rfind('\n') + 1);
  const auto column = 1 + std::count_if(on_line.begin(), on_line.end(), [](char c) { return (c & 0xC0) != 0x80; });
  throw InputError(std::string(source_) + ": line " + std::to_string(line) + ", column " + std::to_string(column) +
                   ": " + what);
}

void Parser::unexpected(std::string_view expected) const {
  const std::string start = "expected " + std::string(expected) + " but ";
  if (position_ >= text_.size()) fail(start + "the text ends");
  std::size_t end = position_ + 1;
  while (end < text_.size() && (text_[end] & 0xC0) == 0x80) ++end;
  fail(start + "found " + quote(text_.substr(position_, end - position_)));
}

void Parser::skip_space() {
  while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') ++position_;
}

bool Parser::take(char letter) {
  if (position_ >= text_.size() || text_[position_] != letter) return false;
  ++position_;
  return true;
}

void Parser::take_word(std::string_view word) {
  if (text_.substr(position_, word.size()) != word) unexpected("a JSON value");
  position_ += word.size();
}

Json Parser::document() {
  const std::size_t invalid = find_invalid_utf8(text_);
  if (invalid != std::string_view::npos) {
    position_ = invalid;
    fail("the text is not valid UTF-8");
  }
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  skip_space();
  Json result = value(0);
  skip_space();
  if (position_ != text_.size()) unexpected("the end of the text");
  return result;
}

Json Parser::value(int depth) {
  if (depth == kDeepest && (peek() == '{' || peek() == '['))
    fail("nested deeper than " + std::to_string(kDeepest) + " levels");
  switch (peek()) {
    case '{':
      return object(depth);
    case '[':
      return array(depth);
    case '"':
      return string();
    case 't':
      take_word("true");
      return true;
    case 'f':
      take_word("false");
      return false;
    case 'n':
      take_word("null");
      return nullptr;
    default:
      return number();
  }
}

Json Parser::object(int depth) {
  take('{');
  Json::Object members;
  std::unordered_set<std::string> seen;
  skip_space();
  if (take('}')) return members;
  for (;;) {
    skip_space();
    if (peek() != '"') unexpected("a key in double quotes");
    const std::size_t start = position_;
    std::string key = string();
    if (!seen.insert(key).second) {
      position_ = start;
      fail("the key " + quote(key) + " is there twice");
    }
    skip_space();
    if (!take(':')) unexpected("':'");
    skip_space();
    members.emplace_back(std::move(key), value(depth + 1));
    skip_space();
    if (take('}')) return members;
    if (!take(',')) unexpected("',' or '}'");
  }
}

Json Parser::array(int depth) {
  take('[');
  Json::Array items;
  skip_space();
  if (take(']')) return items;
  for (;;) {
    skip_space();
    items.push_back(value(depth + 1));
    skip_space();
    if (take(']')) return items;
    if (!take(',')) unexpected("',' or ']'");
  }
}

void Parser::digits(std::string_view expected) {
  if (peek() < '0' || peek() > '9') unexpected(expected);
  while (peek() >= '0' && peek() <= '9') ++position_;
}

Json Parser::number() {
  const std::size_t start = position_;
  take('-');
  if (take('0')) {
    if (peek() >= '0' && peek() <= '9') fail("a number may not begin with 0 followed by digits");
  } else {
    digits(position_ == start ? "a JSON value" : "a digit");
  }
  if (take('.')) digits("a digit");
  if (take('e') || take('E')) {
    if (!take('+')) take('-');
    digits("a digit");
  }
  const std::string_view written = text_.substr(start, position_ - start);
  double result = 0;
  if (parse_decimal(written, result)) return result;
  position_ = start;
  fail("the number " + quote(written) + " is too large for a double");
}

std::string Parser::string() {
  take('"');
  std::string out;
  for (;;) {
    const std::size_t start = position_;
    while (position_ < text_.size() && text_[position_] != '"' && text_[position_] != '\\' &&
           static_cast<unsigned char>(text_[position_]) >= 0x20)
      ++position_;
    out += text_.substr(start, position_ - start);
    if (position_ == text_.size()) unexpected("a closing '\"'");
    if (take('"')) return out;
    if (!take('\\')) fail("a control character in a string must be written as an escape, such as \\n");
    escape(out);
  }
}

void Parser::escape(std::string& out) {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (!take('u')) {
    const std::size_t which = position_ < text_.size() ? kLetters.find(text_[position_]) : std::string_view::npos;
    if (which == std::string_view::npos) unexpected("one of \"\\/bfnrtu after a backslash");
    out += kMeanings[which];
    ++position_;
    return;
  }
  std::uint32_t point = four_hex_digits();
  if (point >= 0xDC00 && point <= 0xDFFF) fail("a low surrogate escape without a high one before it");
  if (point >= 0xD800 && point <= 0xDBFF) {
    if (!take('\\') || !take('u')) fail("a high surrogate escape without a low one after it");
    const std::uint32_t low = four_hex_digits();
    if (low < 0xDC00 || low > 0xDFFF) fail("a high surrogate escape without a low one after it");
    point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
  }
  append_utf8(out, point);
}

std::uint32_t Parser::four_hex_digits() {
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i, ++position_) {
    const char letter = peek();
    const char folded = static_cast<char>(letter | 0x20);
    if (letter >= '0' && letter <= '9') {
      result = result * 16 + static_cast<std::uint32_t>(letter - '0');
    } else if (folded >= 'a' && folded <= 'f') {
      result = result * 16 + static_cast<std::uint32_t>(folded - 'a' + 10);
    } else {
      unexpected("four hexadecimal digits");
    }
  }
  return result;
}

}  // namespace

Json Json::parse(std::string_view text, std::string_view source) { return Parser(text, source).document(); }

const Json* Json::find(std::string_view key) const {
  const Object* members = object();
  if (!members) return nullptr;
  const auto at =
      std::find_if(members->begin(), members->end(), [&](const auto& member) { return member.first == key; });
  return at == members->end() ? nullptr : &at->second;
}

std::string_view Json::type_name() const {
  constexpr std::string_view kNames[] = {"null", "a boolean", "a number", "a string", "an array", "an object"};
  return kNames[value_.index()];
}

}  // namespace cfrules

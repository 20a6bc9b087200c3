#include <cmath>

#include "base/decimal.h"
#include "base/json.h"
#include "base/text.h"

namespace cfrules {
namespace {

void append_escaped(std::string& out, char letter) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (letter) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(letter) >> 4];
      out += kHex[letter & 0xF];
  }
}

void append_checked(std::string& out, std::string_view text) {
  for (const char letter : text) {
    if (static_cast<unsigned char>(letter) < 0x20 || letter == '"' || letter == '\\') {
      append_escaped(out, letter);
    } else {
      out += letter;
    }
  }
}

// A byte that is not UTF-8 (a file's name may hold some) becomes the replacement character: the output is always JSON.
void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (;;) {
    const std::size_t invalid = find_invalid_utf8(text);
    append_checked(out, text.substr(0, invalid));
    if (invalid == std::string_view::npos) break;
    out += "\xEF\xBF\xBD";
    text.remove_prefix(invalid + 1);
  }
  out += '"';
}

}  // namespace

void JsonWriter::newline() {
  if (!pretty_) return;
  out_ += '\n';
  out_.append(2 * has_items_.size(), ' ');
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) return;
  if (has_items_.back()) out_ += ',';
  has_items_.back() = true;
  newline();
}

JsonWriter& JsonWriter::begin_object() {
  before_value();
  out_ += '{';
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  const bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) newline();
  out_ += '}';
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  before_value();
  out_ += '[';
  has_items_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  const bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) newline();
  out_ += ']';
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  before_value();
  append_string(out_, name);
  out_ += pretty_ ? ": " : ":";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  before_value();
  append_string(out_, text);
  return *this;
}

JsonWriter& JsonWriter::value(double number) { return raw(std::isfinite(number) ? shortest_decimal(number) : "null"); }

JsonWriter& JsonWriter::value(bool flag) { return raw(flag ? "true" : "false"); }

JsonWriter& JsonWriter::value(std::size_t number) { return raw(std::to_string(number)); }

JsonWriter& JsonWriter::null() { return raw("null"); }

JsonWriter& JsonWriter::raw(std::string_view json) {
  before_value();
  out_ += json;
  return *this;
}

}  // namespace cfrules

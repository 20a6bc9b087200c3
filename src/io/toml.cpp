#include "io/toml.h"

#include <cmath>
#include <limits>
#include <unordered_map>

#include "base/decimal.h"
#include "base/limits.h"
#include "base/text.h"
#include "io/toml_text.h"

namespace cfrules {
namespace {

// A value under construction: tables stay open while the document is read.
struct TomlNode {
  enum class Form { value, table, inline_table, tables };

  Form form = Form::table;
  bool headed = false;  // [this] was written
  Json value;
  std::vector<std::string> keys;
  std::vector<TomlNode> members;                        // one per key
  std::unordered_map<std::string, std::size_t> places;  // of members, by key
  std::vector<TomlNode> items;                          // of an array of tables

  TomlNode* find(const std::string& key) {
    const auto found = places.find(key);
    return found == places.end() ? nullptr : &members[found->second];
  }
  TomlNode& add(const std::string& key, TomlNode member) {
    places.emplace(key, members.size());
    keys.push_back(key);
    return members.emplace_back(std::move(member));
  }
};

Json frozen(const TomlNode& node) {
  if (node.form == TomlNode::Form::value) return node.value;
  if (node.form == TomlNode::Form::tables) {
    Json::Array items;
    for (const TomlNode& item : node.items) items.push_back(frozen(item));
    return items;
  }
  Json::Object members;
  for (std::size_t i = 0; i < node.keys.size(); ++i) members.emplace_back(node.keys[i], frozen(node.members[i]));
  return members;
}

class TomlReader {
 public:
  TomlReader(std::string_view text, std::string_view source) : text_(text, source) {}

  Json read() {
    text_.check_encoding();
    current_ = &root_;
    for (text_.skip_lines(); !text_.at_end(); text_.skip_lines()) {
      if (text_.peek() == '[') {
        read_header();
      } else {
        read_member(*current_, 0);
      }
      text_.expect_line_end();
    }
    return frozen(root_);
  }

 private:
  [[noreturn]] void refuse_twice(const std::string& key) {
    text_.complain("the key \"" + shown(key) + "\" is given twice");
  }

  // The table a dotted path leads to, made where it is not there; the last item of an array of tables stands for it.
  TomlNode& descend(TomlNode& from, const std::string& key) {
    TomlNode* next = from.find(key);
    if (next == nullptr) return from.add(key, TomlNode{});
    if (next->form == TomlNode::Form::tables) return next->items.back();
    if (next->form != TomlNode::Form::table) refuse_twice(key);
    return *next;
  }

  std::vector<std::string> read_path() {
    std::vector<std::string> path = text_.read_key();
    if (path.size() > limits::kNesting.most)
      text_.complain("the key has " + std::to_string(path.size()) + " parts; at most " +
                     std::to_string(limits::kNesting.most) + " are possible");
    return path;
  }

  void read_header() {
    text_.advance();
    const bool many = text_.take('[');
    const std::vector<std::string> path = read_path();
    text_.expect(']', "']'");
    if (many) text_.expect(']', "']]'");
    TomlNode* parent = &root_;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) parent = &descend(*parent, path[i]);
    current_ = many ? &append_table(*parent, path.back()) : &open_table(*parent, path.back());
  }

  TomlNode& open_table(TomlNode& parent, const std::string& key) {
    TomlNode* existing = parent.find(key);
    if (existing != nullptr && (existing->form != TomlNode::Form::table || existing->headed)) refuse_twice(key);
    TomlNode& table = descend(parent, key);
    table.headed = true;
    return table;
  }

  TomlNode& append_table(TomlNode& parent, const std::string& key) {
    TomlNode* existing = parent.find(key);
    if (existing != nullptr && existing->form != TomlNode::Form::tables) refuse_twice(key);
    TomlNode& tables = existing != nullptr ? *existing : parent.add(key, TomlNode{});
    tables.form = TomlNode::Form::tables;
    return tables.items.emplace_back();
  }

  void read_member(TomlNode& table, std::size_t depth) {
    const std::vector<std::string> path = read_path();
    TomlNode* parent = &table;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) parent = &descend(*parent, path[i]);
    if (parent->find(path.back()) != nullptr) refuse_twice(path.back());
    text_.expect('=', "'='");
    text_.skip_blanks();
    TomlNode value = read_value(depth + 1);
    parent->add(path.back(), std::move(value));
  }

  TomlNode read_value(std::size_t depth) {
    if (depth > limits::kNesting.most) text_.complain("values are nested too deeply");
    TomlNode node;
    node.form = TomlNode::Form::value;
    switch (text_.peek()) {
      case '"':
      case '\'':
        node.value = Json(text_.read_string());
        break;
      case '[':
        node.value = read_array(depth);
        break;
      case '{':
        return read_inline_table(depth);
      default:
        node.value = read_scalar();
    }
    return node;
  }

  Json read_array(std::size_t depth) {
    text_.advance();
    Json::Array items;
    for (text_.skip_lines(); !text_.take(']'); text_.skip_lines()) {
      items.push_back(frozen(read_value(depth + 1)));
      text_.skip_lines();
      if (!text_.take(',') && text_.peek() != ']') text_.refuse("',' or ']'");
    }
    return opened(std::move(items));
  }

  Json opened(Json::Array items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      const double* number = items[i].number();
      if (number == nullptr || !std::isinf(*number)) continue;
      const bool fits = *number < 0 ? i == 0 : i + 1 == items.size();
      if (!fits) text_.complain("-inf opens the start of a range and inf its end, nothing else");
      items[i] = Json();
    }
    return items;
  }

  TomlNode read_inline_table(std::size_t depth) {
    text_.advance();
    TomlNode table;
    text_.skip_blanks();
    if (!text_.take('}')) {
      do {
        text_.skip_blanks();
        read_member(table, depth);
        text_.skip_blanks();
      } while (text_.take(','));
      text_.expect('}', "',' or '}'");
    }
    table.form = TomlNode::Form::inline_table;
    return table;
  }

  Json read_scalar() {
    const TomlText start = text_;
    const std::string_view word = text_.read_word();
    if (word.empty()) start.refuse("a value");
    if (word == "true") return true;
    if (word == "false") return false;
    if (word == "inf" || word == "+inf") return std::numeric_limits<double>::infinity();
    if (word == "-inf") return -std::numeric_limits<double>::infinity();
    double number = 0;
    if (!read_number(word, number)) {
      start.complain("\"" + shown(word) +
                     "\" is not a value; allowed: strings in quotes, decimal numbers, true, false");
    }
    return number;
  }

  // Underscores may stand between digits; a number does not start or end with a point, nor with a needless zero.
  static bool read_number(std::string_view word, double& number) {
    std::string digits;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const auto is_digit = [&](std::size_t at) { return at < word.size() && word[at] >= '0' && word[at] <= '9'; };
      if (word[i] == '_' && !(i > 0 && is_digit(i - 1) && is_digit(i + 1))) return false;
      if (word[i] == '.' && !(i > 0 && is_digit(i - 1) && is_digit(i + 1))) return false;
      if (word[i] != '_') digits += word[i];
    }
    const std::size_t first = digits.find_first_not_of("+-");
    const bool needless_zero = first != std::string::npos && digits[first] == '0' && first + 1 < digits.size() &&
                               digits[first + 1] >= '0' && digits[first + 1] <= '9';
    return !needless_zero && parse_decimal(digits, number);
  }

  TomlText text_;
  TomlNode root_;
  TomlNode* current_ = nullptr;
};

}  // namespace

Json parse_toml(std::string_view text, std::string_view source) { return TomlReader(text, source).read(); }

}  // namespace cfrules

// The characters of a TOML document: where we are, what comes next, keys and single values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cfrules {

class TomlText {
 public:
  TomlText(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool looking_at(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void advance(std::size_t count = 1) { at_ += count; }
  bool take(char wanted);
  void expect(char wanted, std::string_view meaning);
  void check_encoding();                              // refuses what is not UTF-8
  void skip_blanks();                                 // spaces and tabs
  void skip_lines();                                  // also comments and line ends
  void expect_line_end();                             // blanks and a comment may come first
  [[nodiscard]] std::vector<std::string> read_key();  // dotted
  [[nodiscard]] std::string read_string();            // at a quote
  [[nodiscard]] std::string_view read_word();         // a number or true, false, inf

  // "SOURCE: line 3, column 14: expected X but found 'y'".
  [[noreturn]] void refuse(std::string_view expected) const;
  [[noreturn]] void complain(const std::string& sentence) const;

 private:
  [[nodiscard]] std::string read_simple_key();
  void read_escape(std::string& out);
  void skip_comment();

  std::string_view text_;
  std::string_view source_;
  std::size_t at_ = 0;
};

}  // namespace cfrules

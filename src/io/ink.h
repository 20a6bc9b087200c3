// Colour on a terminal, or none.
#pragma once

#include <string>
#include <string_view>

#include "cfrules/write.h"

namespace cfrules {

class Ink {
 public:
  explicit Ink(const TextStyle& style) : color_(style.color) {}

  [[nodiscard]] std::string strong(std::string_view text) const { return dressed(text, "\x1b[1m"); }
  [[nodiscard]] std::string good(std::string_view text) const { return dressed(text, "\x1b[1;32m"); }
  [[nodiscard]] std::string warning(std::string_view text) const { return dressed(text, "\x1b[33m"); }
  [[nodiscard]] std::string faint(std::string_view text) const { return dressed(text, "\x1b[2m"); }

 private:
  [[nodiscard]] std::string dressed(std::string_view text, std::string_view code) const {
    return color_ ? std::string(code) + std::string(text) + "\x1b[0m" : std::string(text);
  }

  bool color_;
};

// Breaks a sentence into lines of at most width columns; later lines are indented.
[[nodiscard]] std::string wrapped(std::string_view sentence, std::size_t width, std::size_t indent = 0);

}  // namespace cfrules

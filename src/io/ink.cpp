#include "io/ink.h"

#include "io/number_text.h"

namespace cfrules {
namespace {

std::size_t shown_columns(std::string_view word) {
  std::size_t hidden = 0;
  for (std::size_t at = word.find('\x1b'); at != std::string_view::npos; at = word.find('\x1b', at + 1)) {
    const std::size_t end = word.find('m', at);
    hidden += (end == std::string_view::npos ? word.size() : end + 1) - at;
  }
  return columns_of(word) - hidden;
}

}  // namespace

std::string wrapped(std::string_view sentence, std::size_t width, std::size_t indent) {
  std::string text;
  std::size_t used = 0;
  while (!sentence.empty()) {
    const std::size_t end = std::min(sentence.find(' '), sentence.size());
    const std::string_view word = sentence.substr(0, end);
    sentence.remove_prefix(std::min(end + 1, sentence.size()));
    const std::size_t columns = shown_columns(word);
    if (used > 0 && used + 1 + columns > width) {
      text.append("\n").append(indent, ' ');
      used = indent;
    } else if (!text.empty()) {
      text += ' ';
      ++used;
    }
    text += word;
    used += columns;
  }
  return text;
}

}  // namespace cfrules

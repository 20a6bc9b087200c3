#include "result_stream.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace cfrules::cli {
namespace {

constexpr std::size_t kNarrowest = 50;
constexpr std::size_t kWidest = 120;

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return TextStyle{}.width;
  return std::clamp<std::size_t>(size.ws_col, kNarrowest, kWidest);
}

bool wants_color() {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return (none == nullptr || *none == '\0') && (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

}  // namespace

TextStyle text_style(const Output& output) {
  if (!output.terminal()) return {};
  return {wants_color(), terminal_width()};
}

ResultStream::ResultStream(Session& session, Output& output, std::string_view csv_header)
    : output_(output), format_(session.format_for(output)), style_(text_style(output)) {
  if (format_ != Format::csv) return;
  if (csv_header.empty()) throw UsageError("--format is \"csv\"; allowed here: table, json, ndjson");
  output_.write(csv_header);
}

void ResultStream::add(std::string_view rendered) {
  std::string_view before;
  if (format_ == Format::json) before = first_ ? "[\n" : ",\n";
  if (format_ == Format::table && !first_) before = "\n";
  std::string text(before);
  text += rendered;
  if (format_ == Format::ndjson) text += "\n";
  output_.write(text);
  first_ = false;
}

void ResultStream::finish() {
  if (format_ == Format::json) output_.write(first_ ? "[]\n" : "\n]\n");
}

void write_single(Session& session, const std::string& path, const std::string& json, const std::string& text) {
  Output output = session.open_output(path);
  const Format format = session.format_for(output);
  if (format == Format::csv) throw UsageError("--format is \"csv\"; allowed here: table, json, ndjson");
  output.write(format == Format::table ? text : json + "\n");
  output.finish();
}

}  // namespace cfrules::cli

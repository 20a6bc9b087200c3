// Several results of one kind, written as they come.
#pragma once

#include <string>
#include <string_view>

#include "session.h"

namespace cfrules::cli {

class ResultStream {
 public:
  // csv_header: written first in CSV; empty: this kind of result has no CSV, and asking for it is a usage error.
  ResultStream(Session& session, Output& output, std::string_view csv_header);

  [[nodiscard]] Format format() const { return format_; }
  [[nodiscard]] const TextStyle& style() const { return style_; }
  // rendered: one result in the stream's format (JSON without a line end).
  void add(std::string_view rendered);
  void finish();

 private:
  Output& output_;
  Format format_;
  TextStyle style_;
  bool first_ = true;
};

// A command with a single result: JSON for both JSON forms.
void write_single(Session& session, const std::string& path, const std::string& json, const std::string& text);

[[nodiscard]] TextStyle text_style(const Output& output);

}  // namespace cfrules::cli

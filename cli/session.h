// What all commands share: the global options, the way to be interrupted and the way to talk.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cfrules/run.h"
#include "cfrules/write.h"
#include "interrupt.h"
#include "option_table.h"
#include "output.h"
#include "progress.h"

namespace cfrules::cli {

enum class Format { table, json, ndjson, csv };

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsage = 2;
inline constexpr int kBadInput = 3;
inline constexpr int kRowsFailed = 4;
inline constexpr int kInterrupted = 130;

struct GlobalOptions {
  bool quiet = false;
  bool force = false;
  std::size_t threads = 0;
  std::uint64_t seed = 0;
  std::optional<Format> format;

  void add_to(OptionTable& table);
};

class Session {
 public:
  Session(GlobalOptions& options, Interrupt& interrupt) : options_(options), interrupt_(interrupt) {}

  [[nodiscard]] const GlobalOptions& options() const { return options_; }
  [[nodiscard]] Interrupt& interrupt() { return interrupt_; }
  [[nodiscard]] std::stop_token stop() const { return interrupt_.token(); }

  // A line on standard error, unless --quiet.
  void say(std::string_view line) const;
  [[nodiscard]] Output open_output(const std::string& path) const { return Output(path, options_.force); }
  // Asked for, else a table on a terminal and one JSON object per line anywhere else.
  [[nodiscard]] Format format_for(const Output& output) const;
  [[nodiscard]] Progress progress(std::string what) const;
  [[nodiscard]] Run run(Progress& progress) const;

 private:
  GlobalOptions& options_;
  Interrupt& interrupt_;
};

}  // namespace cfrules::cli

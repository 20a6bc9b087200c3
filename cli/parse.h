// From the words on the command line to a command with its options set.
#pragma once

#include <memory>
#include <string>

#include "command.h"

namespace cfrules::cli {

struct Parsed {
  std::unique_ptr<Command> command;  // none: only text to print
  std::string text;                  // help or version
};

// Throws UsageError.
[[nodiscard]] Parsed parse(int count, const char* const* words, GlobalOptions& global);

}  // namespace cfrules::cli

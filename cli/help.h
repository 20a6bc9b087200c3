// Help pages, written from the option tables; examples come first.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "command.h"

namespace cfrules::cli {

[[nodiscard]] std::string overview(std::span<const std::unique_ptr<Command>> commands);
[[nodiscard]] std::string command_help(const Command& command, const OptionTable& own, const OptionTable& global);
[[nodiscard]] std::string version_text();
// " (did you mean --target?)", or nothing where no name is near.
[[nodiscard]] std::string suggestion(const std::string& unknown, const std::vector<std::string>& known);

}  // namespace cfrules::cli

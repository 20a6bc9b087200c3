// Files that are read whole.
#pragma once

#include <string>

#include "cfrules/constraints.h"

namespace cfrules::cli {

// Throws InputError if there is no such file to read; "-" is standard input and always fine.
void require_readable(const std::string& path);
[[nodiscard]] std::string read_file(const std::string& path);
// The text itself, or what is in FILE for "@FILE". source becomes the name to use in errors.
[[nodiscard]] std::string text_or_file(const std::string& argument, const std::string& option, std::string& source);
// JSON, or TOML where the name ends in .toml.
[[nodiscard]] Constraints read_constraints(const std::string& path);

}  // namespace cfrules::cli

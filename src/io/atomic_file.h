// Writes a file whole or not at all: under a temporary name in the same folder, synced, then renamed. Whoever looks, at
// any time and after any crash, sees the old file or the new one. Two writers never share a temporary; the last wins.
#pragma once

#include <string>
#include <string_view>

namespace cfrules {

// Throws InputError if path exists and overwrite is false, or is not a plain file; IoError if the system refuses.
void write_file_atomically(const std::string& path, std::string_view bytes, bool overwrite);

// What the last failed system call said.
[[nodiscard]] std::string system_reason();

}  // namespace cfrules

// A file that lives in memory, for functions that take a path.
#pragma once

#include <string>
#include <string_view>

namespace cfrules::fuzz {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace cfrules::fuzz

// A folder of our own, in memory where the machine has such a place, gone at the end.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "checks.h"

namespace cfrules::fuzz {

class ScratchFolder {
 public:
  ScratchFolder() {
    path_ = std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path().string();
    path_ += "/cfrules-fuzz-XXXXXX";
    require(::mkdtemp(path_.data()) != nullptr, "a folder can be made");
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace cfrules::fuzz

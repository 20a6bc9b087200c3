// A file that is there while a test needs it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace cfrules {

class CsvTestFile {
 public:
  explicit CsvTestFile(std::string_view text, const std::string& name = "t.csv") {
    static int count = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("cfrules_" + std::to_string(::getpid()) + "_" + std::to_string(++count));
    std::filesystem::create_directories(folder_);
    path_ = (folder_ / name).string();
    std::ofstream(path_, std::ios::binary) << text;
  }
  CsvTestFile(const CsvTestFile&) = delete;
  CsvTestFile& operator=(const CsvTestFile&) = delete;
  ~CsvTestFile() { std::filesystem::remove_all(folder_); }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string folder() const { return folder_.string(); }

  // A message without this file's folder.
  [[nodiscard]] std::string local(std::string message) const {
    const std::string prefix = folder() + "/";
    for (std::size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix))
      message.erase(at, prefix.size());
    return message;
  }

 private:
  std::filesystem::path folder_;
  std::string path_;
};

}  // namespace cfrules

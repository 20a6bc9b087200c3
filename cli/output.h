// Where results go: standard output as they come, or a file that appears whole or not at all.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace cfrules::cli {

// The reader of our standard output is gone (cfrules ... | head): nothing to complain about, nothing more to do.
class ClosedPipe : public std::runtime_error {
 public:
  ClosedPipe() : std::runtime_error("closed pipe") {}
};

class Output {
 public:
  // "-": standard output. A file is written under a temporary name beside it; an existing one is refused unless force.
  Output(const std::string& path, bool force);
  ~Output();  // without finish() the temporary file is removed
  Output(Output&& other) noexcept;
  Output& operator=(Output&&) = delete;

  void write(std::string_view text);
  void finish();  // synced and renamed
  [[nodiscard]] bool terminal() const;

 private:
  void open_temporary();
  [[noreturn]] void fail(const char* what, int error) const;

  std::string path_;
  std::string temporary_;  // empty: written in place (standard output, a device)
  bool force_ = false;
  int file_ = -1;
};

}  // namespace cfrules::cli

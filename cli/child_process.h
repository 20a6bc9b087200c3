// A shell command with both ends of its pipes. Whatever happens, it is not left running.
#pragma once

#include <sys/types.h>

#include <stop_token>
#include <string>
#include <string_view>

namespace cfrules::cli {

class FileHandle {
 public:
  explicit FileHandle(int number = -1) : number_(number) {}
  ~FileHandle() { close(); }
  FileHandle(FileHandle&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  FileHandle& operator=(FileHandle&& other) noexcept;

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool open() const { return number_ >= 0; }
  void close();

 private:
  int number_;
};

class ChildProcess {
 public:
  explicit ChildProcess(const std::string& command);
  ~ChildProcess();  // ends it, with everything it started, if it still runs
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Feeds input and drains the output at once, so that neither side waits for the other.
  [[nodiscard]] std::string exchange(std::string_view input, const std::stop_token& stop);
  // The status waitpid gives.
  [[nodiscard]] int wait(const std::stop_token& stop);

 private:
  void feed(std::string_view& input);
  void drain(std::string& output);

  std::string command_;
  pid_t process_ = -1;
  FileHandle to_;
  FileHandle from_;
};

}  // namespace cfrules::cli

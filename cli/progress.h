// A bar on standard error with rate and time left. Redrawn at most ten times a second; gone when the work is.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace cfrules::cli {

class Progress {
 public:
  Progress(std::string what, bool shown) : what_(std::move(what)), shown_(shown) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  [[nodiscard]] bool shown() const { return shown_; }
  void update(std::size_t done, std::size_t total);
  void clear();  // before anything else is written to the terminal

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  bool shown_;
  bool drawn_ = false;
  std::mutex mutex_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

// The bar without escapes: "explaining [#####     ]  50 %  120/240  34/s  4 s left".
[[nodiscard]] std::string progress_line(const std::string& what, std::size_t done, std::size_t total, double seconds);

}  // namespace cfrules::cli

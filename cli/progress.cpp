#include "progress.h"

#include <algorithm>
#include <cstdio>

namespace cfrules::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenFrames{100};
constexpr std::size_t kBarColumns = 24;

std::string duration_text(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string rate_text(double rate) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, rate < 10 ? "%.1f/s" : "%.0f/s", rate);
  return buffer;
}

}  // namespace

std::string progress_line(const std::string& what, std::size_t done, std::size_t total, double seconds) {
  const double share = total == 0 ? 0 : static_cast<double>(std::min(done, total)) / static_cast<double>(total);
  const auto filled = static_cast<std::size_t>(share * kBarColumns);
  std::string line = what + " [" + std::string(filled, '#') + std::string(kBarColumns - filled, ' ') + "] ";
  line += std::to_string(static_cast<int>(share * 100)) + " %  " + std::to_string(done) + "/" + std::to_string(total);
  if (done == 0 || seconds <= 0) return line;
  const double rate = static_cast<double>(done) / seconds;
  line += "  " + rate_text(rate);
  if (done < total) line += "  " + duration_text(static_cast<double>(total - done) / rate) + " left";
  return line;
}

void Progress::update(std::size_t done, std::size_t total) {
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  if (!shown_ || now - last_ < kBetweenFrames) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::fprintf(stderr, "\r\x1b[K%s", progress_line(what_, done, total, seconds).c_str());
  drawn_ = true;
}

void Progress::clear() {
  const std::lock_guard lock(mutex_);
  if (drawn_) std::fputs("\r\x1b[K", stderr);
  drawn_ = false;
}

}  // namespace cfrules::cli

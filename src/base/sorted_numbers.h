// Where a value lies in a sorted list that is asked often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

namespace cfrules {

// Counts among every sixteenth number, then among sixteen: nothing to predict, and few steps wait for the one before. For
// lists of some hundreds; longer ones are better bisected (bisect.h).
class SortedNumbers {
 public:
  explicit SortedNumbers(std::span<const double> ascending) {
    numbers_.assign(ascending.begin(), ascending.end());
    do numbers_.push_back(kEnd);
    while (numbers_.size() % kRun != 0);
    for (std::size_t end = kRun; end <= numbers_.size(); end += kRun) tops_.push_back(numbers_[end - 1]);
    while (tops_.size() % kRun != 0) tops_.push_back(kEnd);
  }

  // How many are below the value.
  [[nodiscard]] std::size_t count_below(double value) const {
    std::size_t runs = 0;
    for (std::size_t at = 0; at < tops_.size(); at += kRun) runs += count_run(tops_.data() + at, value);
    return runs * kRun + count_run(numbers_.data() + runs * kRun, value);
  }

 private:
  static constexpr std::size_t kRun = 16;
  static constexpr double kEnd = std::numeric_limits<double>::infinity();  // below nothing

  using Two [[gnu::vector_size(2 * sizeof(double))]] = double;
  using TwoCounts [[gnu::vector_size(2 * sizeof(std::int64_t))]] = std::int64_t;

  [[nodiscard]] static std::size_t count_run(const double* run, double value) {
    TwoCounts counts{};
    for (std::size_t i = 0; i < kRun; i += 2) {
      Two two;
      std::memcpy(&two, run + i, sizeof two);
      counts -= two < value;  // true is -1
    }
    return static_cast<std::size_t>(counts[0] + counts[1]);
  }

  std::vector<double> numbers_;  // whole runs, the last ends with kEnd
  std::vector<double> tops_;     // the last of each run, and kEnd up to a whole run
};

}  // namespace cfrules

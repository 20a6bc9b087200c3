// What happened (or what a model said) in each row, and which of it is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cfrules {

struct Outcome {
  std::string name;
  std::vector<std::string> classes;  // empty: a numeric outcome
  std::vector<double> values;        // class index or number, one per row, never missing

  [[nodiscard]] bool numeric() const { return classes.empty(); }
  [[nodiscard]] std::size_t rows() const { return values.size(); }
};

// The wanted outcome: one or more classes, or a closed interval of a numeric outcome.
// After mark() nothing else needs to know classification from regression.
class Target {
 public:
  // "yes", "yes,maybe" or "LOW:HIGH" with either side empty. Throws InputError naming the classes or the range seen.
  [[nodiscard]] static Target parse(std::string_view text, const Outcome& outcome);
  [[nodiscard]] static Target of_classes(std::vector<std::string> names, const Outcome& outcome);
  [[nodiscard]] static Target of_interval(double low, double high, const Outcome& outcome);

  [[nodiscard]] bool numeric() const { return wanted_.empty(); }
  [[nodiscard]] bool contains(double value) const;  // value: class index or number
  [[nodiscard]] std::vector<std::uint8_t> mark(std::span<const double> values) const;

  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }
  [[nodiscard]] const std::vector<std::uint8_t>& wanted() const { return wanted_; }  // a flag per class
  [[nodiscard]] std::vector<std::string> names() const;  // wanted classes by name, or {"LOW:HIGH"}
  bool operator==(const Target&) const = default;

 private:
  std::vector<std::string> classes_;
  std::vector<std::uint8_t> wanted_;
  double low_ = -std::numeric_limits<double>::infinity();
  double high_ = std::numeric_limits<double>::infinity();
};

}  // namespace cfrules

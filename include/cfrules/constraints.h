// What people may not, or would rather not, change. The same keys in a file, on the command line and in Python.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace cfrules {

enum class Direction { any, immutable, increase, decrease };

// Values a feature may take: a closed range, or names.
struct AllowedValues {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::string> values;  // categories and booleans; empty: no limit by name
};

struct FeatureConstraint {
  std::string feature;
  Direction direction = Direction::any;
  AllowedValues allowed;
  double step = 0;  // > 0: new values lie on this lattice, counted from the range's low end if it has one, else from 0
  double cost = 1;  // weight of this feature in costs
};

struct FeatureLimit {
  std::string feature;
  AllowedValues allowed;
};

// Whoever ends up fulfilling all of condition must also fulfil all of consequence.
struct Implication {
  std::vector<FeatureLimit> condition;
  std::vector<FeatureLimit> consequence;
};

struct Constraints {
  std::vector<FeatureConstraint> features;
  std::vector<std::vector<std::string>> linked;  // change together or not at all
  std::vector<Implication> implies;
  std::size_t max_changes = 0;  // 0: no limit

  // {"features": {"age": "immutable", "duration": {"range": [6, 48], "step": 6, "cost": 2}, "housing": {"values":
  // [...]}},
  //  "linked": [["city", "state"]], "implies": [{"if": {...}, "then": {...}}], "max_changes": 3}
  // Throws InputError: unknown keys, wrong types, reversed ranges, contradictions. source names the file in errors.
  [[nodiscard]] static Constraints parse(std::string_view json, std::string_view source);
  // The same keys in TOML; -inf and inf stand for the open ends of ranges.
  [[nodiscard]] static Constraints parse_toml(std::string_view toml, std::string_view source);
};

}  // namespace cfrules

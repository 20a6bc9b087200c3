// Tables as the library sees them: checked once at the edge, immutable afterwards.
//
// Every cell is a double. Missing is NaN. A category is its index in Feature::categories; a boolean is 0 or 1.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cfrules {

enum class Kind { number, integer, boolean, category };

[[nodiscard]] std::string_view name_of(Kind kind);

struct Feature {
  std::string name;
  Kind kind = Kind::number;
  std::vector<std::string> categories;  // category: the names; boolean: the two words for 0 and 1; else empty

  bool operator==(const Feature&) const = default;
};

using Schema = std::vector<Feature>;

// Index of the feature with this name, or schema.size().
[[nodiscard]] std::size_t find_feature(const Schema& schema, std::string_view name);

class Table {
 public:
  Table() = default;
  // Throws InputError unless: one column per feature, all of one length, names unique and not empty, categories
  // within range, booleans 0 or 1, integers whole, no infinities.
  Table(Schema schema, std::vector<std::vector<double>> columns);

  [[nodiscard]] const Schema& schema() const { return schema_; }
  [[nodiscard]] std::size_t rows() const { return columns_.empty() ? 0 : columns_.front().size(); }
  [[nodiscard]] std::size_t features() const { return schema_.size(); }
  [[nodiscard]] std::span<const double> column(std::size_t feature) const { return columns_[feature]; }
  [[nodiscard]] double value(std::size_t row, std::size_t feature) const { return columns_[feature][row]; }
  [[nodiscard]] std::vector<double> row(std::size_t row) const;

  // The rows named, in that order.
  [[nodiscard]] Table select(std::span<const std::size_t> rows) const;

 private:
  Schema schema_;
  std::vector<std::vector<double>> columns_;
};

// The cell as a person writes it: a category's name, an integer without a point, the shortest decimal, "" if missing.
[[nodiscard]] std::string text_of(const Feature& feature, double value);

}  // namespace cfrules

// One column of a CSV file on its way from cells to values: cells come in row by row, out go the column's kind and
// values. Kinds are inferred over the whole column unless the plan names one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cfrules/table.h"
#include "data/csv_reader.h"

namespace cfrules {

// Which cells are missing: empty, NA, N/A, NaN, null, None, ? in any case, and what the user adds.
class MissingMarkers {
 public:
  void add(const std::vector<std::string>& markers);

  [[nodiscard]] bool match(std::string_view trimmed_text) const;
  [[nodiscard]] bool match(double number) const;  // "-7" is also the cell -7.0

 private:
  std::vector<std::string> words_;
  std::vector<double> numbers_;
};

struct ColumnPlan {
  std::string name;
  std::optional<Kind> kind;             // none: inferred
  std::vector<std::string> categories;  // the only ones allowed, in this order; empty: as seen, sorted
  MissingMarkers missing;
  bool mixed_allowed = false;      // numbers and a few texts are not taken for a mistake
  bool unseen_as_missing = false;  // rather than an error
  bool weights = false;            // none missing, none negative
  bool classes = false;            // known classes of an outcome: 1.0 is also 1, TRUE also true
};

struct Column {
  Feature feature;
  std::vector<double> values;
};

// The different texts of a column in the order they came.
class TextDictionary {
 public:
  struct Entry {
    std::string text;
    std::size_t line;  // of its first cell
    std::size_t count;
  };

  TextDictionary() = default;
  TextDictionary(TextDictionary&&) = default;  // a copy's index would look into the original
  TextDictionary& operator=(TextDictionary&&) = default;

  std::uint32_t add(std::string_view text, std::size_t line);
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view text) const;
  [[nodiscard]] const std::deque<Entry>& entries() const { return entries_; }
  void clear();

 private:
  std::deque<Entry> entries_;  // a deque: the views in index_ stay valid
  std::unordered_map<std::string_view, std::uint32_t> index_;
};

class ColumnBuilder {
 public:
  ColumnBuilder(ColumnPlan plan, std::size_t index, std::size_t most_rows);

  // The cell of the reader's present record.
  void add(const CsvReader& reader);

  // After the last row. True: the column mixes numbers and texts, so the numbers' texts are wanted too and every row
  // must be added once more. Throws InputError if the column looks like numbers with mistakes.
  [[nodiscard]] bool end_reading(const CsvReader& reader);

  [[nodiscard]] Column finish(const CsvReader& reader);

 private:
  enum class Mode { infer, number, text, known };

  void add_inferred(const Field& field, const CsvReader& reader);
  void add_number(const Field& field, const CsvReader& reader);
  void add_text(const Field& field, const CsvReader& reader);
  void add_known(const Field& field, const CsvReader& reader);
  void check_number(double value, const Field& field, const CsvReader& reader) const;
  [[nodiscard]] std::optional<double> find_known(std::string_view text) const;
  void check_not_mostly_numbers(const CsvReader& reader) const;
  void check_not_dates(const CsvReader& reader) const;
  void check_not_rounded(const CsvReader& reader) const;
  [[nodiscard]] Column finish_numbers();
  [[nodiscard]] Column finish_boolean(const CsvReader& reader);
  [[nodiscard]] Column finish_categories();

  ColumnPlan plan_;
  std::size_t index_;
  Mode mode_;
  std::vector<double> values_;  // numbers, or places in texts_ while all cells are texts
  TextDictionary texts_;
  std::size_t numbers_ = 0;
  std::size_t text_cells_ = 0;
  bool whole_ = true;
  TextDictionary rounded_;  // the first whole number that no double holds
};

[[nodiscard]] Table table_of(std::vector<Column> columns);

}  // namespace cfrules

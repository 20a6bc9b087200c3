// CSV in and out. In: quotes, newlines in quotes, CRLF, a byte order mark, any delimiter. Kinds are inferred over the
// whole column or given. Errors name file, line and column.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "cfrules/outcome.h"
#include "cfrules/table.h"

namespace cfrules {

// What a user may say about one column instead of having it inferred (a schema file holds these).
struct ColumnHint {
  std::string name;
  std::optional<Kind> kind;
  std::vector<std::string> categories;  // allowed categories, in the given order; empty: as seen, sorted
  std::vector<std::string> missing;     // further missing markers of this column
};

struct CsvOptions {
  char delimiter = 0;                // 0: the most plausible of , ; tab | in the header line
  std::vector<std::string> missing;  // further missing markers, beside "", NA, N/A, NaN, null, None, ? (any case)
  std::vector<ColumnHint> hints;
  std::vector<std::string> ignore;  // columns to leave out
};

// A schema file: {"columns": {"age": "integer", "housing": {"kind": "category", "categories": [...], "missing":
// [...]}}}
[[nodiscard]] std::vector<ColumnHint> read_schema_file(const std::string& path);

struct OutcomeRequest {
  std::string column;
  enum class As {
    infer,
    classes,
    number
  } as = As::infer;  // infer: a number with more than 20 distinct values is numeric
};

struct LabelledTable {
  Table table;
  Outcome outcome;                  // no rows where none was asked for or the column is absent
  std::vector<double> weights;      // empty: none were asked for
  std::size_t dropped = 0;          // rows left out because their outcome is missing
  std::vector<std::string> unused;  // people: columns that are neither features, nor the outcome, nor to be ignored
};

// Training data: all columns but outcome, weights and ignored ones become features. path "-" is standard input.
[[nodiscard]] LabelledTable read_training_csv(const std::string& path, const OutcomeRequest& outcome,
                                              const std::string& weights_column, const CsvOptions& options);

// People or test rows for a known schema: matched by name, any order. The outcome column may be there (its values are
// then read against the known classes) or not. unseen_as_missing: a category unseen at fit time counts as missing.
// Rows with a missing outcome keep NaN in outcome.values here; nothing is dropped.
struct PeopleOptions {
  CsvOptions csv;
  bool unseen_as_missing = false;
};
[[nodiscard]] LabelledTable read_people_csv(const std::string& path, const Schema& schema, const Outcome& known,
                                            const PeopleOptions& options);

// CSV out (RFC 4180, LF line ends, UTF-8): categories by name, shortest decimals, missing cells empty. The outcome, if
// given, is the last column and has as many rows.
[[nodiscard]] std::string to_csv(const Table& table, const Outcome* outcome = nullptr);

}  // namespace cfrules

// Tables that are in memory already: the columns of a data frame. The same kinds, checks and sentences as for CSV,
// except that a text is what it says: only "" and the markers the user names are missing, beside NaN.
#pragma once

#include <string>
#include <vector>

#include "cfrules/csv.h"
#include "cfrules/outcome.h"
#include "cfrules/run.h"
#include "cfrules/table.h"

namespace cfrules {

struct FrameColumn {
  enum class Holds { numbers, integers, booleans, texts };

  std::string name;
  Holds holds = Holds::numbers;
  std::vector<double> values;      // missing is NaN; a boolean is 0 or 1; a text is its place in names
  std::vector<std::string> names;  // texts: not every one need occur, and the order says nothing
};

struct FrameOptions {
  std::vector<ColumnHint> hints;     // what a schema file would say
  std::vector<std::string> missing;  // further missing markers, words or numbers
  bool unseen_as_missing = false;    // people: a category unseen at fit time counts as missing
  std::vector<std::string> classes;  // of the outcome, where more are known than need occur; empty: those that occur
};

// Without a hint, numbers that are all whole and partly missing are integers: many frames cannot hold those otherwise.
// Rows without an outcome are left out and counted. weights: empty, or one per row.
[[nodiscard]] LabelledTable training_from_frame(std::vector<FrameColumn> features, FrameColumn outcome,
                                                OutcomeRequest::As as, std::vector<double> weights,
                                                const FrameOptions& options, const Run& run = {});

// Matched by name, any order; further columns are not looked at.
[[nodiscard]] Table people_from_frame(std::vector<FrameColumn> columns, const Schema& schema,
                                      const FrameOptions& options, const Run& run = {});

// Class indices or numbers, NaN where missing.
[[nodiscard]] std::vector<double> outcomes_from_frame(FrameColumn outcome, const Outcome& known);

}  // namespace cfrules

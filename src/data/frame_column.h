// One column of a data frame on its way to a feature of a table.
#pragma once

#include <string>
#include <vector>

#include "cfrules/frame.h"
#include "data/csv_column.h"

namespace cfrules {

// What is wanted of a column; kind and categories as a user or a model gives them.
struct FramePlan {
  std::optional<Kind> kind;
  std::vector<std::string> categories;  // the only ones allowed; empty: as seen, sorted
  std::vector<std::string> missing;
  bool unseen_as_missing = false;
  bool classes = false;  // categories are the known classes of an outcome
};

// source names the table in errors: "X, row 3, column 'age': ...". Rows count from 0, as in results.
[[nodiscard]] Column read_frame_column(FrameColumn column, const FramePlan& plan, const std::string& source);

}  // namespace cfrules

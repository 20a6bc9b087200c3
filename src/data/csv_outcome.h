// The outcome column of training data: numbers or classes.
#pragma once

#include <string>

#include "cfrules/csv.h"
#include "data/csv_column.h"

namespace cfrules {

// What the request says about how the column is read.
void plan_outcome(ColumnPlan& plan, OutcomeRequest::As as);

// Missing cells stay NaN. Throws InputError if fewer than two different values were seen.
[[nodiscard]] Outcome make_outcome(Column column, OutcomeRequest::As as, const std::string& source);

}  // namespace cfrules

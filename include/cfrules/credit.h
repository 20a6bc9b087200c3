// A made-up credit table whose outcome law is known, for the demo, the documentation and the tests: what a rule states
// can be held against the truth. The people are invented; the dependences between the columns are of the usual kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "cfrules/outcome.h"
#include "cfrules/table.h"

namespace cfrules {

struct CreditData {
  Table table;
  Outcome outcome;  // "decision": "approved" or "rejected", drawn from the law row by row
};

// A row depends on the seed and its index alone: more rows continue the same table.
[[nodiscard]] CreditData credit_table(std::size_t rows, std::uint64_t seed);

// The law: the probability of "approved" for a row, columns found by name. Missing savings count as none, missing
// employment_years as 0. Throws InputError if a column is not there or another value is missing.
[[nodiscard]] double credit_approval_probability(const Schema& schema, std::span<const double> row);

// The law in plain words.
[[nodiscard]] std::string credit_law_description();

}  // namespace cfrules

// A generated table of any shape, the same on every machine: normal columns, an outcome that leans on the first ones.
#pragma once

#include <cstddef>

#include "cfrules/outcome.h"
#include "cfrules/table.h"

namespace cfrules::bench {

[[nodiscard]] Table random_table(std::size_t rows, std::size_t features);
// Two classes, or a number between about 0 and 500 000 (a house's price, say).
enum class OutcomeKind { classes, number };
[[nodiscard]] Outcome random_outcome(const Table& table, OutcomeKind kind);

}  // namespace cfrules::bench

// The order of a feature's categories, fixed before training: by mean outcome, so that one cut parses the categories
// into likely and unlikely ones.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cfrules/outcome.h"

namespace cfrules {

struct CategoryOrder {
  std::vector<std::uint32_t> position;  // category index -> place
  std::vector<std::size_t> rows;        // place -> rows of that category
  std::size_t seen = 0;                 // categories with weight in some row; they take the places 0 .. seen - 1
};

// Two classes: by the share of class 1. More: by the first principal component of the class shares, each category
// weighing as much as its rows. Numbers: by the mean. Ties, and categories no row has (they come last), by name.
[[nodiscard]] CategoryOrder order_categories(std::span<const double> column, const std::vector<std::string>& names,
                                             const Outcome& outcome, std::span<const double> weights);

}  // namespace cfrules

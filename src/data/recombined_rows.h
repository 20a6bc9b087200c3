// Rows that nobody has seen but that look like people: for asking a model what it thinks beyond its training rows.
//
// A base row takes each feature from itself or one of its nearest rows, then a few leading features from one donor.
// Values are always ones that were seen: nothing lies between two categories or two integers. Without the neighbours a
// model that learned its training rows by heart would answer from memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cfrules/run.h"
#include "cfrules/table.h"

namespace cfrules {

struct RecombinedRows {
  Table rows;
  std::vector<std::uint32_t> base;  // of each row: where it comes from
};

struct Recombination {
  std::size_t count = 0;                 // rows to make; row i does not depend on how many follow
  std::span<const std::size_t> swapped;  // features a donor may give; empty: neighbours only
  std::uint64_t seed = 0;
};

[[nodiscard]] RecombinedRows recombine(const Table& rows, const Recombination& how, const Run& run);

}  // namespace cfrules

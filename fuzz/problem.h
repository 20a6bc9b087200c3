// A whole small problem from bytes: a table, an outcome, how to learn from it, what to ask.
#pragma once

#include <vector>

#include "byte_feed.h"
#include "cfrules/explainer.h"

namespace cfrules::fuzz {

struct Problem {
  Table table;
  Outcome outcome;
  std::vector<double> weights;
  bool extreme = false;  // holds numbers near the ends of what a double can be
  FitOptions fit;
  ExplainOptions ask;
};

// Throws InputError where the bytes describe no table.
[[nodiscard]] Problem problem_of(ByteFeed& feed);

[[nodiscard]] Target target_of(ByteFeed& feed, const Outcome& outcome);

}  // namespace cfrules::fuzz

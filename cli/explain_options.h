// The options of every question about rules, and what they become once the model is known.
#pragma once

#include <string>

#include "cfrules/explainer.h"
#include "option_table.h"

namespace cfrules::cli {

struct ExplainArguments {
  ExplainOptions options;
  std::string target;
  std::string constraints;  // a file
  std::string noise;        // a number, or feature=number,...

  void add_target(OptionTable& table);
  void add_search(OptionTable& table);
  void add_recourse(OptionTable& table);
  // Reads the constraints and fits the noise to the model's features.
  [[nodiscard]] ExplainOptions complete(const Schema& schema, std::uint64_t seed) const;
};

// "0.05" or "age=2,income=100": the form RecourseOptions::noise asks for.
[[nodiscard]] std::vector<double> parse_noise(const std::string& text, const Schema& schema);

// The least probability the model's rules must reach under these options; NaN if the model does not say.
[[nodiscard]] double wanted_probability(const ExplainOptions& options, const std::string& provenance);

}  // namespace cfrules::cli

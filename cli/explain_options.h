// The options of every question about rules, and what they become once the model is known.
#pragma once

#include <string>

#include "cfrules/explainer.h"
#include "option_table.h"
#include "session.h"

namespace cfrules::cli {

struct ExplainArguments {
  ExplainOptions options;
  std::string target;
  std::string constraints;  // a file
  std::string noise;        // a number, or feature=number,...
  std::string verify;       // a program

  void add_target(OptionTable& table);
  void add_search(OptionTable& table);
  void add_verify(OptionTable& table);
  void add_recourse(OptionTable& table);
  // Reads the constraints, fits the noise to the model's features, settles a promise, finds the program that verifies.
  [[nodiscard]] ExplainOptions complete(const Explainer& model, const Target& wanted, const Session& session) const;
};

// "0.05" or "age=2,income=100": the form RecourseOptions::noise asks for.
[[nodiscard]] std::vector<double> parse_noise(const std::string& text, const Schema& schema);

// The least probability the model's rules must reach under these options; NaN if the model does not say.
[[nodiscard]] double wanted_probability(const ExplainOptions& options, const std::string& provenance);

}  // namespace cfrules::cli

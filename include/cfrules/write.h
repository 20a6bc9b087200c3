// Results as JSON (the one form of all front ends) and as text people read.
#pragma once

#include <string>

#include "cfrules/explainer.h"
#include "cfrules/explanation.h"

namespace cfrules {

// schema "cfrules.explanation/1"; one line. provenance: as Explainer::provenance gives it.
[[nodiscard]] std::string to_json(const Explanation& explanation, const std::string& provenance);
[[nodiscard]] std::string to_json(const SufficientExplanation& explanation, const Schema& schema,
                                  const std::string& provenance);
[[nodiscard]] std::string to_json(const Summary& summary, const std::string& provenance);
[[nodiscard]] std::string to_json(const RegionProbability& answer, bool with_weights, const std::string& provenance);
[[nodiscard]] std::string to_json(const Evaluation& evaluation, const std::string& provenance);

struct TextStyle {
  bool color = false;
  std::size_t width = 100;
};

[[nodiscard]] std::string to_text(const Explanation& explanation, const TextStyle& style = {});
[[nodiscard]] std::string to_text(const SufficientExplanation& explanation, const Schema& schema,
                                  const TextStyle& style = {});
[[nodiscard]] std::string to_text(const Summary& summary, const TextStyle& style = {});
[[nodiscard]] std::string to_text(const Evaluation& evaluation, const TextStyle& style = {});

// "[2 000, 5 000)", "at most 24", "above 3.5", "one of {own, free}", "own", "exactly 3".
[[nodiscard]] std::string range_text(const Condition& condition);

// CSV, one line per condition of each rule: a header line and the lines of one explanation.
[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string to_csv(const Explanation& explanation);
// CSV, one line per recourse: the person's whole row with the new values in it. people: the rows that were explained.
[[nodiscard]] std::string recourse_csv_header(const Schema& schema);
[[nodiscard]] std::string recourses_to_csv(const Explanation& explanation, const Table& people);
// CSV, header included: one line per regional rule, in words; of a summary by groups, one line per group.
[[nodiscard]] std::string to_csv(const Summary& summary);

}  // namespace cfrules

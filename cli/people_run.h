// Explaining people one after the other: what explain and recourse share.
#pragma once

#include <functional>
#include <string>

#include "cfrules/explainer.h"
#include "explain_options.h"
#include "people.h"
#include "session.h"

namespace cfrules::cli {

struct PeopleQuestion {
  std::string model;
  std::string people;
  std::string output = "-";
  bool strict = false;
  PeopleArguments reading;
  ExplainArguments explaining;

  void add_files(OptionTable& table);
};

// How an explanation becomes CSV: the header for a schema, and the lines.
struct CsvForm {
  std::function<std::string(const Schema& schema)> header;
  std::function<std::string(const Explanation& explanation, const Table& people)> lines;
};

// Returns the exit code: people without a rule are a result, and a failure only under --strict.
[[nodiscard]] int explain_people(Session& session, const PeopleQuestion& question, const CsvForm& csv);

}  // namespace cfrules::cli

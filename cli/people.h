// Reading models, people and training rows, with the options that say how.
#pragma once

#include <string>
#include <vector>

#include "cfrules/csv.h"
#include "cfrules/explainer.h"
#include "option_table.h"
#include "session.h"

namespace cfrules::cli {

struct CsvArguments {
  std::vector<std::string> missing;
  std::vector<std::string> ignore;
  char delimiter = 0;

  void add_to(OptionTable& table);
  [[nodiscard]] CsvOptions options() const;
};

struct PeopleArguments {
  CsvArguments csv;
  bool unseen_as_missing = false;

  void add_to(OptionTable& table);
  // Says which columns of the file the model does not know.
  [[nodiscard]] LabelledTable read(const Session& session, const std::string& path, const Explainer& model) const;
};

[[nodiscard]] Explainer load_model(const std::string& path);

}  // namespace cfrules::cli

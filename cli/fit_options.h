// What fit and import can be told about the forest, and the few lines they say at the end.
#pragma once

#include <string>
#include <vector>

#include "cfrules/csv.h"
#include "cfrules/explainer.h"
#include "option_table.h"
#include "people.h"
#include "session.h"

namespace cfrules::cli {

struct TrainingArguments {
  std::string data;
  OutcomeRequest outcome;
  std::string schema;   // a file
  std::string weights;  // a column
  CsvArguments csv;

  void add_to(OptionTable& table);
  [[nodiscard]] LabelledTable read() const;
};

// "yes=2,no=1" as one weight per class, 1 where none is given.
[[nodiscard]] std::vector<double> parse_class_weights(const std::string& text, const Outcome& outcome);

// Keeps the interrupt away while the file is put in place.
void save_model(Session& session, const Explainer& model, const std::string& path);

// Fails early, before hours of fitting, if the model could not be saved there.
void require_free(const std::string& path, bool force);

// Rows, features by kind, classes, out-of-bag score, time.
[[nodiscard]] std::string fit_summary(const Explainer& model, std::size_t dropped, double seconds,
                                      const std::string& path);

}  // namespace cfrules::cli

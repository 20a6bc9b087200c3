#include "people.h"

#include "files.h"
#include "words.h"

namespace cfrules::cli {

void CsvArguments::add_to(OptionTable& table) {
  table.list("--missing", "TOKENS", missing, "further markers of missing values, separated by commas");
  table.list("--ignore", "COLS", ignore, "columns to leave out, separated by commas");
  table.custom(
      "--delimiter", "CHAR",
      [this](const std::string& text) {
        if (text != "tab" && text.size() != 1)
          throw UsageError("--delimiter is \"" + text + "\"; allowed: one character, or tab");
        delimiter = text == "tab" ? '\t' : text.front();
      },
      "what separates the columns (found out from the header line)");
}

CsvOptions CsvArguments::options() const {
  CsvOptions options;
  options.delimiter = delimiter;
  options.missing = missing;
  options.ignore = ignore;
  return options;
}

void PeopleArguments::add_to(OptionTable& table) {
  csv.add_to(table);
  table.flag("--unseen-as-missing", unseen_as_missing, "a category the model has not seen counts as missing");
}

LabelledTable PeopleArguments::read(const Session& session, const std::string& path, const Explainer& model) const {
  require_readable(path);
  LabelledTable people = read_people_csv(path, model.schema(), model.outcome(), {csv.options(), unseen_as_missing});
  if (!people.unused.empty())
    session.say(one_line((path == "-" ? "standard input" : path) +
                         ": columns the model does not know are not used: " + listed(people.unused)));
  return people;
}

Explainer load_model(const std::string& path) {
  require_readable(path);
  return Explainer::load(path);
}

}  // namespace cfrules::cli

#include "fit_options.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>

#include "cfrules/error.h"
#include "files.h"
#include "words.h"

namespace cfrules::cli {
namespace {

constexpr std::size_t kClassesShown = 6;

std::string kinds_text(const Schema& schema) {
  std::string text;
  for (const Kind kind : {Kind::number, Kind::integer, Kind::boolean, Kind::category}) {
    const auto count = std::count_if(schema.begin(), schema.end(), [kind](const Feature& f) { return f.kind == kind; });
    if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(name_of(kind));
  }
  return text;
}

std::string classes_text(const Outcome& outcome) {
  if (outcome.numeric()) return "a number";
  std::vector<std::size_t> counts(outcome.classes.size(), 0);
  for (const double value : outcome.values) ++counts[static_cast<std::size_t>(value)];
  std::string text;
  for (std::size_t c = 0; c < counts.size() && c < kClassesShown; ++c) {
    text += (c > 0 ? ", " : "") + outcome.classes[c] + " " + grouped(counts[c]);
  }
  return counts.size() > kClassesShown ? text + ", ..." : text;
}

// The model says it in its own description, where it knows.
std::string score_text(const Explainer& model) {
  const double score = number_under(model.inspect(), "out_of_bag_score");
  return std::isnan(score) ? std::string() : "; out-of-bag score " + fixed(score, 3);
}

}  // namespace

void TrainingArguments::add_to(OptionTable& table) {
  table.text("DATA", "FILE", data, "training rows as CSV; - is standard input").required = true;
  table.text("--outcome", "COL", outcome.column, "the column to explain").required = true;
  table.choice<OutcomeRequest::As>("--outcome-kind", outcome.as,
                                   {{"class", OutcomeRequest::As::classes}, {"number", OutcomeRequest::As::number}},
                                   "what the outcome is (a number if it has more than 20 distinct numbers)");
  table.text("--schema", "FILE", schema, "kinds and categories of columns, as JSON");
  table.text("--weights", "COL", weights, "column with the weight of each row");
  csv.add_to(table);
}

LabelledTable TrainingArguments::read() const {
  require_readable(data);
  CsvOptions options = csv.options();
  if (!schema.empty()) {
    require_readable(schema);
    options.hints = read_schema_file(schema);
  }
  return read_training_csv(data, outcome, weights, options);
}

std::vector<double> parse_class_weights(const std::string& text, const Outcome& outcome) {
  if (text.empty()) return {};
  std::vector<double> weights(outcome.classes.size(), 1.0);
  for (const std::string& item : split_list(text, "--class-weights")) {
    const std::size_t equals = item.rfind('=');
    double weight = 0;
    const bool good = equals != std::string::npos && read_number(item.substr(equals + 1), weight) && weight > 0;
    if (!good) throw UsageError("--class-weights has \"" + item + "\"; allowed: class=number,... with numbers above 0");
    const auto found = std::find(outcome.classes.begin(), outcome.classes.end(), item.substr(0, equals));
    if (found == outcome.classes.end()) {
      throw InputError("--class-weights names \"" + item.substr(0, equals) +
                       "\"; the classes are: " + listed(outcome.classes));
    }
    weights[static_cast<std::size_t>(found - outcome.classes.begin())] = weight;
  }
  return weights;
}

void save_model(Session& session, const Explainer& model, const std::string& path) {
  const Interrupt::Hold hold(session.interrupt());
  model.save(path, session.options().force);
}

void require_free(const std::string& path, bool force) {
  if (path == "-") throw UsageError("-o is \"-\"; a model is written to a file");
  struct stat status{};
  const bool found = ::stat(path.c_str(), &status) == 0;
  if (found && S_ISDIR(status.st_mode)) throw InputError(path + ": is a directory; the name of a file is needed");
  if (!force && found) throw IoError(path + ": exists already; --force overwrites it");
}

std::string fit_summary(const Explainer& model, std::size_t dropped, double seconds, const std::string& path) {
  std::string text = path + ": " + grouped(model.rows().rows()) + " rows";
  if (dropped > 0) text += " (" + grouped(dropped) + " without an outcome left out)";
  text += ", " + grouped(model.schema().size()) + " features (" + kinds_text(model.schema()) + ")\n";
  text +=
      model.outcome().name + ": " + classes_text(model.outcome()) + score_text(model) + "; " + fixed(seconds, 1) + " s";
  return text;
}

}  // namespace cfrules::cli

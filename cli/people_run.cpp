#include "people_run.h"

#include <cmath>

#include "result_stream.h"
#include "words.h"

namespace cfrules::cli {
namespace {

std::string rendered(const Explanation& explanation, const ResultStream& stream, const std::string& provenance,
                     const CsvForm& csv, const Table& people) {
  switch (stream.format()) {
    case Format::table:
      return "Row " + std::to_string(explanation.row) + "\n" + to_text(explanation, stream.style());
    case Format::csv:
      return csv.lines(explanation, people);
    case Format::json:
    case Format::ndjson:
      return to_json(explanation, provenance);
  }
  return {};
}

bool has_answer(Status status) { return status == Status::found || status == Status::already_in_target; }

std::string shortfall_line(std::size_t without, std::size_t people, double wanted) {
  const std::string reach = std::isnan(wanted) ? "the wanted probability" : number_text(wanted);
  return std::to_string(without) + " of " + std::to_string(people) + (people == 1 ? " person has" : " people have") +
         " no rule that reaches " + reach;
}

void write_note(const Session& session, const std::string& note, Format format, Output& output) {
  if (note.empty()) return;
  if (format == Format::table) {
    output.write("\n" + note + "\n");
  } else {
    session.say(note);
  }
}

}  // namespace

void PeopleQuestion::add_files(OptionTable& table) {
  table.text("MODEL", "FILE", model, "a fitted model").required = true;
  table.text("PEOPLE", "FILE", people, "people as CSV, columns matched by name; - is standard input").required = true;
  explaining.add_target(table);
  table.text("-o,--output", "FILE", output, "where the results go (standard output)");
}

int explain_people(Session& session, const PeopleQuestion& question, const CsvForm& csv) {
  const Explainer model = load_model(question.model);
  const Target target = Target::parse(question.explaining.target, model.outcome());
  const ExplainOptions options = question.explaining.complete(model, target, session);
  const LabelledTable people = question.reading.read(session, question.people, model);
  const std::string provenance = model.provenance(options);
  Output output = session.open_output(question.output);
  ResultStream stream(session, output, csv.header(model.schema()));
  std::size_t without = 0;
  {
    Progress progress = session.progress("explaining");
    const auto sink = [&](Explanation&& explanation) {
      without += has_answer(explanation.status) ? 0 : 1;
      if (output.terminal()) progress.clear();
      stream.add(rendered(explanation, stream, provenance, csv, people.table));
    };
    model.explain(people.table, people.outcome.values, target, options, sink, session.run(progress));
  }
  stream.finish();
  write_note(session, model.probability_note(options), stream.format(), output);
  output.finish();
  if (without > 0) session.say(shortfall_line(without, people.table.rows(), wanted_probability(options, provenance)));
  return question.strict && without > 0 ? kRowsFailed : kDone;
}

}  // namespace cfrules::cli

#include "command.h"
#include "explain_options.h"
#include "external_program.h"
#include "people.h"
#include "result_stream.h"

namespace cfrules::cli {
namespace {

class EvaluateCommand : public Command {
 public:
  std::string name() const override { return "evaluate"; }
  std::string summary() const override {
    return "How good the rules are: accuracy, coverage, plausibility, cost, calibration.";
  }
  std::vector<std::string> examples() const override {
    return {"cfrules evaluate loans.cfr test.csv --target yes",
            "cfrules evaluate loans.cfr test.csv --target yes --predict-command 'python3 predict.py'",
            "cfrules evaluate loans.cfr test.csv --target yes --method nearest --format json"};
  }

  void add_options(OptionTable& table) override {
    table.text("MODEL", "FILE", model_, "a fitted model").required = true;
    table.text("TEST", "FILE", test_, "people as CSV; - is standard input").required = true;
    explaining_.add_target(table);
    table.text("--predict-command", "CMD", predict_,
               "the program that judges: CSV rows on its standard input, one prediction per line (the forest itself)");
    explaining_.add_search(table);
    explaining_.add_verify(table);
    explaining_.add_recourse(table);
    reading_.add_to(table);
    table.text("-o,--output", "FILE", output_, "where the result goes (standard output)");
  }

  int run(Session& session) override {
    const Explainer model = load_model(model_);
    const Target target = Target::parse(explaining_.target, model.outcome());
    const ExplainOptions options = explaining_.complete(model, target, session);
    const LabelledTable people = reading_.read(session, test_, model);
    Labeller judge;
    if (!predict_.empty()) judge = program_labeller(predict_, model.outcome(), session.stop());
    const std::string judge_name = predict_.empty() ? "the forest itself" : predict_;
    Output output = session.open_output(output_);
    Progress progress = session.progress("evaluating");
    const Evaluation evaluation =
        model.evaluate(people.table, people.outcome.values, target, options, judge, judge_name, session.run(progress));
    progress.clear();
    const Format format = session.format_for(output);
    if (format == Format::csv) throw UsageError("--format is \"csv\"; allowed here: table, json, ndjson");
    const std::string note = model.probability_note(options);
    output.write(format == Format::table ? to_text(evaluation, text_style(output)) + "\n" + note + "\n"
                                         : to_json(evaluation, model.provenance(options)) + "\n");
    output.finish();
    return kDone;
  }

 private:
  std::string model_;
  std::string test_;
  std::string predict_;
  std::string output_ = "-";
  PeopleArguments reading_;
  ExplainArguments explaining_;
};

}  // namespace

std::unique_ptr<Command> make_evaluate() { return std::make_unique<EvaluateCommand>(); }

}  // namespace cfrules::cli

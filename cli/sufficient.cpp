#include "command.h"
#include "people.h"
#include "result_stream.h"

namespace cfrules::cli {
namespace {

class SufficientCommand : public Command {
 public:
  std::string name() const override { return "sufficient"; }
  std::string summary() const override { return "Why a decision is what it is: the few features that settle it."; }
  std::vector<std::string> examples() const override {
    return {"cfrules sufficient loans.cfr people.csv", "cfrules sufficient loans.cfr people.csv --rules --pi 0.95",
            "cfrules sufficient loans.cfr people.csv --all --format ndjson"};
  }

  void add_options(OptionTable& table) override {
    table.text("MODEL", "FILE", model_, "a fitted model").required = true;
    table.text("PEOPLE", "FILE", people_, "people as CSV; - is standard input").required = true;
    table.share("--pi", options_.pi, "least probability of keeping the decision (0.9)");
    table.count("--max-features", options_.max_features, "most features of a set (4)", 1);
    table.count("--candidates", options_.candidates, "features that are tried, the leading ones (10)", 1);
    table.count("--min-rows", options_.min_rows, "least rows of a cell (5)", 1);
    table.flag("--all", options_.all, "every minimal set, not only the smallest");
    table.flag("--rules", options_.rules, "widen each set to the largest box with the same decision");
    reading_.add_to(table);
    table.flag("--strict", strict_, "exit code 4 if some decision has no such set");
    table.text("-o,--output", "FILE", output_, "where the results go (standard output)");
  }

  int run(Session& session) override {
    const Explainer model = load_model(model_);
    const LabelledTable people = reading_.read(session, people_, model);
    ExplainOptions told;
    told.pi = options_.pi;
    told.candidates = options_.candidates;
    told.max_features = options_.max_features;
    told.min_rows = options_.min_rows;
    told.seed = session.options().seed;
    const std::string provenance = model.provenance(told);
    Output output = session.open_output(output_);
    ResultStream stream(session, output, "");
    std::size_t without = 0;
    Progress progress = session.progress("explaining");
    const auto sink = [&](SufficientExplanation&& explanation) {
      without += explanation.found ? 0 : 1;
      if (output.terminal()) progress.clear();
      stream.add(rendered(explanation, model.schema(), stream, provenance));
    };
    model.sufficient(people.table, options_, sink, session.run(progress));
    progress.clear();
    stream.finish();
    output.finish();
    if (without > 0)
      session.say(std::to_string(without) + " of " + std::to_string(people.table.rows()) +
                  " decisions have no set of features that settles them");
    return strict_ && without > 0 ? kRowsFailed : kDone;
  }

 private:
  static std::string rendered(const SufficientExplanation& explanation, const Schema& schema,
                              const ResultStream& stream, const std::string& provenance) {
    if (stream.format() != Format::table) return to_json(explanation, schema, provenance);
    return "Row " + std::to_string(explanation.row) + "\n" + to_text(explanation, schema, stream.style());
  }

  std::string model_;
  std::string people_;
  std::string output_ = "-";
  bool strict_ = false;
  PeopleArguments reading_;
  SufficientOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_sufficient() { return std::make_unique<SufficientCommand>(); }

}  // namespace cfrules::cli

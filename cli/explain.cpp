#include "cfrules/write.h"
#include "command.h"
#include "people_run.h"

namespace cfrules::cli {
namespace {

class ExplainCommand : public Command {
 public:
  std::string name() const override { return "explain"; }
  std::string summary() const override {
    return "Rules for people: the fewest features to change, and into which ranges.";
  }
  std::vector<std::string> examples() const override {
    return {"cfrules explain loans.cfr people.csv --target yes",
            "cfrules explain loans.cfr people.csv --target yes --verify-command 'python3 predict.py'",
            "cfrules explain loans.cfr people.csv --target yes --constraints rules.json --format csv -o rules.csv",
            "cat people.csv | cfrules explain loans.cfr - --target yes --recourses 1"};
  }
  void add_options(OptionTable& table) override {
    question_.add_files(table);
    question_.explaining.add_search(table);
    question_.explaining.add_verify(table);
    table.count("--recourses", question_.explaining.options.recourse.per_rule, "points to propose in each rule (0)");
    question_.explaining.add_recourse(table);
    question_.reading.add_to(table);
    table.flag("--strict", question_.strict, "exit code 4 if somebody has no rule");
  }
  int run(Session& session) override {
    const CsvForm csv{[](const Schema&) { return csv_header(); },
                      [](const Explanation& explanation, const Table&) { return to_csv(explanation); }};
    return explain_people(session, question_, csv);
  }

 private:
  PeopleQuestion question_;
};

}  // namespace

std::unique_ptr<Command> make_explain() { return std::make_unique<ExplainCommand>(); }

}  // namespace cfrules::cli

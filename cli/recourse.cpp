#include "cfrules/write.h"
#include "command.h"
#include "people_run.h"

namespace cfrules::cli {
namespace {

class RecourseCommand : public Command {
 public:
  RecourseCommand() { question_.explaining.options.recourse.per_rule = 1; }
  std::string name() const override { return "recourse"; }
  std::string summary() const override { return "Points inside the rules: what exactly somebody could do."; }
  std::vector<std::string> examples() const override {
    return {"cfrules recourse loans.cfr people.csv --target yes --method nearest",
            "cfrules recourse loans.cfr people.csv --target yes --format csv -o changed_people.csv",
            "cfrules recourse loans.cfr people.csv --target yes --noise 0.02 --max-invalid 0.1"};
  }
  void add_options(OptionTable& table) override {
    question_.add_files(table);
    question_.explaining.add_recourse(table);
    table.count("--per-rule", question_.explaining.options.recourse.per_rule, "points in each rule (1)", 1);
    question_.explaining.add_search(table);
    question_.explaining.add_verify(table);
    question_.reading.add_to(table);
    table.flag("--strict", question_.strict, "exit code 4 if somebody has no rule");
  }
  int run(Session& session) override {
    return explain_people(session, question_, {recourse_csv_header, recourses_to_csv});
  }

 private:
  PeopleQuestion question_;
};

}  // namespace

std::unique_ptr<Command> make_recourse() { return std::make_unique<RecourseCommand>(); }

}  // namespace cfrules::cli

#include <cmath>

#include "base/decimal.h"
#include "command.h"
#include "io/csv_cell.h"
#include "people_run.h"

namespace cfrules::cli {
namespace {

std::string number_cell(double value) { return std::isfinite(value) ? shortest_decimal(value) : std::string(); }

std::string recourse_header(const Schema& schema) {
  std::string header = "row,rule,method,probability,inlier_score,cost,stays_in_box";
  for (const Feature& feature : schema) header += "," + csv_cell(feature.name);
  return header + "\n";
}

// The person's whole row with the proposed values in it.
std::string recourse_line(const Explanation& explanation, std::size_t rule, const Recourse& recourse,
                          const Table& people) {
  std::vector<std::string> cells;
  for (std::size_t f = 0; f < people.features(); ++f) {
    cells.push_back(text_of(people.schema()[f], people.value(explanation.row, f)));
  }
  for (const ChangedValue& changed : recourse.values) {
    cells[changed.index] = changed.cell.name.empty() ? number_cell(changed.cell.value) : changed.cell.name;
  }
  std::string line = std::to_string(explanation.row) + "," + std::to_string(rule) + "," +
                     std::string(name_of(recourse.method)) + "," + number_cell(recourse.probability) + "," +
                     number_cell(recourse.inlier_score) + "," + number_cell(recourse.cost) + "," +
                     number_cell(recourse.stays_in_box);
  for (const std::string& cell : cells) line += "," + csv_cell(cell);
  return line + "\n";
}

std::string recourse_lines(const Explanation& explanation, const Table& people) {
  std::string lines;
  for (std::size_t rule = 0; rule < explanation.rules.size(); ++rule) {
    for (const Recourse& recourse : explanation.rules[rule].recourses) {
      lines += recourse_line(explanation, rule, recourse, people);
    }
  }
  return lines;
}

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
    question_.reading.add_to(table);
    table.flag("--strict", question_.strict, "exit code 4 if somebody has no rule");
  }
  int run(Session& session) override { return explain_people(session, question_, {recourse_header, recourse_lines}); }

 private:
  PeopleQuestion question_;
};

}  // namespace

std::unique_ptr<Command> make_recourse() { return std::make_unique<RecourseCommand>(); }

}  // namespace cfrules::cli

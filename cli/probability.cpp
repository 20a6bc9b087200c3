#include "cfrules/error.h"
#include "command.h"
#include "estimator_option.h"
#include "files.h"
#include "people.h"

namespace cfrules::cli {
namespace {

constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

class ProbabilityCommand : public Command {
 public:
  std::string name() const override { return "probability"; }
  std::string summary() const override { return "How probable the wanted outcome is in a region you describe."; }
  std::vector<std::string> examples() const override {
    return {"cfrules probability loans.cfr --row person.csv --region '{\"savings\": [2000, null]}' --target yes",
            "cfrules probability loans.cfr --row people.csv --row-index 3 --region @region.json --target yes",
            "cfrules probability loans.cfr --row person.csv --region '{\"savings\": \"free\"}' --target yes "
            "--estimator paper --weights"};
  }

  void add_options(OptionTable& table) override {
    table.text("MODEL", "FILE", model_, "a fitted model").required = true;
    table.text("--row", "FILE", row_, "the person as CSV: a header and a row; - is standard input").required = true;
    table.count("--row-index", row_index_, "which row of the file, counted from 0 (needed if there are several)");
    table
        .text("--region", "JSON", region_,
              "feature -> \"free\", \"fixed\", [low, high], a list of names, or a rule's condition; text or @FILE; "
              "features not named keep the person's value")
        .required = true;
    table.text("--target", "T", target_, "wanted outcome: a class, several with commas, or LOW:HIGH").required = true;
    add_estimator(table, estimator_, "how the probability is estimated (moved)");
    table.count("--min-rows", min_rows_, "least rows of a cell (5)", 1);
    table.flag("--weights", weights_, "also the weight of every row");
    reading_.add_to(table);
    table.text("-o,--output", "FILE", output_, "where the result goes (standard output)");
  }

  int run(Session& session) override {
    const Explainer model = load_model(model_);
    const Target target = Target::parse(target_, model.outcome());
    std::string source;
    const std::string text = text_or_file(region_, "--region", source);
    const RegionSpec region = RegionSpec::parse(text, source);
    const LabelledTable people = reading_.read(session, row_, model);
    const std::vector<double> row = people.table.row(chosen_row(people.table.rows()));
    const RegionProbability answer = model.probability(row, region, target, estimator_, min_rows_, weights_);
    ExplainOptions told;
    told.estimator = estimator_;
    told.min_rows = min_rows_;
    told.seed = session.options().seed;
    Output output = session.open_output(output_);
    output.write(to_json(answer, weights_, model.provenance(told)) + "\n");
    output.finish();
    return kDone;
  }

 private:
  [[nodiscard]] std::size_t chosen_row(std::size_t rows) const {
    if (row_index_ == kNoRow && rows == 1) return 0;
    if (row_index_ == kNoRow)
      throw InputError(row_ + ": has " + std::to_string(rows) + " rows; say which with --row-index");
    if (row_index_ < rows) return row_index_;
    throw InputError("--row-index is " + std::to_string(row_index_) + "; " + row_ + " has " + std::to_string(rows) +
                     " rows, counted from 0");
  }

  std::string model_;
  std::string row_;
  std::string region_;
  std::string target_;
  std::string output_ = "-";
  std::size_t row_index_ = kNoRow;
  Estimator estimator_ = Estimator::moved;
  std::size_t min_rows_ = 5;
  bool weights_ = false;
  PeopleArguments reading_;
};

}  // namespace

std::unique_ptr<Command> make_probability() { return std::make_unique<ProbabilityCommand>(); }

}  // namespace cfrules::cli

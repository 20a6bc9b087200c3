#include <chrono>

#include "command.h"
#include "files.h"
#include "fit_options.h"

namespace cfrules::cli {
namespace {

class ImportCommand : public Command {
 public:
  std::string name() const override { return "import"; }
  std::string summary() const override { return "Take over a forest grown elsewhere, given as node arrays."; }
  std::vector<std::string> examples() const override {
    return {"cfrules import forest.json loans.csv --outcome approved -o loans.cfr"};
  }

  void add_options(OptionTable& table) override {
    table.text("FOREST", "FILE", forest_, "the trees as JSON: feature, threshold, left, right per node").required =
        true;
    training_.add_to(table);
    table.text("-o,--output", "FILE", output_, "the model file to write").required = true;
    table.count("--isolation-trees", options_.isolation_trees, "trees of the plausibility forest (200)", 1);
    table.choice<bool>("--preset", options_.paper, {{"paper", true}}, "the paper's search and estimator");
  }

  int run(Session& session) override {
    if (forest_ == "-" && training_.data == "-") throw UsageError("only one of FOREST and DATA can be standard input");
    require_free(output_, session.options().force);
    const auto start = std::chrono::steady_clock::now();
    const std::string forest = read_file(forest_);
    LabelledTable rows = training_.read();
    options_.labels = Labels::trees;
    options_.seed = session.options().seed;
    Progress progress = session.progress("importing");
    const Explainer model = Explainer::import(forest, forest_, std::move(rows.table), std::move(rows.outcome),
                                              std::move(rows.weights), options_, session.run(progress));
    progress.clear();
    save_model(session, model, output_);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    session.say(fit_summary(model, rows.dropped, taken.count(), output_));
    return kDone;
  }

 private:
  std::string forest_;
  TrainingArguments training_;
  std::string output_;
  FitOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_import() { return std::make_unique<ImportCommand>(); }

}  // namespace cfrules::cli

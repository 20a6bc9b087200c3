#include <chrono>
#include <cmath>

#include "cfrules/error.h"
#include "command.h"
#include "external_program.h"
#include "files.h"
#include "fit_options.h"

namespace cfrules::cli {
namespace {

class FitCommand : public Command {
 public:
  std::string name() const override { return "fit"; }
  std::string summary() const override { return "Learn from a table and write a model file."; }
  std::vector<std::string> examples() const override {
    return {"cfrules fit loans.csv --outcome approved -o loans.cfr",
            "cfrules fit scored.csv --outcome prediction --labels predicted --fresh scored_new.csv -o scored.cfr",
            "cfrules fit loans.csv --outcome approved --label-command 'python3 predict.py' -o model.cfr"};
  }

  void add_options(OptionTable& table) override {
    training_.add_to(table);
    table.text("-o,--output", "FILE", output_, "the model file to write").required = true;
    table.choice<Labels>(
        "--labels", labels_,
        {{"observed", Labels::observed},
         {"predicted", Labels::predicted},
         {"memorised", Labels::memorised},
         {"model", Labels::model}},
        "what the outcome is: what happened, a model's predictions, predictions on the model's own training "
        "rows, or a model that can be asked (observed)");
    table.text("--fresh", "FILE", fresh_,
               "predicted: rows the explained model was not trained on, with its predictions");
    table.text("--label-command", "CMD", label_command_,
               "model: the program that predicts; CSV rows on its standard input, one prediction per line");
    table.count("--generated", options_.generated, "model: rows made up for the model to label, for each real one (5)");
    table.count("--rounds", options_.rounds,
                "model: rounds of searching, asking the model about points of the rules, and learning again (0)");
    table.count("--audit", options_.audit, "people a target whom the search is tried on at fit time; 0: none (100)");
    add_forest_options(table);
    table.choice<bool>("--preset", options_.paper, {{"paper", true}},
                       "the paper's settings: 20 trees, depth 10, divergent search, its estimator");
  }

  int run(Session& session) override {
    require_free(output_, session.options().force);
    settle_labels();
    const auto start = std::chrono::steady_clock::now();
    LabelledTable rows = training_.read();
    options_.seed = session.options().seed;
    options_.class_weights = parse_class_weights(class_weights_, rows.outcome);
    if (!label_command_.empty()) options_.labeller = program_labeller(label_command_, rows.outcome, session.stop());
    if (!fresh_.empty()) read_fresh(rows);
    Progress progress = session.progress("fitting");
    const Explainer model = Explainer::fit(std::move(rows.table), std::move(rows.outcome), std::move(rows.weights),
                                           options_, session.run(progress));
    progress.clear();
    save_model(session, model, output_);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    session.say(fit_summary(model, rows.dropped, taken.count(), output_));
    return kDone;
  }

 private:
  void add_forest_options(OptionTable& table) {
    table.count("--trees", options_.trees, "trees of the forest (by labels)", 1);
    table.count("--depth", options_.depth, "greatest depth of a tree (no limit)", 1);
    table.count("--min-leaf", options_.min_leaf, "least rows of a leaf (by labels)", 1);
    table.count("--features-per-split", options_.features_per_split, "features tried at a split (by labels)", 1);
    table.count("--cuts", options_.cuts, "codes per feature, missing included (255)", 2);
    table.custom(
        "--no-bootstrap", "", [this](const std::string&) { options_.bootstrap = false; }, "grow trees on all rows");
    table.share("--subsample", options_.subsample, "share of the rows each tree draws (1)");
    table.text("--class-weights", "LIST", class_weights_, "class=number,...: how much rows of a class count");
    table.choice<EstimateOn>("--estimate", options_.estimate,
                             {{"all", EstimateOn::all}, {"oob", EstimateOn::oob}, {"honest", EstimateOn::honest}},
                             "rows that probabilities are estimated on (all)");
    table.count("--isolation-trees", options_.isolation_trees, "trees of the plausibility forest (200)", 1);
  }

  void settle_labels() {
    const bool has_command = !label_command_.empty();
    options_.labels = labels_.value_or(has_command ? Labels::model : Labels::observed);
    const bool is_model = options_.labels == Labels::model;
    if (is_model && !has_command) throw UsageError("--labels model needs --label-command");
    if (!is_model && has_command) throw UsageError("--label-command goes with --labels model only");
    if (!fresh_.empty() && options_.labels != Labels::predicted)
      throw UsageError("--fresh goes with --labels predicted only");
    if (options_.subsample <= 0) throw UsageError("--subsample is 0; allowed: a number above 0, at most 1");
  }

  void read_fresh(const LabelledTable& rows) {
    require_readable(fresh_);
    LabelledTable fresh = read_people_csv(fresh_, rows.table.schema(), rows.outcome, {training_.csv.options(), false});
    if (fresh.outcome.values.empty()) {
      throw InputError(fresh_ + ": has no column \"" + rows.outcome.name + "\" with the model's predictions");
    }
    std::vector<std::size_t> known;
    for (std::size_t row = 0; row < fresh.table.rows(); ++row) {
      if (std::isnan(fresh.outcome.values[row])) continue;
      known.push_back(row);
      options_.fresh_outcome.push_back(fresh.outcome.values[row]);
    }
    options_.fresh = fresh.table.select(known);
  }

  TrainingArguments training_;
  std::string output_;
  std::optional<Labels> labels_;
  std::string fresh_;
  std::string label_command_;
  std::string class_weights_;
  FitOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_fit() { return std::make_unique<FitCommand>(); }

}  // namespace cfrules::cli

#include <algorithm>
#include <array>
#include <cmath>

#include "cfrules/credit.h"
#include "cfrules/csv.h"
#include "cfrules/explainer.h"
#include "command.h"
#include "result_stream.h"
#include "words.h"

namespace cfrules::cli {
namespace {

constexpr std::size_t kTrainingRows = 2000;
constexpr std::size_t kPeopleShown = 3;
constexpr std::size_t kPeopleAudited = 30;
constexpr std::size_t kApplicants = 200;
constexpr std::string_view kConstraints =
    R"({"features": {"age": "immutable", "prior_defaults": "immutable", "job": "immutable",
                     "savings": "increase", "income": {"direction": "increase", "cost": 3},
                     "duration": {"range": [6, 72], "step": 6}}})";

// A rejected person's recourses against the law that made the table.
struct Claim {
  double stated = 0;
  double truth = 0;
};

class Story {
 public:
  Story(Session& session, Output& output)
      : session_(session), output_(output), style_(text_style(output)), seed_(session.options().seed) {}

  void tell() {
    const Explainer model = fit();
    options_.constraints = Constraints::parse(kConstraints, "the demo's constraints");
    options_.seed = seed_;
    const Table rejected = rejected_people(model);
    show_people(model, rejected);
    show_groups(model, rejected);
    show_measures(model, rejected);
    show_truth(model, rejected);
  }

 private:
  void say(const std::string& text) { output_.write(text); }
  void head(const std::string& title) { say("\n" + title + "\n" + std::string(title.size(), '-') + "\n"); }

  Explainer fit() {
    head("1. The table");
    CreditData data = credit_table(kTrainingRows, seed_);
    say(grouped(kTrainingRows) + " invented loan applications, " + grouped(data.table.features()) +
        " features, and who was approved.\n" + credit_law_description() + "\n");
    Progress progress = session_.progress("fitting");
    FitOptions options;
    options.seed = seed_;
    return Explainer::fit(std::move(data.table), std::move(data.outcome), {}, options, session_.run(progress));
  }

  // New applicants, not in the table the model has seen, whom it would reject as well.
  Table rejected_people(const Explainer& model) const {
    const CreditData all = credit_table(kTrainingRows + kApplicants, seed_);
    const Target target = wanted(model);
    const std::vector<double> expected = model.predict(all.table);
    std::vector<std::size_t> rows;
    for (std::size_t row = kTrainingRows; row < all.table.rows(); ++row) {
      if (!target.contains(all.outcome.values[row]) && !target.contains(expected[row])) rows.push_back(row);
    }
    return all.table.select(rows);
  }

  std::vector<Explanation> explain(const Explainer& model, const Table& people, RecourseMethod method) const {
    ExplainOptions options = options_;
    options.recourse.method = method;
    options.recourse.per_rule = 1;
    std::vector<Explanation> explanations;
    Progress progress = session_.progress("explaining");
    model.explain(
        people, {}, wanted(model), options, [&](Explanation&& one) { explanations.push_back(std::move(one)); },
        session_.run(progress));
    return explanations;
  }

  void show_people(const Explainer& model, const Table& rejected) {
    head("2. Three people who were rejected");
    say("Age, job and past defaults cannot change, savings and income only grow, a loan runs 6, 12, ... 72 months.\n");
    const Table few = head_of(rejected, kPeopleShown);
    const std::vector<Explanation> surest = explain(model, few, RecourseMethod::surest);
    const std::vector<Explanation> nearest = explain(model, few, RecourseMethod::nearest);
    for (std::size_t person = 0; person < surest.size(); ++person) {
      Explanation card = surest[person];
      if (!card.rules.empty()) card.rules.resize(1);
      if (!card.rules.empty() && !nearest[person].rules.empty()) {
        const std::vector<Recourse>& more = nearest[person].rules.front().recourses;
        card.rules.front().recourses.insert(card.rules.front().recourses.end(), more.begin(), more.end());
      }
      say("\n" + wrapped(described(few, person), style_.width, 4) + "\n" + to_text(card, style_));
    }
    say("\n" + model.probability_note(options_) + "\n");
  }

  static Table head_of(const Table& table, std::size_t rows) {
    std::vector<std::size_t> chosen(std::min(rows, table.rows()));
    for (std::size_t row = 0; row < chosen.size(); ++row) chosen[row] = row;
    return table.select(chosen);
  }

  static std::string described(const Table& people, std::size_t row) {
    std::string text = "Person " + std::to_string(row + 1) + ":";
    for (std::size_t f = 0; f < people.features(); ++f) {
      const std::string value = text_of(people.schema()[f], people.value(row, f));
      text += (f > 0 ? ", " : " ") + people.schema()[f].name + " " + (value.empty() ? "unknown" : value);
    }
    return text;
  }

  void show_groups(const Explainer& model, const Table& rejected) {
    head("3. A few rules for everybody who was rejected");
    RegionsOptions options;
    options.explain = options_;
    options.max_regions = 4;
    Progress progress = session_.progress("covering");
    const Run run = session_.run(progress);
    const Summary summary = model.summarize(rejected, {}, wanted(model), options, run);
    progress.clear();
    say(to_text(summary, style_));
  }

  static Target wanted(const Explainer& model) { return Target::parse("approved", model.outcome()); }

  void show_measures(const Explainer& model, const Table& rejected) {
    head("4. The measures");
    Progress progress = session_.progress("evaluating");
    const Table people = head_of(rejected, kPeopleAudited);
    const Evaluation evaluation =
        model.evaluate(people, {}, wanted(model), options_, {}, "the forest itself", session_.run(progress));
    progress.clear();
    say(to_text(evaluation, style_));
  }

  static double truth_of(const Table& people, const Explanation& explanation, const Recourse& recourse) {
    std::vector<double> row = people.row(explanation.row);
    for (const ChangedValue& changed : recourse.values) row[changed.index] = changed.cell.value;
    return credit_approval_probability(people.schema(), row);
  }

  void show_truth(const Explainer& model, const Table& rejected) {
    head("5. Stated against true: here the law is known");
    const Table people = head_of(rejected, kPeopleAudited);
    std::vector<Claim> claims;
    for (const RecourseMethod method : {RecourseMethod::surest, RecourseMethod::nearest}) {
      for (const Explanation& explanation : explain(model, people, method)) {
        for (const Rule& rule : explanation.rules) {
          for (const Recourse& point : rule.recourses) {
            claims.push_back({point.probability, truth_of(people, explanation, point)});
          }
        }
      }
    }
    say("    stated        true    cases\n");
    constexpr std::array<double, 6> kEdges = {0, 0.7, 0.8, 0.85, 0.9, 1.0001};
    for (std::size_t i = 0; i + 1 < kEdges.size(); ++i) say(truth_line(claims, kEdges[i], kEdges[i + 1]));
  }

  static std::string truth_line(const std::vector<Claim>& claims, double low, double high) {
    double stated = 0;
    double truth = 0;
    std::size_t count = 0;
    for (const Claim& claim : claims) {
      if (!(claim.stated >= low && claim.stated < high)) continue;
      stated += claim.stated;
      truth += claim.truth;
      ++count;
    }
    if (count == 0) return {};
    const auto cases = static_cast<double>(count);
    return pad_left(fixed(stated / cases, 2), 10) + pad_left(fixed(truth / cases, 2), 12) +
           pad_left(grouped(count), 9) + "\n";
  }

  Session& session_;
  Output& output_;
  TextStyle style_;
  std::uint64_t seed_;
  ExplainOptions options_;
};

class DemoCommand : public Command {
 public:
  std::string name() const override { return "demo"; }
  std::string summary() const override { return "The whole story on invented data, in a few seconds."; }
  std::vector<std::string> examples() const override {
    return {"cfrules demo", "cfrules demo --seed 7", "cfrules demo --data-only loans.csv"};
  }
  void add_options(OptionTable& table) override {
    table.text("--data-only", "FILE", data_file_, "write the invented table there as CSV, and do nothing else");
  }
  int run(Session& session) override {
    if (!data_file_.empty()) {
      const CreditData data = credit_table(kTrainingRows, session.options().seed);
      Output file = session.open_output(data_file_);
      file.write(to_csv(data.table, &data.outcome));
      file.finish();
      return kDone;
    }
    Output output = session.open_output("-");
    Story(session, output).tell();
    return kDone;
  }

 private:
  std::string data_file_;
};

}  // namespace

std::unique_ptr<Command> make_demo() { return std::make_unique<DemoCommand>(); }

}  // namespace cfrules::cli

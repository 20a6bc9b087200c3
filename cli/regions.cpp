#include "command.h"
#include "explain_options.h"
#include "files.h"
#include "people.h"
#include "result_stream.h"

namespace cfrules::cli {
namespace {

class RegionsCommand : public Command {
 public:
  std::string name() const override { return "regions"; }
  std::string summary() const override { return "Rules for groups: a few that together serve most people."; }
  std::vector<std::string> examples() const override {
    return {"cfrules regions loans.cfr --target yes",
            "cfrules regions loans.cfr people.csv --target yes --cover 0.8 --max-regions 5",
            "cfrules regions loans.cfr people.csv --target yes --by sex",
            "cfrules regions loans.cfr --target yes --of leaves",
            "cfrules regions loans.cfr --target yes --region '{\"age\": [30, 50], \"housing\": [\"rent\"]}'"};
  }

  void add_options(OptionTable& table) override {
    table.text("MODEL", "FILE", model_, "a fitted model").required = true;
    table.text("PEOPLE", "FILE", people_, "people as CSV (those the model was fitted on); - is standard input");
    explaining_.add_target(table);
    table.text("--region", "JSON", region_, "one rule for everybody in this region, given as JSON text or @FILE");
    table.choice<Of>("--of", of_, {{"cover", Of::cover}, {"leaves", Of::leaves}, {"sufficient", Of::sufficient}},
                     "which groups: few rules that cover the people, leaves of the forest, or the sufficient rules of people (cover)");
    table.share("--cover", options_.cover, "share of the people to serve (0.9)");
    table.count("--max-regions", options_.max_regions, "most rules (10)", 1);
    table.count("--max-rule-features", options_.max_rule_features, "most features a regional rule may change (2)", 1);
    table.text("--by", "COLUMN", options_.by, "also say how the groups of this feature fare: its categories, or quarters");
    explaining_.add_search(table);
    reading_.add_to(table);
    table.text("-o,--output", "FILE", output_, "where the results go (standard output)");
  }

  int run(Session& session) override {
    if (!region_.empty() && !people_.empty())
      throw UsageError("--region speaks of the model's own rows; leave out PEOPLE");
    if (of_ == Of::leaves && !people_.empty()) throw UsageError("--of leaves speaks of the model's own rows; leave out PEOPLE");
    if (!options_.by.empty() && (of_ != Of::cover || !region_.empty()))
      throw UsageError("--by speaks of few rules for all; leave out --of and --region");
    if (of_ != Of::cover && !region_.empty()) throw UsageError("--of and --region exclude each other");
    const Explainer model = load_model(model_);
    const Target target = Target::parse(explaining_.target, model.outcome());
    RegionsOptions options = options_;
    options.explain = explaining_.complete(model, target, session);
    if (region_.empty()) {
      write_summary(session, model, target, options);
    } else {
      write_region(session, model, target, options.explain);
    }
    return kDone;
  }

 private:
  enum class Of { cover, leaves, sufficient };

  Summary summarize(Session& session, const Explainer& model, const Target& target,
                    const RegionsOptions& options) const {
    Progress progress = session.progress("covering");
    const Run run = session.run(progress);
    if (of_ == Of::leaves) return model.summarize_leaves(target, options, run);
    if (of_ == Of::sufficient)
      return model.summarize_sufficient(people_.empty() ? model.rows() : reading_.read(session, people_, model).table, target, options, run);
    if (people_.empty()) return model.summarize(model.rows(), model.outcome().values, target, options, run);
    const LabelledTable people = reading_.read(session, people_, model);
    return model.summarize(people.table, people.outcome.values, target, options, run);
  }

  void write_summary(Session& session, const Explainer& model, const Target& target,
                     const RegionsOptions& options) const {
    Output output = session.open_output(output_);
    const Summary summary = summarize(session, model, target, options);
    const std::string note = model.probability_note(options.explain);
    switch (session.format_for(output)) {
      case Format::table:
        output.write(to_text(summary, text_style(output)) + (note.empty() ? "" : "\n" + note + "\n"));
        break;
      case Format::csv:
        output.write(to_csv(summary));
        break;
      case Format::json:
      case Format::ndjson:
        output.write(to_json(summary, model.provenance(options.explain)) + "\n");
    }
    output.finish();
    if (session.format_for(output) != Format::table && !note.empty()) session.say(note);
  }

  void write_region(Session& session, const Explainer& model, const Target& target,
                    const ExplainOptions& options) const {
    std::string source;
    const std::string text = text_or_file(region_, "--region", source);
    RegionSpec region = RegionSpec::parse(text, source);
    region.others = SideSpec::What::free;
    Output output = session.open_output(output_);
    Progress progress = session.progress("searching");
    const Explanation explanation = model.explain_region(region, target, options, session.run(progress));
    progress.clear();
    switch (session.format_for(output)) {
      case Format::table:
        output.write(to_text(explanation, text_style(output)));
        break;
      case Format::csv:
        output.write(csv_header() + to_csv(explanation));
        break;
      case Format::json:
      case Format::ndjson:
        output.write(to_json(explanation, model.provenance(options)) + "\n");
    }
    output.finish();
  }

  std::string model_;
  std::string people_;
  std::string region_;
  Of of_ = Of::cover;
  std::string output_ = "-";
  PeopleArguments reading_;
  ExplainArguments explaining_;
  RegionsOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_regions() { return std::make_unique<RegionsCommand>(); }

}  // namespace cfrules::cli

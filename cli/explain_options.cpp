#include "explain_options.h"

#include <cmath>

#include "cfrules/error.h"
#include "estimator_option.h"
#include "external_program.h"
#include "files.h"
#include "words.h"

namespace cfrules::cli {

void ExplainArguments::add_target(OptionTable& table) {
  table
      .text("--target", "T", target, "wanted outcome: a class, several with commas, or LOW:HIGH with either side empty")
      .required = true;
}

void ExplainArguments::add_search(OptionTable& table) {
  table.choice<Search>("--search", options.search, {{"sparsest", Search::sparsest}, {"divergent", Search::divergent}},
                       "fewest features with a rule, or the paper's divergent sets (the model's)");
  add_estimator(table, options.estimator, "how probabilities are estimated (the model's)");
  table.share("--min-probability", options.min_probability,
              "least probability of a rule (0.9; 0.8 for observed outcomes)");
  table.share("--promise", options.promise,
              "instead: the least threshold whose rules came true this often for audited people");
  table.share("--confidence", options.confidence, "how sure the promise must be (0.95)");
  table.share("--floor", options.floor,
              "least probability anywhere in a rule (as above; 0.1 less for observed outcomes)");
  table.share("--min-mass", options.min_mass, "least share of people already in a rule (0.02)");
  table.share("--pi", options.pi, "threshold of the divergent search (0.9)");
  table.count("--candidates", options.candidates, "features that may change, the leading ones (10)", 1);
  table.list("--candidate-features", "COLS", options.candidate_features, "features that may change, by name");
  table.flag("--rank-by-splits", options.rank_by_splits, "leading means most used in splits, as in the paper");
  table.count("--max-features", options.max_features, "most features a rule may change (4)", 1);
  table.count("--rules", options.rules, "rules per person (3)", 1);
  table.count("--min-rows", options.min_rows, "least rows of a cell (5)", 1);
  table.flag("--all-sets", options.all_sets, "divergent: every minimal set that reaches pi");
  table.count("--path-sets", options.path_sets, "divergent: sets sampled from decision paths instead of all (0)");
  table.count("--work-limit", options.work_limit, "steps of the search for one box (200000)", 1);
  table.text("--constraints", "FILE", constraints, "what may change, in JSON or TOML");
}

void ExplainArguments::add_verify(OptionTable& table) {
  table.text("--verify-command", "CMD", verify,
             "the model as a program, asked about points of every rule before it is offered: CSV rows on its standard "
             "input, one prediction per line");
}

void ExplainArguments::add_recourse(OptionTable& table) {
  table.choice<RecourseMethod>("--method", options.recourse.method,
                               {{"surest", RecourseMethod::surest},
                                {"nearest", RecourseMethod::nearest},
                                {"cheapest", RecourseMethod::cheapest},
                                {"annealing", RecourseMethod::annealing}},
                               "how points in a rule are chosen (surest)");
  table.text("--noise", "S", noise,
             "standard deviation with which points are reached: a share of every range, or feature=number,...");
  table.share("--max-invalid", options.recourse.max_invalid,
              "only points that leave the rule at most this often under --noise");
  table.flag("--l2", options.recourse.l2, "nearest by l2 instead of l1");
  table.count("--steps", options.recourse.steps, "steps of the annealing (1000)", 1);
}

ExplainOptions ExplainArguments::complete(const Explainer& model, const Target& wanted, const Session& session) const {
  ExplainOptions complete = options;
  if (!std::isnan(options.promise) && !std::isnan(options.min_probability))
    throw UsageError("--promise and --min-probability exclude each other");
  if (!std::isnan(options.recourse.max_invalid) && noise.empty()) throw UsageError("--max-invalid needs --noise");
  if (!constraints.empty()) complete.constraints = read_constraints(constraints);
  if (!noise.empty()) complete.recourse.noise = parse_noise(noise, model.schema());
  if (!verify.empty()) complete.verify = program_labeller(verify, model.outcome(), session.stop());
  complete.seed = session.options().seed;
  return model.with_promise(complete, wanted);
}

std::vector<double> parse_noise(const std::string& text, const Schema& schema) {
  double number = 0;
  const auto good = [&number](const std::string& word) { return read_number(word, number) && number >= 0; };
  const std::string allowed = "; allowed: a number of at least 0, or feature=number,...";
  if (text.find('=') == std::string::npos) {
    if (!good(text)) throw UsageError("--noise is \"" + text + "\"" + allowed);
    return {number};
  }
  std::vector<double> noise(schema.size(), kUnknown);
  for (const std::string& item : split_list(text, "--noise")) {
    const std::size_t equals = item.rfind('=');
    if (equals == std::string::npos || !good(item.substr(equals + 1)))
      throw UsageError("--noise has \"" + item + "\"" + allowed);
    const std::string name = item.substr(0, equals);
    const std::size_t feature = find_feature(schema, name);
    if (feature == schema.size())
      throw InputError("--noise names \"" + name + "\", which is not a feature of the model");
    noise[feature] = number;
  }
  return noise;
}

double wanted_probability(const ExplainOptions& options, const std::string& provenance) {
  return std::isnan(options.min_probability) ? number_under(provenance, "min_probability") : options.min_probability;
}

}  // namespace cfrules::cli

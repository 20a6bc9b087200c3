// The library's front door: learn from a table, then explain people, groups and decisions.
//
// An Explainer is frozen once made: all questions are const, and any number of threads may ask at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cfrules/constraints.h"
#include "cfrules/explanation.h"
#include "cfrules/outcome.h"
#include "cfrules/region_spec.h"
#include "cfrules/run.h"
#include "cfrules/table.h"

namespace cfrules {

// What the outcome column is; it decides the forest and how its probabilities are mapped to real ones.
enum class Labels { observed, predicted, memorised, model, trees };
enum class EstimateOn { all, oob, honest };

[[nodiscard]] std::string_view name_of(Labels labels);
[[nodiscard]] std::string_view name_of(EstimateOn rows);

// Answers for rows of the training schema: a class index or a number each.
using Labeller = std::function<std::vector<double>(const Table& rows)>;

struct FitOptions {
  Labels labels = Labels::observed;
  bool paper = false;             // the paper's settings: 20 trees of depth 10, divergent search, its estimator
  std::size_t trees = 0;          // 0 here and below: by labels
  std::size_t depth = 0;          // no limit
  std::size_t min_leaf = 0;
  std::size_t features_per_split = 0;
  std::size_t cuts = 255;         // codes per feature, missing included
  bool bootstrap = true;
  double subsample = 1.0;
  std::vector<double> class_weights;
  EstimateOn estimate = EstimateOn::all;
  std::size_t isolation_trees = 200;
  std::uint64_t seed = 0;
  std::optional<Table> fresh;     // rows the explained model was not trained on, with its answers
  std::vector<double> fresh_outcome;
  Labeller labeller;              // labels = model
  std::size_t generated = 5;      // labels = model: rows made up for the model to label, for each real one
  // labels = model: so often the search is run for people of the table, the model asked about points of their rules, and
  // the forest grown again on the answers too.
  std::size_t rounds = 0;
  // People a target for whom the search is tried at fit time, to see how often its rules come true; 0: none. Default: 100,
  // or none for tables so large that a second fit would be felt.
  std::size_t audit = kByRows;
  static constexpr std::size_t kByRows = static_cast<std::size_t>(-1);
};

struct RecourseOptions {
  RecourseMethod method = RecourseMethod::surest;
  std::size_t per_rule = 0;
  std::vector<double> noise;      // standard deviation per feature (missing: none); one number counts for all, as a share of the range
  double max_invalid = kUnknown;  // accept only points that leave the box at most this often
  bool l2 = false;                // nearest by l2 instead of l1
  std::size_t steps = 1000;       // annealing
};

struct ExplainOptions {
  std::optional<Search> search;        // default: the model's
  std::optional<Estimator> estimator;  // default: the model's
  double pi = 0.9;                     // threshold of the divergent search
  double min_probability = kUnknown;   // default: 0.9, or 0.8 for observed outcomes
  double promise = kUnknown;           // instead of min_probability: the threshold whose audited rules come true this often
  double confidence = 0.95;            // of the promise
  double floor = kUnknown;             // least probability anywhere in a rule; default: min_probability, 0.1 less if observed
  double min_mass = 0.02;
  std::size_t candidates = 10;
  std::vector<std::string> candidate_features;  // instead of the leading ones
  bool rank_by_splits = false;                  // the paper's order of candidates
  std::size_t max_features = 4;
  std::size_t rules = 3;
  std::size_t min_rows = 5;
  bool all_sets = false;        // divergent: every set that reaches pi with no proper subset that does
  std::size_t path_sets = 0;    // divergent: this many sets sampled from decision paths instead of all subsets
  std::size_t work_limit = 200'000;
  RecourseOptions recourse;
  Constraints constraints;
  std::uint64_t seed = 0;
  // The model, if it is at hand while people are explained: it is asked about points of every rule before the rule is
  // offered, and what it says is the probability stated. Sparsest search, moved estimator.
  Labeller verify;
};

struct RegionsOptions {
  ExplainOptions explain;
  double cover = 0.9;
  std::size_t max_regions = 10;
  std::size_t max_rule_features = 2;
  std::string by = {};  // a feature: the summary also says how its groups fare; empty: no groups
};

struct SufficientOptions {
  double pi = 0.9;
  std::size_t max_features = 4;
  std::size_t candidates = 10;
  std::size_t min_rows = 5;
  bool all = false;    // every inclusion-minimal set, not only the smallest
  bool rules = false;  // widen each set to a box
};

struct RegionProbability {
  Estimator estimator = Estimator::moved;
  double probability = kUnknown;   // calibrated for moved, as estimated otherwise
  double raw = kUnknown;
  double mass = kUnknown;
  std::vector<std::size_t> cells;  // rows of each tree's cell
  std::vector<double> weights;     // per training row, summing to 1
  std::size_t donors = 0;
  double inlier_share = kUnknown;  // moved: of the donors' points
};

struct ReliabilityBin {
  double stated = kUnknown;
  double observed = kUnknown;
  std::size_t count = 0;
};

struct Evaluation {
  std::size_t people = 0;   // who needed recourse
  std::size_t already = 0;  // whose outcome was wanted already
  double coverage = kUnknown;
  double accuracy = kUnknown;           // all people asked, no recourse counts as failure
  double accuracy_found = kUnknown;     // among people with a recourse
  double donor_accuracy = kUnknown;     // rows drawn from the rule's donors
  double stated = kUnknown;
  double calibration_error = kUnknown;  // expected calibration error of stated against donor draws
  double calibration_error_low = kUnknown;  // 95 % interval, by drawing the people again
  double calibration_error_high = kUnknown;
  double plausibility = kUnknown;
  double sparsity = kUnknown;
  double cost = kUnknown;
  double mass = kUnknown;
  std::vector<double> stability;        // under noise of variance 0.01, 0.025, 0.05
  double below_half = kUnknown;         // share of rules that come true less than half of the time
  double seconds_per_person = kUnknown;
  std::vector<ReliabilityBin> reliability;
  std::string judged_by;                // "the forest itself" or the program's name
};

class Explainer {
 public:
  [[nodiscard]] static Explainer fit(Table table, Outcome outcome, std::vector<double> weights, const FitOptions& options,
                                     const Run& run = {});
  // A forest given as node arrays (docs/import.md) over the rows of a table; estimation rows are all of them.
  [[nodiscard]] static Explainer import(std::string_view forest_json, std::string_view source, Table table, Outcome outcome,
                                        std::vector<double> weights, const FitOptions& options, const Run& run = {});
  [[nodiscard]] static Explainer load(const std::string& path, const Run& run = {});
  void save(const std::string& path, bool overwrite, const Run& run = {}) const;  // to a temporary name, synced, renamed

  Explainer(Explainer&&) noexcept;
  Explainer& operator=(Explainer&&) noexcept;
  ~Explainer();

  [[nodiscard]] const Schema& schema() const;
  [[nodiscard]] const Outcome& outcome() const;  // of the training rows
  [[nodiscard]] const Table& rows() const;
  [[nodiscard]] std::vector<double> predict(const Table& rows, const Run& run = {}) const;  // class index, or number
  [[nodiscard]] std::vector<double> predict_probability(const Table& rows, const Run& run = {}) const;  // rows x classes
  [[nodiscard]] std::string inspect() const;  // JSON: what the model is and how it was made
  [[nodiscard]] std::string checksum(const Run& run = {}) const;  // "sha256:..."-like name of the model's content

  // outcomes: the people's present outcome (class index or number, NaN unknown), or empty: the forest's prediction.
  // sink gets one explanation per person, in order, as they finish; memory does not grow with their number.
  void explain(const Table& people, std::span<const double> outcomes, const Target& target, const ExplainOptions& options,
               const std::function<void(Explanation&&)>& sink, const Run& run = {}) const;
  // One rule for everybody in a region: its people are the training rows inside that are not in the target.
  [[nodiscard]] Explanation explain_region(const RegionSpec& region, const Target& target, const ExplainOptions& options,
                                           const Run& run = {}) const;
  // Few rules for many people. The groups of a feature are its categories, or quarters of the training rows.
  [[nodiscard]] Summary summarize(const Table& people, std::span<const double> outcomes, const Target& target,
                                  const RegionsOptions& options, const Run& run = {}) const;
  // The same answer for the leaves of the first tree that hold most people outside the target, and for the sufficient rules
  // of people (why their decision is what it is, widened to a box): at most max_regions groups, each with its own rule.
  [[nodiscard]] Summary summarize_leaves(const Target& target, const RegionsOptions& options, const Run& run = {}) const;
  [[nodiscard]] Summary summarize_sufficient(const Table& people, const Target& target, const RegionsOptions& options,
                                             const Run& run = {}) const;
  void sufficient(const Table& people, const SufficientOptions& options,
                  const std::function<void(SufficientExplanation&&)>& sink, const Run& run = {}) const;
  [[nodiscard]] RegionProbability probability(std::span<const double> row, const RegionSpec& region, const Target& target,
                                              Estimator estimator, std::size_t min_rows, bool with_weights) const;
  [[nodiscard]] Evaluation evaluate(const Table& people, std::span<const double> outcomes, const Target& target,
                                    const ExplainOptions& options, const Labeller& judge, const std::string& judge_name,
                                    const Run& run = {}) const;
  // Options whose min_probability keeps their promise; unchanged if they make none. Throws InputError if the audit does not
  // bear it out. All questions do this themselves; it is for printing the settings.
  [[nodiscard]] ExplainOptions with_promise(const ExplainOptions& options, const Target& target) const;
  // The settings an explanation is printed with: version, model, seed and all options, as a JSON object.
  [[nodiscard]] std::string provenance(const ExplainOptions& options, const Run& run = {}) const;
  // One plain line: what the stated probability is and what it rests on.
  [[nodiscard]] std::string probability_note(const ExplainOptions& options) const;

  struct Impl;  // the library's own

 private:
  explicit Explainer(std::unique_ptr<const Impl> impl);
  std::unique_ptr<const Impl> impl_;
};

}  // namespace cfrules

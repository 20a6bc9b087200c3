// What explanations are worth: every person's recourse and rules, put before a judge.
#include <algorithm>
#include <chrono>
#include <optional>

#include "api/impl.h"
#include "api/person_explainer.h"
#include "api/verified_explainer.h"
#include "base/parallel.h"
#include "cfrules/error.h"
#include "quality/trials.h"

namespace cfrules {

namespace {

// A flag per point of all trials, in order.
std::vector<std::uint8_t> verdicts(const std::vector<Trial>& trials, const Schema& schema, const Target& target,
                                   const Labeller& judge) {
  const Table points = points_of(trials, schema);
  if (points.rows() == 0) return {};
  const std::vector<double> answers = judge(points);
  if (answers.size() != points.rows())
    throw InputError("the judge gave " + std::to_string(answers.size()) + " answers for " +
                     std::to_string(points.rows()) + " rows; one per row is needed");
  return target.mark(answers);
}

// Progress of a part, told as progress of the whole.
Run part_of(const Run& run, std::size_t done_before, std::size_t total) {
  Run part = run;
  if (run.progress)
    part.progress = [&run, done_before, total](std::size_t done, std::size_t) {
      run.progress(done_before + done, total);
    };
  return part;
}

// As many people as need at most this many rows judged at once.
std::size_t people_at_once(std::size_t rules) {
  constexpr std::size_t kMostRows = 100'000;
  const std::size_t rows = 1 + kNoiseVariances.size() * kNoisyCopies + kDrawsPerRule * rules;
  return std::max<std::size_t>(1, kMostRows / rows);
}

}  // namespace

Evaluation Explainer::evaluate(const Table& people, std::span<const double> outcomes, const Target& target,
                               const ExplainOptions& options, const Labeller& judge, const std::string& judge_name,
                               const Run& run) const {
  impl_->check_schema(people);
  ExplainOptions asked = options;
  asked.recourse.per_rule = std::max<std::size_t>(1, options.recourse.per_rule);
  const PersonExplainer explainer(*impl_, target, asked, run);
  std::optional<VerifiedExplainer> verified;
  if (options.verify) verified.emplace(*impl_, target, asked, run);
  const Model& model = impl_->model;
  const TrialMaker maker(model.rows, impl_->conditional.blocks(), model.weights, impl_->costs, options.seed);
  const Labeller own = [&](const Table& points) { return predict(points, {run.threads, run.stop, {}}); };

  std::vector<PersonTrial> tried;
  std::size_t already = 0;
  std::chrono::duration<double> spent{0};
  const std::size_t block = options.verify ? VerifiedExplainer::kPeopleAtOnce : people_at_once(options.rules);
  for (std::size_t first = 0; first < people.rows(); first += block) {
    std::vector<Trial> trials(std::min(block, people.rows() - first));
    const auto start = std::chrono::steady_clock::now();
    std::vector<Explanation> answers;
    if (verified) answers = verified->explain(people, outcomes, first, trials.size(), run);
    parallel_for(trials.size(), part_of(run, first, people.rows()), [&](std::size_t i) {
      trials[i] =
          maker.make(people.row(first + i), verified ? answers[i] : explainer.explain(people, outcomes, first + i));
    });
    spent += std::chrono::steady_clock::now() - start;
    const std::vector<std::uint8_t> accepted = verdicts(trials, schema(), target, judge ? judge : own);
    std::size_t next = 0;
    for (Trial& trial : trials) {
      settle(trial.person, std::span(accepted).subspan(next, trial.points.size()));
      next += trial.points.size();
      if (trial.already)
        ++already;
      else
        tried.push_back(std::move(trial.person));
    }
  }
  Evaluation evaluation = measure(tried, options.seed);
  evaluation.already = already;
  evaluation.judged_by = judge ? judge_name : "the forest itself";
  if (!tried.empty()) evaluation.seconds_per_person = spent.count() / static_cast<double>(tried.size());
  return evaluation;
}

}  // namespace cfrules

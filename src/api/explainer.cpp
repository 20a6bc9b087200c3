// Questions about people, and small readings of the model.
#include "cfrules/explainer.h"

#include <algorithm>
#include <cmath>

#include "api/impl.h"
#include "api/ordered_output.h"
#include "api/person_explainer.h"
#include "api/verified_explainer.h"
#include "base/decimal.h"
#include "base/parallel.h"
#include "cfrules/error.h"
#include "cfrules/version.h"
#include "explain/donor_points.h"

namespace cfrules {

Explainer::Explainer(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Explainer::Explainer(Explainer&&) noexcept = default;
Explainer& Explainer::operator=(Explainer&&) noexcept = default;
Explainer::~Explainer() = default;

const Schema& Explainer::schema() const { return impl_->model.rows.schema(); }
const Outcome& Explainer::outcome() const { return impl_->model.outcome; }
const Table& Explainer::rows() const { return impl_->model.rows; }

std::vector<double> Explainer::predict(const Table& rows, const Run& run) const {
  impl_->check_schema(rows);
  std::vector<double> answers(rows.rows());
  parallel_for(rows.rows(), run, [&](std::size_t row) { answers[row] = impl_->predict(impl_->model.grid.codes(rows.row(row))); });
  return answers;
}

std::vector<double> Explainer::predict_probability(const Table& rows, const Run& run) const {
  impl_->check_schema(rows);
  const std::size_t outputs = impl_->model.forest.outputs;
  std::vector<double> answers(rows.rows() * outputs);
  parallel_for(rows.rows(), run, [&](std::size_t row) {
    const std::vector<double> shares = impl_->class_shares(impl_->model.grid.codes(rows.row(row)));
    std::copy(shares.begin(), shares.end(), answers.begin() + static_cast<std::ptrdiff_t>(row * outputs));
  });
  return answers;
}

void Explainer::explain(const Table& people, std::span<const double> outcomes, const Target& target, const ExplainOptions& options,
                        const std::function<void(Explanation&&)>& sink, const Run& run) const {
  impl_->check_schema(people);
  if (options.verify) {
    const VerifiedExplainer explainer(*impl_, target, options, run);
    for (std::size_t first = 0; first < people.rows(); first += VerifiedExplainer::kPeopleAtOnce) {
      const std::size_t count = std::min(VerifiedExplainer::kPeopleAtOnce, people.rows() - first);
      for (Explanation& answer : explainer.explain(people, outcomes, first, count, run)) sink(std::move(answer));
    }
    return;
  }
  const PersonExplainer explainer(*impl_, target, options, run);
  in_order<Explanation>(people.rows(), run, [&](std::size_t row) { return explainer.explain(people, outcomes, row); }, sink);
}

RegionProbability Explainer::probability(std::span<const double> row, const RegionSpec& spec, const Target& target, Estimator estimator,
                                         std::size_t min_rows, bool with_weights) const {
  const std::shared_ptr<const TargetReading> reading = impl_->reading(target);
  const TargetForest& forest = reading->forest;
  const Context& context = reading->context;
  const Region region = impl_->region(spec, row);
  RegionProbability answer;
  answer.estimator = estimator;
  if (estimator != Estimator::moved) {
    const CellRule rule{estimator, std::max<std::size_t>(1, min_rows)};
    answer.probability = answer.raw = impl_->conditional.probability(region, context.hits, rule);
    for (const Tree& tree : impl_->model.forest.trees) answer.cells.push_back(impl_->conditional.cell(tree, region, rule).size());
    if (with_weights) answer.weights = impl_->conditional.row_weights(region, rule);
    return answer;
  }
  if (row.empty()) throw InputError("the moved reading asks what becomes of a person: give a row");
  const CodedPerson person = impl_->coded(row);
  std::vector<std::size_t> features;
  std::vector<Interval> box;
  for (std::size_t feature = 0; feature < region.features(); ++feature) {
    if (region.role(feature) == Role::fixed) continue;
    features.push_back(feature);
    box.push_back({std::max<Code>(1, region.side(feature).low), region.side(feature).high});
  }
  if (features.empty()) {
    const LeafSums sums = forest.sums(person.codes);
    answer.raw = forest.raw(sums);
    answer.probability = forest.probability(sums);
    return answer;
  }
  const CodedPerson* one = &person;
  double mass = 0, raw = 0, probability = 0, inliers = 0;
  for (const DonorPoint& point : donor_points(context, features, box, std::span(&one, 1))) {
    mass += point.mass;
    raw += point.mass * point.raw;
    probability += point.mass * point.probability;
    if (impl_->model.inliers.score_of_path(point.path) > 0) inliers += point.mass;
    answer.donors += point.rows;
  }
  if (mass <= 0) return answer;
  answer.raw = raw / mass;
  answer.probability = probability / mass;
  answer.inlier_share = inliers / mass;
  answer.mass = mass / impl_->moves.total_mass();
  if (with_weights) {
    answer.weights.assign(impl_->model.codes.rows, 0.0);
    for (std::size_t donor = 0; donor < answer.weights.size(); ++donor) {
      bool inside = true;
      for (std::size_t i = 0; i < features.size() && inside; ++i) inside = box[i].contains(impl_->model.codes.at(donor, features[i]));
      if (inside) answer.weights[donor] = impl_->conditional.weight(donor) / mass;
    }
  }
  return answer;
}

}  // namespace cfrules

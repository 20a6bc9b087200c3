#include "quality/trials.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cfrules {

namespace {

double range_of(const Feature& feature, std::span<const double> column) {
  if (feature.kind == Kind::category || feature.kind == Kind::boolean) return 0;
  double low = kUnknown, high = kUnknown;  // fmin and fmax pass over NaN
  for (const double value : column) {
    low = std::fmin(low, value);
    high = std::fmax(high, value);
  }
  return high > low ? high - low : 0;
}

bool differs(double a, double b) { return a != b && !(std::isnan(a) && std::isnan(b)); }

// Rows inside a rule with running sums of their weights, to draw from.
struct RuleDonors {
  std::vector<std::size_t> rows;
  std::vector<double> weight_up_to;

  [[nodiscard]] std::size_t draw(RandomStream& random) const {
    const double at = random.uniform() * weight_up_to.back();
    const auto found = std::upper_bound(weight_up_to.begin(), weight_up_to.end() - 1, at);
    return rows[static_cast<std::size_t>(found - weight_up_to.begin())];
  }
};

RuleDonors donors_of(const Rule& rule, const RowBlocks& blocks, std::span<const double> weights) {
  RuleDonors donors;
  double sum = 0;
  for (const std::uint32_t row : blocks.rows_in(rule.conditions)) {
    const double weight = weights.empty() ? 1.0 : weights[row];
    if (weight <= 0) continue;
    donors.rows.push_back(row);
    donors.weight_up_to.push_back(sum += weight);
  }
  return donors;
}

}  // namespace

TrialMaker::TrialMaker(const Table& rows, const RowBlocks& blocks, std::span<const double> weights,
                       const CostScale& costs, std::uint64_t seed)
    : rows_(rows), blocks_(blocks), weights_(weights), costs_(costs), seed_(seed) {
  for (std::size_t feature = 0; feature < rows.features(); ++feature)
    ranges_.push_back(range_of(rows.schema()[feature], rows.column(feature)));
}

Trial TrialMaker::make(std::span<const double> person, const Explanation& explanation) const {
  Trial trial;
  trial.already = explanation.status == Status::already_in_target;
  if (explanation.status != Status::found || explanation.rules.empty()) return trial;
  RandomStream random(seed_, Purpose::evaluation, explanation.row);
  const Rule& first = explanation.rules.front();
  if (!first.recourses.empty()) add_recourse(person, first.recourses.front(), random, trial);
  for (const Rule& rule : explanation.rules) add_draws(person, rule, random, trial);
  return trial;
}

void TrialMaker::add_recourse(std::span<const double> person, const Recourse& recourse, RandomStream& random,
                              Trial& trial) const {
  std::vector<double> moved(person.begin(), person.end());
  std::vector<std::size_t> changed;
  RecourseTrial tried;
  for (const ChangedValue& value : recourse.values) {
    moved[value.index] = value.cell.value;
    if (!differs(person[value.index], value.cell.value)) continue;
    changed.push_back(value.index);
    tried.cost += costs_.change(value.index, person[value.index], value.cell.value);
  }
  tried.changed = changed.size();
  tried.plausible = recourse.inlier_score > 0;
  trial.person.recourse = tried;
  trial.points.push_back(moved);
  for (const double variance : kNoiseVariances)
    for (std::size_t copy = 0; copy < kNoisyCopies; ++copy) {
      std::vector<double>& noisy = trial.points.emplace_back(moved);
      for (const std::size_t feature : changed) {
        if (ranges_[feature] <= 0) continue;
        noisy[feature] += std::sqrt(variance) * ranges_[feature] * random.normal();
        if (rows_.schema()[feature].kind == Kind::integer) noisy[feature] = std::round(noisy[feature]);
      }
    }
}

void TrialMaker::add_draws(std::span<const double> person, const Rule& rule, RandomStream& random, Trial& trial) const {
  std::vector<std::vector<double>> drawn = draws(person, rule, random);
  trial.person.rules.push_back({rule.probability.stated(), rule.mass, drawn.size(), 0});
  std::move(drawn.begin(), drawn.end(), std::back_inserter(trial.points));
}

std::vector<std::vector<double>> TrialMaker::draws(std::span<const double> person, const Rule& rule,
                                                   RandomStream& random, std::size_t count) const {
  const RuleDonors donors = donors_of(rule, blocks_, weights_);
  std::vector<std::vector<double>> points;
  for (std::size_t draw = 0; draw < count && !donors.rows.empty(); ++draw) {
    const std::size_t donor = donors.draw(random);
    std::vector<double>& point = points.emplace_back(person.begin(), person.end());
    for (const Condition& condition : rule.conditions) point[condition.index] = rows_.value(donor, condition.index);
  }
  return points;
}

void add_points(std::span<const std::vector<double>> points, std::vector<std::vector<double>>& columns) {
  for (const std::vector<double>& point : points)
    for (std::size_t feature = 0; feature < columns.size(); ++feature) columns[feature].push_back(point[feature]);
}

Table points_of(std::span<const Trial> trials, const Schema& schema) {
  std::vector<std::vector<double>> columns(schema.size());
  for (const Trial& trial : trials) add_points(trial.points, columns);
  return {schema, std::move(columns)};
}

void settle(PersonTrial& person, std::span<const std::uint8_t> accepted) {
  std::size_t next = 0;
  if (person.recourse) {
    person.recourse->accepted = accepted[next++] != 0;
    for (std::size_t& stayed : person.recourse->stayed)
      for (std::size_t copy = 0; copy < kNoisyCopies; ++copy) stayed += accepted[next++];
  }
  for (RuleTrial& rule : person.rules)
    for (std::size_t draw = 0; draw < rule.draws; ++draw) rule.accepted += accepted[next++];
}

}  // namespace cfrules

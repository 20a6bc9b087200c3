#include "recourse/place_in_rule.h"

#include <algorithm>
#include <cmath>

namespace cfrules {

namespace {

std::vector<double> positions_of(const Grid& grid, std::span<const double> row) {
  std::vector<double> positions(row.size());
  for (std::size_t feature = 0; feature < row.size(); ++feature)
    positions[feature] = grid.position(feature, row[feature]);
  return positions;
}

std::vector<std::size_t> features_of(const Rule& rule) {
  std::vector<std::size_t> features;
  for (const Condition& condition : rule.conditions) features.push_back(condition.index);
  return features;
}

// Where points of the rule lie, in positions.
std::vector<Grid::ValueRange> ranges_of(const Grid& grid, const Rule& rule) {
  std::vector<Grid::ValueRange> ranges;
  for (const Condition& condition : rule.conditions) ranges.push_back(grid.values(condition.index, condition.codes));
  return ranges;
}

}  // namespace

ValueSide side_of(const Condition& condition) {
  return {condition.low, condition.high, condition.low_closed, condition.high_closed};
}

bool has_names(const Feature& feature) { return feature.kind == Kind::category || feature.kind == Kind::boolean; }

PlaceInRule::PlaceInRule(const SamplerData& data, std::span<const double> row, const Rule& rule)
    : data_(data),
      row_(row),
      rule_(rule),
      ranges_(ranges_of(data.grid, rule)),
      isolation_(data.inliers, positions_of(data.grid, row), features_of(rule), ranges_),
      moved_row_(row.begin(), row.end()) {}

const std::vector<std::uint32_t>& PlaceInRule::donors() {
  if (!donors_) donors_ = data_.blocks.rows_in(conditions());
  return *donors_;
}

double PlaceInRule::taken(double value, std::size_t place) const {
  const Condition& condition = conditions()[place];
  const Lattice* lattice = data_.reach.lattice(condition.index);
  if (lattice == nullptr || value == present(place)) return value;
  return lattice->nearest(value, side_of(condition)).value_or(kUnknown);
}

RulePoint PlaceInRule::point_of(std::uint32_t donor) const {
  RulePoint point;
  point.donor = donor;
  for (std::size_t place = 0; place < conditions().size(); ++place) point.values.push_back(taken_from(donor, place));
  return point;
}

bool PlaceInRule::holds(std::size_t place, double value) const {
  const Condition& condition = conditions()[place];
  const Feature& feature = data_.rows.schema()[condition.index];
  const double position = data_.grid.position(condition.index, value);
  if (!(ranges_[place].low < position && position <= ranges_[place].high)) return false;  // the codes, not looked up
  if (has_names(feature)) {
    const std::string name = text_of(feature, value);
    return std::find(condition.values.begin(), condition.values.end(), name) != condition.values.end();
  }
  return side_of(condition).contains(value) && (feature.kind != Kind::integer || std::floor(value) == value);
}

bool PlaceInRule::allows(std::span<const double> values) {
  for (std::size_t place = 0; place < values.size(); ++place)
    if (!holds(place, values[place])) return false;
  return keeps_constraints(values);
}

bool PlaceInRule::keeps_constraints(std::span<const double> values) {
  if (!data_.noise.accepts(stays_in_box(values))) return false;
  return data_.reach.unlimited() || !data_.reach.violation(row_, moved_row(values));  // what is in a rule is not missing
}

double PlaceInRule::cost(std::span<const double> values) const {
  double total = 0;
  for (std::size_t place = 0; place < values.size(); ++place) {
    const std::size_t feature = conditions()[place].index;
    total += data_.costs.change(feature, row_[feature], values[place]) * data_.reach.cost(feature);
  }
  return total;
}

double PlaceInRule::distance(std::span<const double> values) const {
  const CodeValues& known = data_.reach.code_values();
  double total = 0;
  for (std::size_t place = 0; place < values.size(); ++place) {
    const std::size_t feature = conditions()[place].index;
    const Interval all = data_.grid.all_values(feature);
    const double range = known.greatest_within(feature, all) - known.least_within(feature, all);
    const double away =
        std::abs(data_.grid.position(feature, values[place]) - data_.grid.position(feature, row_[feature]));
    // From missing every value is equally far: the whole range.
    const double scaled = std::isnan(away) ? 1.0 : range > 0 ? away / range : away;
    total += data_.options.l2 ? scaled * scaled : scaled;
  }
  return data_.options.l2 ? std::sqrt(total) : total;
}

double PlaceInRule::inlier_score(std::span<const double> values) {
  positions_.clear();
  for (std::size_t place = 0; place < values.size(); ++place)
    positions_.push_back(data_.grid.position(conditions()[place].index, values[place]));
  return isolation_.score(positions_);
}

double PlaceInRule::stays_in_box(std::span<const double> values) const {
  return data_.noise.stays_in_box(conditions(), values);
}

double PlaceInRule::depth(std::span<const double> values) const {
  return data_.usual_noise.stays_in_box(conditions(), values);
}

double PlaceInRule::steadiness(std::span<const double> values) {
  double sum = 0;
  std::vector<double> reached(values.size());
  for (int mishap = -kMishaps; mishap <= kMishaps; ++mishap) {
    std::size_t changed = 0;
    for (std::size_t place = 0; place < values.size(); ++place) {
      const double deviation = data_.usual_noise.deviation(conditions()[place].index);
      const bool may_miss = deviation > 0 && values[place] != present(place);
      reached[place] = values[place] + (may_miss ? deviation * missed_by(mishap, changed++) : 0);
    }
    sum += probability(reached);
  }
  return sum / (2 * kMishaps + 1);
}

// Where the donors are without the outermost fiftieth at either end; a value many share is not outer.
ValueSide PlaceInRule::company(std::size_t place) {
  const std::size_t feature = conditions()[place].index;
  if (has_names(data_.rows.schema()[feature])) return {};
  std::vector<double> values;
  for (const std::uint32_t donor : donors())
    if (const double value = data_.rows.value(donor, feature); !std::isnan(value)) values.push_back(value);
  if (values.empty()) return {};
  const auto outer = static_cast<std::ptrdiff_t>(values.size() / 50);
  std::nth_element(values.begin(), values.begin() + outer, values.end());
  const double low = values[outer];
  std::nth_element(values.begin(), values.end() - 1 - outer, values.end());
  return {low, *(values.end() - 1 - outer), true, true};
}

bool PlaceInRule::in_company(std::span<const double> values) {
  if (!company_) {
    company_.emplace();
    for (std::size_t place = 0; place < values.size(); ++place) company_->push_back(company(place));
  }
  for (std::size_t place = 0; place < values.size(); ++place)
    if (values[place] != present(place) && !(*company_)[place].contains(values[place])) return false;
  return true;
}

double PlaceInRule::probability(std::span<const double> values) {
  std::vector<Code> cell;
  for (std::size_t place = 0; place < values.size(); ++place)
    cell.push_back(data_.grid.code(conditions()[place].index, values[place]));
  const auto known = known_probabilities_.find(cell);
  if (known != known_probabilities_.end()) return known->second;
  if (!cell_probability_) cell_probability_ = data_.probability(data_.grid.codes(row_), features_of(rule_));
  const double probability = cell_probability_(cell);
  known_probabilities_.emplace(std::move(cell), probability);
  return probability;
}

std::span<const double> PlaceInRule::moved_row(std::span<const double> values) {
  for (std::size_t place = 0; place < values.size(); ++place) moved_row_[conditions()[place].index] = values[place];
  return moved_row_;
}

}  // namespace cfrules

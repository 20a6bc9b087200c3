// From what people wrote to what the search asks: names become indexes, ranges become flags per code.
#include <algorithm>
#include <cmath>

#include "base/decimal.h"
#include "base/text.h"
#include "cfrules/error.h"
#include "region/reach.h"

namespace cfrules {

namespace {

std::string a_few(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i ? ", " : "") + quote(names[i]);
  return names.size() > kShown ? text + " and " + std::to_string(names.size() - kShown) + " more" : text;
}

[[noreturn]] void fail(const std::string& sentence) { throw InputError("constraints: " + sentence); }

bool is_whole(double value) { return std::floor(value) == value; }

}  // namespace

Reach::Reach(const Constraints& constraints, const Schema& schema, const Grid& grid, const CodeValues& values)
    : schema_(&schema),
      grid_(&grid),
      values_(&values),
      limits_(schema.size()),
      max_changes_(constraints.max_changes),
      unlimited_(constraints.features.empty() && constraints.linked.empty() && constraints.implies.empty() &&
                 constraints.max_changes == 0) {
  std::vector<std::string> seen;
  for (const FeatureConstraint& constraint : constraints.features) {
    if (std::find(seen.begin(), seen.end(), constraint.feature) != seen.end())
      fail("feature " + quote(constraint.feature) + " is given twice; give each feature once");
    seen.push_back(constraint.feature);
    compile(constraint);
  }
  compile_groups(constraints.linked);
  compile_codes();
  for (const Implication& implication : constraints.implies) {
    CompiledImplication compiled;
    for (const FeatureLimit& limit : implication.condition) compiled.condition.push_back(compile(limit));
    for (const FeatureLimit& limit : implication.consequence) compiled.consequence.push_back(compile(limit));
    implications_.push_back(std::move(compiled));
  }
}

std::size_t Reach::index_of(const std::string& name) const {
  const std::size_t feature = find_feature(*schema_, name);
  if (feature < schema_->size()) return feature;
  std::vector<std::string> known;
  for (const Feature& candidate : *schema_) known.push_back(candidate.name);
  fail("feature " + quote(name) + " is unknown; known features are " + a_few(known));
}

Reach::Allowed Reach::compile(const AllowedValues& allowed, std::size_t feature) const {
  const auto& [name, kind, categories] = (*schema_)[feature];
  if (!(allowed.low <= allowed.high))
    fail("the range of feature " + quote(name) + " runs from " + shortest_decimal(allowed.low) + " to " +
         shortest_decimal(allowed.high) + "; the low end may not exceed the high one");
  Allowed compiled{{allowed.low, allowed.high, true, true}, {}};
  if (kind == Kind::category && compiled.limited())
    fail("feature " + quote(name) + " is a category and has no range; list its allowed values instead");
  if (allowed.values.empty()) return compiled;
  if (kind != Kind::category && kind != Kind::boolean)
    fail("feature " + quote(name) + " is a number and takes a range, not the name " + quote(allowed.values.front()));
  compiled.named.assign(categories.size(), 0);
  for (const std::string& value : allowed.values) {
    const auto found = std::find(categories.begin(), categories.end(), value);
    if (found == categories.end())
      fail("feature " + quote(name) + " has no value " + quote(value) + "; its values are " + a_few(categories));
    compiled.named[static_cast<std::size_t>(found - categories.begin())] = 1;
  }
  return compiled;
}

// A range nobody lives in is a slip of the pen (another unit, another feature): say so instead of finding nothing.
void Reach::check_side(const ValueSide& side, std::size_t feature) const {
  if (!std::isfinite(side.low) && !std::isfinite(side.high)) return;
  for (Code code = 1; code <= grid_->last_code(feature); ++code)
    if (values_->count(feature, code) > 0 && values_->least(feature, code) <= side.high &&
        values_->greatest(feature, code) >= side.low)
      return;
  const Interval all = grid_->all_values(feature);
  fail("the range of feature " + quote((*schema_)[feature].name) + " from " + shortest_decimal(side.low) + " to " +
       shortest_decimal(side.high) + " holds no training value; those lie between " +
       shortest_decimal(values_->least_within(feature, all)) + " and " +
       shortest_decimal(values_->greatest_within(feature, all)));
}

void Reach::compile(const FeatureConstraint& constraint) {
  const std::size_t feature = index_of(constraint.feature);
  Limits& limits = limits_[feature];
  const bool directed = constraint.direction == Direction::increase || constraint.direction == Direction::decrease;
  if (directed && (*schema_)[feature].kind == Kind::category)
    fail("feature " + quote(constraint.feature) +
         " is a category and cannot increase or decrease; list its allowed values instead");
  if (!(constraint.cost >= 0) || !std::isfinite(constraint.cost))
    fail("the cost of feature " + quote(constraint.feature) + " is " + shortest_decimal(constraint.cost) +
         "; it must be a finite number of at least 0");
  limits.direction = constraint.direction;
  limits.may_change = constraint.direction != Direction::immutable;
  limits.cost = constraint.cost;
  limits.allowed = compile(constraint.allowed, feature);
  check_side(limits.allowed.side, feature);
  if (constraint.step != 0) compile_step(constraint.step, feature);
}

void Reach::compile_step(double step, std::size_t feature) {
  const std::string name = quote((*schema_)[feature].name);
  const Kind kind = (*schema_)[feature].kind;
  const ValueSide& side = limits_[feature].allowed.side;
  if (kind == Kind::category || kind == Kind::boolean)
    fail("feature " + name + " is not a number and takes no step; list its allowed values instead");
  if (!(step > 0) || !std::isfinite(step))
    fail("the step of feature " + name + " is " + shortest_decimal(step) + "; it must be a finite number above 0");
  const Lattice lattice{std::isfinite(side.low) ? side.low : 0.0, step};
  if (kind == Kind::integer && !(is_whole(step) && is_whole(lattice.origin)))
    fail("feature " + name + " is an integer, so its step " + shortest_decimal(step) + " and the low end " +
         shortest_decimal(lattice.origin) + " of its range must be whole");
  limits_[feature].lattice = lattice;
}

void Reach::compile_groups(const std::vector<std::vector<std::string>>& linked) {
  std::vector<std::uint8_t> taken(schema_->size(), 0);
  for (const std::vector<std::string>& names : linked) {
    std::vector<std::size_t> group;
    for (const std::string& name : names) {
      group.push_back(index_of(name));
      if (taken[group.back()]++) fail("feature " + quote(name) + " is linked twice; a feature belongs to one group");
    }
    const auto fixed = [&](std::size_t feature) { return !limits_[feature].may_change; };
    if (std::any_of(group.begin(), group.end(), fixed))
      for (const std::size_t feature : group) limits_[feature].may_change = false;
    groups_.push_back(std::move(group));
  }
}

void Reach::compile_codes() {
  for (std::size_t feature = 0; feature < limits_.size(); ++feature) {
    Limits& limits = limits_[feature];
    limits.codes.assign(grid_->last_code(feature) + std::size_t{1}, 1);
    limits.codes[kMissing] = 0;
    for (Code code = 1; code <= grid_->last_code(feature); ++code) {
      const bool values = !limits.allowed.limited() || holds_for_all(limits.allowed, feature, code);
      limits.codes[code] = values && (!limits.lattice || has_step(feature, code));
    }
  }
}

Reach::Clause Reach::compile(const FeatureLimit& limit) const {
  Clause clause;
  clause.feature = index_of(limit.feature);
  clause.allowed = compile(limit.allowed, clause.feature);
  clause.may_hold.push_back(0);
  clause.must_hold.push_back(0);
  for (Code code = 1; code <= grid_->last_code(clause.feature); ++code) {
    clause.may_hold.push_back(holds_for_some(clause.allowed, clause.feature, code));
    clause.must_hold.push_back(holds_for_all(clause.allowed, clause.feature, code));
  }
  return clause;
}

// Categories and truth values: all of the code. Numbers: the ends of its training values, else its middle.
std::vector<double> Reach::values_of_code(std::size_t feature, Code code) const {
  const Kind kind = (*schema_)[feature].kind;
  std::vector<double> values;
  if (kind == Kind::category) {
    for (const std::uint32_t category : grid_->categories(feature, {code, code})) values.push_back(category);
  } else if (kind == Kind::boolean) {
    for (const double value : {0.0, 1.0})
      if (grid_->code(feature, value) == code) values.push_back(value);
  } else if (values_->count(feature, code) > 0) {
    values = {values_->least(feature, code), values_->greatest(feature, code)};
  } else {
    values = {values_->middle(feature, code)};
  }
  return values;
}

bool Reach::holds_for_some(const Allowed& allowed, std::size_t feature, Code code) const {
  const std::vector<double> values = values_of_code(feature, code);
  const Kind kind = (*schema_)[feature].kind;
  if (kind == Kind::category || kind == Kind::boolean)
    return std::any_of(values.begin(), values.end(), [&](double value) { return allowed.contains(value); });
  return values.front() <= allowed.side.high && values.back() >= allowed.side.low;
}

bool Reach::holds_for_all(const Allowed& allowed, std::size_t feature, Code code) const {
  const std::vector<double> values = values_of_code(feature, code);
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [&](double value) { return allowed.contains(value); });
}

bool Reach::has_step(std::size_t feature, Code code) const {
  const Grid::ValueRange range = grid_->values(feature, {code, code});
  const ValueSide side = intersect({range.low, range.high, false, true}, limits_[feature].allowed.side);
  return limits_[feature].lattice->nearest(values_->middle(feature, code), side).has_value();
}

}  // namespace cfrules

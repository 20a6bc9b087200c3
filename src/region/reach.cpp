#include "region/reach.h"

#include <algorithm>
#include <cmath>

namespace cfrules {

namespace {

bool differs(double from, double to) { return from != to && !(std::isnan(from) && std::isnan(to)); }

}  // namespace

bool Reach::Allowed::limited() const { return !named.empty() || std::isfinite(side.low) || std::isfinite(side.high); }

bool Reach::Allowed::contains(double value) const {
  if (std::isnan(value) || !side.contains(value)) return false;
  return named.empty() || named[static_cast<std::size_t>(value)] != 0;
}

std::vector<std::uint8_t> Reach::codes(std::size_t feature, double from) const {
  const Limits& limits = limits_[feature];
  if (!limits.may_change) return std::vector<std::uint8_t>(limits.codes.size(), 0);
  std::vector<std::uint8_t> flags = limits.codes;
  if (limits.direction == Direction::any) return flags;
  const Code here = grid_->code(feature, from);
  for (std::size_t code = 0; code < flags.size(); ++code) {
    const bool ahead = limits.direction == Direction::increase ? code > here : code < here;
    if (here == kMissing || !ahead) flags[code] = 0;
  }
  return flags;
}

bool Reach::mentions(const CompiledImplication& implication, std::size_t feature) {
  const auto about = [feature](const Clause& clause) { return clause.feature == feature; };
  return std::any_of(implication.condition.begin(), implication.condition.end(), about) ||
         std::any_of(implication.consequence.begin(), implication.consequence.end(), about);
}

bool Reach::breaks_implication(std::span<const double> row, std::span<const std::size_t> changed,
                               std::span<const Code> cell) const {
  if (implications_.empty()) return false;
  std::vector<Interval> box;
  for (const Code code : cell) box.push_back({code, code});
  return breaks_implication(row, changed, box);
}

bool Reach::breaks_implication(std::span<const double> row, std::span<const std::size_t> changed,
                               std::span<const Interval> box) const {
  const auto some = [&](const Clause& clause, const std::vector<std::uint8_t>& flags, std::uint8_t wanted) {
    const auto place = static_cast<std::size_t>(std::find(changed.begin(), changed.end(), clause.feature) - changed.begin());
    if (place == changed.size()) return clause.allowed.contains(row[clause.feature]) == (wanted != 0);
    const auto end = flags.begin() + box[place].high + 1;
    return std::find(flags.begin() + box[place].low, end, wanted) != end;
  };
  const auto may_hold = [&](const Clause& clause) { return some(clause, clause.may_hold, 1); };
  const auto must_hold = [&](const Clause& clause) { return !some(clause, clause.must_hold, 0); };
  for (const CompiledImplication& implication : implications_) {
    const auto touched = [&](std::size_t feature) { return mentions(implication, feature); };
    if (std::none_of(changed.begin(), changed.end(), touched)) continue;
    if (std::all_of(implication.condition.begin(), implication.condition.end(), may_hold) &&
        !std::all_of(implication.consequence.begin(), implication.consequence.end(), must_hold))
      return true;
  }
  return false;
}

std::optional<std::string> Reach::violation_of(std::size_t feature, double from, double to) const {
  const Limits& limits = limits_[feature];
  const std::string& name = (*schema_)[feature].name;
  if (std::isnan(to)) return name + " may not become missing";
  if (limits.direction == Direction::immutable) return name + " is immutable";
  if (!limits.may_change) return name + " is linked to an immutable feature";
  const auto position = [&](double value) { return grid_->position(feature, value); };
  if (limits.direction == Direction::increase && !(position(to) > position(from))) return name + " may only increase";
  if (limits.direction == Direction::decrease && !(position(to) < position(from))) return name + " may only decrease";
  if (!limits.allowed.contains(to) || (limits.lattice && !limits.lattice->contains(to)))
    return words_of_values(feature);
  return std::nullopt;
}

std::optional<std::string> Reach::violation(std::span<const double> from, std::span<const double> to) const {
  std::size_t changes = 0;
  for (std::size_t feature = 0; feature < limits_.size(); ++feature) {
    if (!differs(from[feature], to[feature])) continue;
    if (auto broken = violation_of(feature, from[feature], to[feature])) return broken;
    ++changes;
  }
  const auto holds = [&](const Clause& clause) { return clause.allowed.contains(to[clause.feature]); };
  const auto changed = [&](const Clause& clause) { return differs(from[clause.feature], to[clause.feature]); };
  for (const CompiledImplication& implication : implications_) {
    const auto& [condition, consequence] = implication;
    const bool touched = std::any_of(condition.begin(), condition.end(), changed) ||
                         std::any_of(consequence.begin(), consequence.end(), changed);
    if (touched && std::all_of(condition.begin(), condition.end(), holds) &&
        !std::all_of(consequence.begin(), consequence.end(), holds))
      return words(implication);
  }
  if (max_changes_ > 0 && changes > max_changes_) return words_of_max_changes();
  return std::nullopt;
}

void Reach::clip_names(Condition& condition, const Allowed& allowed) const {
  const auto refused = [&](const std::string& name) {
    const auto& names = (*schema_)[condition.index].categories;
    const auto place = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    return place < names.size() && !allowed.contains(static_cast<double>(place));
  };
  std::erase_if(condition.values, refused);
}

void Reach::clip(Condition& condition, double from) const {
  const Limits& limits = limits_[condition.index];
  if (limits.allowed.limited()) clip_names(condition, limits.allowed);
  if ((*schema_)[condition.index].kind == Kind::category || (*schema_)[condition.index].kind == Kind::boolean) return;
  ValueSide side{condition.low, condition.high, condition.low_closed, condition.high_closed};
  if (limits.allowed.limited()) side = intersect(side, limits.allowed.side);
  if (limits.direction == Direction::increase) side = intersect(side, {.low = from});
  if (limits.direction == Direction::decrease) side = intersect(side, {.high = from});
  if (limits.lattice) {
    if (const auto first = limits.lattice->nearest(side.low, side))
      side = intersect(side, {.low = *first, .low_closed = true});
    if (const auto last = limits.lattice->nearest(side.high, side))
      side = intersect(side, {.high = *last, .high_closed = true});
  }
  condition.low = side.low;
  condition.high = side.high;
  condition.low_closed = side.low_closed;
  condition.high_closed = side.high_closed;
}

}  // namespace cfrules

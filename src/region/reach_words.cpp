// Constraints as people say them.
#include <cmath>

#include "base/decimal.h"
#include "region/reach.h"

namespace cfrules {

namespace {

std::string range_words(const ValueSide& side) {
  if (!std::isfinite(side.low)) return "at most " + shortest_decimal(side.high);
  if (!std::isfinite(side.high)) return "at least " + shortest_decimal(side.low);
  return "between " + shortest_decimal(side.low) + " and " + shortest_decimal(side.high);
}

}  // namespace

// "duration between 6 and 48", "housing in {own, free}"
std::string Reach::words(const Allowed& allowed, std::size_t feature) const {
  const auto& [name, kind, categories] = (*schema_)[feature];
  std::string text = name;
  if (std::isfinite(allowed.side.low) || std::isfinite(allowed.side.high))
    text.append(" ").append(range_words(allowed.side));
  if (allowed.named.empty()) return text;
  std::string names;
  for (std::size_t value = 0; value < allowed.named.size(); ++value)
    if (allowed.named[value]) names += (names.empty() ? "" : ", ") + categories[value];
  return text + " in {" + names + "}";
}

std::string Reach::words(const std::vector<Clause>& clauses) const {
  std::string text;
  for (const Clause& clause : clauses) text += (text.empty() ? "" : " and ") + words(clause.allowed, clause.feature);
  return text;
}

std::string Reach::words(const CompiledImplication& implication) const {
  const std::string condition = implication.condition.empty() ? "" : "if " + words(implication.condition) + " then ";
  return condition + words(implication.consequence);
}

// "duration between 6 and 48 in steps of 6"
std::string Reach::words_of_values(std::size_t feature) const {
  const Limits& limits = limits_[feature];
  const std::string text = words(limits.allowed, feature);
  return limits.lattice ? text + " in steps of " + shortest_decimal(limits.lattice->step) : text;
}

std::string Reach::words_of_max_changes() const {
  return "at most " + std::to_string(max_changes_) + (max_changes_ == 1 ? " change" : " changes");
}

std::vector<std::string> Reach::binding_hint() const {
  std::vector<std::string> hints;
  for (std::size_t feature = 0; feature < limits_.size(); ++feature) {
    const Limits& limits = limits_[feature];
    const std::string& name = (*schema_)[feature].name;
    if (limits.direction == Direction::immutable) hints.push_back(name + " is immutable");
    if (limits.direction == Direction::increase) hints.push_back(name + " may only increase");
    if (limits.direction == Direction::decrease) hints.push_back(name + " may only decrease");
    if (limits.allowed.limited() || limits.lattice) hints.push_back(words_of_values(feature));
  }
  for (const std::vector<std::size_t>& group : groups_) {
    std::string names;
    for (const std::size_t feature : group) names += (names.empty() ? "" : " and ") + (*schema_)[feature].name;
    hints.push_back(names + " change together");
  }
  for (const CompiledImplication& implication : implications_) hints.push_back(words(implication));
  if (max_changes_ > 0) hints.push_back(words_of_max_changes());
  return hints;
}

}  // namespace cfrules

// Cards: one explanation as a few lines a person reads aloud.
#include <algorithm>
#include <cmath>

#include "cfrules/write.h"
#include "io/ink.h"
#include "io/number_text.h"
#include "io/range_text.h"

namespace cfrules {
namespace {

bool known(double value) { return !std::isnan(value); }

bool known(const Cell& cell) { return !cell.name.empty() || known(cell.value); }

// A side without a present value belongs to a group; beside sides that have one, the person's value is missing.
bool concerns_a_person(const std::vector<Condition>& conditions) {
  return std::any_of(conditions.begin(), conditions.end(), [](const Condition& side) { return known(side.from); });
}

std::string from_text(const Condition& condition, bool person) {
  return person ? "from " + cell_text(condition.from) : std::string();
}

std::string conditions_text(const std::vector<Condition>& conditions, const Ink& ink) {
  const bool person =
      std::any_of(conditions.begin(), conditions.end(), [](const Condition& c) { return known(c.from); });
  std::size_t name_columns = 0;
  std::size_t from_columns = 0;
  for (const Condition& condition : conditions) {
    name_columns = std::max(name_columns, columns_of(condition.feature));
    from_columns = std::max(from_columns, columns_of(from_text(condition, person)));
  }
  std::string text;
  for (const Condition& condition : conditions) {
    text += "    " + ink.strong(pad_right(condition.feature, name_columns)) + "  ";
    if (person) text += pad_right(from_text(condition, person), from_columns) + "  ";
    text += into_range(condition) + "\n";
  }
  return text;
}

std::string interval_text(const Probability& probability) {
  if (!known(probability.low) || !known(probability.high)) return {};
  std::string text = " (" + probability_text(probability.low) + " to " + probability_text(probability.high);
  const std::string cases = probability.verified ? " points put to the model" : " held-out cases";
  if (probability.held_out > 0) text += " on " + grouped(probability.held_out) + cases;
  return text + ")";
}

std::string mass_text(double mass, bool person) {
  if (!known(mass)) return {};
  const std::string whom = person ? "similar people" : "people";
  if (mass == 0) return "; none of the " + whom + " are there yet";
  return "; " + percent(mass) + " of " + whom + " are there already";
}

std::string outcome_sentence(const Rule& rule, const std::string& target, const Ink& ink, std::size_t width) {
  const bool person = concerns_a_person(rule.conditions);
  const std::string sentence = "then: " + target + ", probability " +
                               ink.good(probability_text(rule.probability.stated())) + interval_text(rule.probability) +
                               mass_text(rule.mass, person) + ".";
  return wrapped(sentence, width) + "\n";
}

std::string recourse_sentence(const Recourse& recourse, std::size_t width) {
  std::string text = "For example (" + std::string(name_of(recourse.method)) + "):";
  for (std::size_t i = 0; i < recourse.values.size(); ++i) {
    text += (i > 0 ? ", " : " ") + recourse.values[i].feature + " " + cell_text(recourse.values[i].cell);
  }
  if (known(recourse.probability)) text += "; probability " + probability_text(recourse.probability);
  if (known(recourse.cost)) text += "; cost " + fixed(recourse.cost, 2);
  if (known(recourse.stays_in_box)) text += "; stays in the rule " + percent(recourse.stays_in_box) + " of the time";
  return "    " + wrapped(text + ".", width > 12 ? width - 4 : 8, 8) + "\n";
}

std::string rule_text(const Rule& rule, bool first, const std::string& target, const TextStyle& style) {
  const Ink ink(style);
  std::string text = first ? "Keep everything else. Bring\n" : "Or keep everything else and bring\n";
  text += conditions_text(rule.conditions, ink);
  text += outcome_sentence(rule, target, ink, style.width);
  for (const Recourse& recourse : rule.recourses) text += recourse_sentence(recourse, style.width);
  return text;
}

std::string sets_text(const std::vector<FeatureSet>& sets, std::size_t width) {
  if (sets.empty()) return {};
  std::string text = "Chance that drawing these anew gets there:";
  for (std::size_t i = 0; i < sets.size(); ++i) {
    text += (i > 0 ? "; " : " ") + listed(sets[i].features) + " " + probability_text(sets[i].cdp);
  }
  return wrapped(text + ".", width, 4) + "\n";
}

std::string best_text(const Explanation& explanation) {
  if (explanation.rules.empty()) return "No rule reaches the wanted probability.";
  const double best = explanation.rules.front().probability.stated();
  return "No rule reaches the wanted probability; the best there is reaches " + probability_text(best) + " only.";
}

std::string opening(const Explanation& explanation, const std::string& target, const TextStyle& style) {
  const Ink ink(style);
  switch (explanation.status) {
    case Status::found:
      return {};
    case Status::below_threshold:
      return ink.warning(best_text(explanation)) + "\n";
    case Status::no_recourse:
      return ink.warning("No change leads to " + target + ".") + "\n";
    case Status::already_in_target:
      return "Nothing needs to change: the outcome is " + target + " already.\n";
  }
  return {};
}

std::string closing(const Explanation& explanation, std::size_t width) {
  std::string text;
  if (!explanation.rules.empty() && !explanation.plausible) {
    text += wrapped("Take care: parts of what is proposed lie where hardly anybody has been seen.", width) + "\n";
  }
  if (explanation.search == Search::divergent) text += sets_text(explanation.sets, width);
  if (!explanation.note.empty()) text += wrapped("Note: " + explanation.note, width) + "\n";
  return text;
}

std::string sufficient_set_text(const SufficientSet& set, const TextStyle& style) {
  const Ink ink(style);
  std::string text = ink.strong(set.features.empty() ? "nothing at all" : listed(set.features)) +
                     ": the decision stays with probability " + ink.good(probability_text(set.probability)) + ".\n";
  if (set.rule.empty()) return text;
  std::vector<std::string> sides;
  for (const Condition& side : set.rule) sides.push_back(stated_condition(side));
  const std::string sentence = "It holds wherever " + listed(sides) + ": probability " +
                               probability_text(set.rule_probability) + ", " + percent(set.rule_share) +
                               " of all rows.";
  return text + "        " + wrapped(sentence, style.width > 24 ? style.width - 8 : 16, 8) + "\n";
}

}  // namespace

std::string to_text(const Explanation& explanation, const TextStyle& style) {
  const std::string target = target_text(explanation.target);
  std::string text = opening(explanation, target, style);
  for (std::size_t i = 0; i < explanation.rules.size(); ++i) {
    text += rule_text(explanation.rules[i], i == 0, target, style);
  }
  return text + closing(explanation, style.width);
}

std::string to_text(const SufficientExplanation& explanation, const Schema&, const TextStyle& style) {
  const Ink ink(style);
  std::string text = explanation.found ? "The decision is " + ink.strong(explanation.decision) +
                                             ". To know why, it is enough to know\n"
                                       : ink.warning("The decision is " + explanation.decision +
                                                     "; no small set of features explains it. The best is") +
                                             "\n";
  for (std::size_t i = 0; i < explanation.sets.size(); ++i) {
    text += (i > 0 ? "or  " : "    ") + sufficient_set_text(explanation.sets[i], style);
  }
  return text;
}

}  // namespace cfrules

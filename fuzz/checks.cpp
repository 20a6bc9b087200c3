#include "checks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "base/json.h"
#include "base/text.h"
#include "cfrules/error.h"
#include "cfrules/write.h"

namespace cfrules::fuzz {
namespace {

const Run kAlone{.threads = 1, .stop = {}, .progress = {}};

bool is_share(double value) { return std::isnan(value) || (value >= 0 && value <= 1 + 1e-12); }

bool inside(const Condition& condition, const Cell& cell) {
  if (!condition.values.empty())
    return std::find(condition.values.begin(), condition.values.end(), cell.name) != condition.values.end();
  return (condition.low_closed ? cell.value >= condition.low : cell.value > condition.low) &&
         (condition.high_closed ? cell.value <= condition.high : cell.value < condition.high);
}

bool allowed(const AllowedValues& allowed, const Feature& feature, double value) {
  if (std::isnan(value)) return false;
  if (!allowed.values.empty())
    return std::find(allowed.values.begin(), allowed.values.end(), text_of(feature, value)) != allowed.values.end();
  return allowed.low <= value && value <= allowed.high;
}

bool on_step(const FeatureConstraint& constraint, double value) {
  if (constraint.step == 0) return true;
  const double origin = std::isfinite(constraint.allowed.low) ? constraint.allowed.low : 0;
  const double steps = (value - origin) / constraint.step;
  return std::abs(steps - std::round(steps)) <= 1e-6 * std::max(1.0, std::abs(steps));
}

void check_move(const FeatureConstraint& constraint, const Feature& feature, double from, double to) {
  if (from == to || (std::isnan(from) && std::isnan(to))) return;
  require(constraint.direction != Direction::immutable, "an immutable feature stays");
  if (constraint.direction == Direction::increase && !std::isnan(from))
    require(to > from, "a feature that may increase increases");
  if (constraint.direction == Direction::decrease && !std::isnan(from))
    require(to < from, "a feature that may decrease decreases");
  require(allowed(constraint.allowed, feature, to), "a new value is among those allowed");
  require(on_step(constraint, to), "a new value lies on the steps");
}

bool holds(const std::vector<FeatureLimit>& limits, const Schema& schema, const std::vector<double>& row) {
  return std::all_of(limits.begin(), limits.end(), [&](const FeatureLimit& limit) {
    const std::size_t feature = find_feature(schema, limit.feature);
    return allowed(limit.allowed, schema[feature], row[feature]);
  });
}

bool speaks_of_a_change(const Implication& implication, const Schema& schema, const std::vector<double>& from,
                        const std::vector<double>& to) {
  const auto changed = [&](const FeatureLimit& limit) {
    const std::size_t feature = find_feature(schema, limit.feature);
    return from[feature] != to[feature] && !(std::isnan(from[feature]) && std::isnan(to[feature]));
  };
  return std::any_of(implication.condition.begin(), implication.condition.end(), changed) ||
         std::any_of(implication.consequence.begin(), implication.consequence.end(), changed);
}

void check_row(const Schema& schema, const Constraints& constraints, const std::vector<double>& from,
               const std::vector<double>& to) {
  for (const FeatureConstraint& constraint : constraints.features) {
    const std::size_t feature = find_feature(schema, constraint.feature);
    check_move(constraint, schema[feature], from[feature], to[feature]);
  }
  for (const Implication& implication : constraints.implies)
    if (speaks_of_a_change(implication, schema, from, to) && holds(implication.condition, schema, to))
      require(holds(implication.consequence, schema, to), "implications hold at a recourse");
}

void check_recourses(const Schema& schema, const Rule& rule, const Constraints& constraints,
                     const std::vector<double>& person) {
  for (const Recourse& recourse : rule.recourses) {
    require(recourse.values.size() == rule.conditions.size(), "a recourse has a value for every condition");
    require(is_share(recourse.probability) && is_share(recourse.stays_in_box), "shares of a recourse are shares");
    std::vector<double> moved = person;
    for (std::size_t i = 0; i < rule.conditions.size(); ++i) {
      require(inside(rule.conditions[i], recourse.values[i].cell), "a recourse lies in its rule");
      moved[recourse.values[i].index] = recourse.values[i].cell.value;
    }
    check_row(schema, constraints, person, moved);
  }
}

bool changes(const Rule& rule, const std::string& feature) {
  return std::any_of(rule.conditions.begin(), rule.conditions.end(),
                     [&](const Condition& condition) { return condition.feature == feature; });
}

void check_side(const Condition& condition, const FeatureConstraint& constraint, double from) {
  require(constraint.direction != Direction::immutable, "a rule does not change an immutable feature");
  for (const std::string& name : condition.values)
    if (!constraint.allowed.values.empty() && name != condition.from.name)
      require(std::find(constraint.allowed.values.begin(), constraint.allowed.values.end(), name) !=
                  constraint.allowed.values.end(),
              "a rule names allowed values only");
  if (!condition.values.empty()) return;
  require(condition.low >= constraint.allowed.low || condition.low == from, "a rule keeps the low end of a range");
  require(condition.high <= constraint.allowed.high || condition.high == from, "a rule keeps the high end of a range");
  if (constraint.direction == Direction::increase && !std::isnan(from))
    require(condition.low >= from, "a rule for a feature that may increase begins at the present value");
  if (constraint.direction == Direction::decrease && !std::isnan(from))
    require(condition.high <= from, "a rule for a feature that may decrease ends at the present value");
}

void check_rule(const Schema& schema, const Rule& rule, const Constraints& constraints,
                const std::vector<double>& person) {
  require(!rule.conditions.empty(), "a rule changes something");
  require(is_share(rule.probability.raw) && is_share(rule.probability.calibrated) && is_share(rule.mass),
          "shares of a rule are shares");
  if (constraints.max_changes > 0)
    require(rule.conditions.size() <= constraints.max_changes, "a rule changes no more features than allowed");
  for (const Condition& condition : rule.conditions) {
    require(condition.feature == schema[condition.index].name, "a condition names its feature");
    require(condition.kind == Kind::number || condition.kind == Kind::integer ? condition.values.empty()
                                                                              : !condition.values.empty(),
            "a side is a range or names, by the feature's kind");
    for (const FeatureConstraint& constraint : constraints.features)
      if (constraint.feature == condition.feature) check_side(condition, constraint, person[condition.index]);
  }
  for (const std::vector<std::string>& group : constraints.linked) {
    const auto member = [&](const std::string& name) { return changes(rule, name); };
    require(std::all_of(group.begin(), group.end(), member) || std::none_of(group.begin(), group.end(), member),
            "linked features change together");
  }
}

void check_texts(const Explainer& model, const Table& people, const Explanation& explanation) {
  const Json read = Json::parse(to_json(explanation, model.provenance({})), "the written JSON");
  require(read.find("status") != nullptr, "the JSON tells the status");
  require(find_invalid_utf8(to_text(explanation)) == std::string_view::npos, "the text is UTF-8");
  require(!to_csv(explanation).empty() || explanation.rules.empty(), "rules become lines of CSV");
  static_cast<void>(recourses_to_csv(explanation, people));
}

Table first_rows(const Table& rows, std::size_t count) {
  std::vector<std::size_t> chosen(std::min(rows.rows(), count));
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  return rows.select(chosen);
}

ExplainOptions thorough_options(const Constraints& constraints, Estimator estimator, Search search) {
  ExplainOptions options;
  options.constraints = constraints;
  options.estimator = estimator;
  options.search = search;
  options.candidates = 4;
  options.max_features = estimator == Estimator::moved ? 2 : 1;  // fast, so that many inputs are tried
  options.rules = 2;
  options.work_limit = 40;
  options.min_probability = 0.5;
  options.min_mass = 0;
  options.recourse.per_rule = 1;
  options.recourse.steps = 20;
  return options;
}

}  // namespace

void require(bool holds, std::string_view law) {
  if (holds) return;
  std::fprintf(stderr, "A law is broken: %.*s.\n", static_cast<int>(law.size()), law.data());
  std::abort();
}

bool tolerate(const std::function<void()>& work) {
  std::string sentence;
  try {
    work();
    return true;
  } catch (const InputError& error) {
    sentence = error.what();
  } catch (const FormatError& error) {
    sentence = error.what();
  } catch (const IoError& error) {
    sentence = error.what();
  }
  require(!sentence.empty() && sentence.find('\n') == std::string::npos, "a refusal is one sentence");
  require(find_invalid_utf8(sentence) == std::string_view::npos, "a refusal is in UTF-8");
  return false;
}

void check_explanation(const Explainer& model, const Table& people, const Explanation& explanation,
                       const Constraints& constraints) {
  const std::vector<double> person = people.row(explanation.row);
  for (const Rule& rule : explanation.rules) {
    check_rule(model.schema(), rule, constraints, person);
    check_recourses(model.schema(), rule, constraints, person);
  }
  require(explanation.status != Status::found || !explanation.rules.empty(), "what was found has a rule");
  check_texts(model, people, explanation);
}

Target some_target(const Outcome& outcome) {
  if (!outcome.numeric()) return Target::of_classes({outcome.classes.front()}, outcome);
  const auto [low, high] = std::minmax_element(outcome.values.begin(), outcome.values.end());
  return Target::of_interval(*low, *low / 2 + *high / 2, outcome);
}

void interrogate(const Explainer& model, const Target& target, const Constraints& constraints, std::size_t people) {
  const Table some = first_rows(model.rows(), people);
  for (const Estimator estimator : {Estimator::moved, Estimator::paper, Estimator::leaf_union, Estimator::inside}) {
    const Search search = estimator == Estimator::paper ? Search::divergent : Search::sparsest;
    model.explain(
        some, {}, target, thorough_options(constraints, estimator, search),
        [&](Explanation&& explanation) { check_explanation(model, some, explanation, constraints); }, kAlone);
  }
  SufficientOptions why;
  why.max_features = 2;
  why.candidates = 3;
  why.rules = true;
  model.sufficient(
      first_rows(some, 1), why,
      [&](SufficientExplanation&& answer) {
        static_cast<void>(Json::parse(to_json(answer, model.schema(), "{}"), "the written JSON"));
        static_cast<void>(to_text(answer, model.schema()));
      },
      kAlone);
  static_cast<void>(Json::parse(model.inspect(), "inspect"));
}

}  // namespace cfrules::fuzz

#include "api/verified_explainer.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "api/model_labels.h"
#include "base/parallel.h"
#include "quality/binomial.h"

namespace cfrules {

namespace {

// How far below the floor the forest may think a place to be and still have the model asked about it.
constexpr std::array kFloorsBelow = {0.0, 0.15, 0.3, 0.45, 0.6, 0.75};
constexpr double kLeastFloor = 0.1;
constexpr std::size_t kProposalsAFloor = 12;
constexpr std::size_t kScreeningPoints = 20;
constexpr std::size_t kConfirmingPoints = 200;
constexpr std::size_t kConfirmedAtOnce = 3;  // proposals of one person
constexpr std::size_t kSparePoints = 4;      // for each recourse asked for: the model may refuse some
constexpr double kConfidence = 0.95;

constexpr Plausibility kOrdinary[] = {Plausibility::clear, Plausibility::fair, Plausibility::bare};
constexpr Plausibility kAnything[] = {Plausibility::none};

std::vector<double> floors_from(double highest) {
  std::vector<double> floors;
  for (const double below : kFloorsBelow)
    if (floors.empty() || highest - below >= kLeastFloor) floors.push_back(highest - below);
  return floors;
}

ExplainOptions with_spare_points(ExplainOptions options) {
  options.recourse.per_rule *= kSparePoints;
  return options;
}

std::size_t hits_of(std::span<const std::uint8_t> said) {
  return static_cast<std::size_t>(std::count(said.begin(), said.end(), 1));
}

bool reaches(std::span<const std::uint8_t> said, double share) {
  return !said.empty() && static_cast<double>(hits_of(said)) >= share * static_cast<double>(said.size()) - 1e-9;
}

void state(Probability& probability, std::span<const std::uint8_t> said) {
  if (said.empty()) return;
  const std::size_t hits = hits_of(said);
  const Bounds bounds = clopper_pearson(hits, said.size(), kConfidence);
  probability.calibrated = static_cast<double>(hits) / static_cast<double>(said.size());
  probability.low = bounds.low;
  probability.high = bounds.high;
  probability.held_out = said.size();
  probability.verified = true;
}

}  // namespace

struct VerifiedExplainer::Person {
  std::size_t row = 0;
  CodedPerson coded;
  bool open = true;           // a rule is still looked for
  std::size_t questions = 0;  // so far; each draws its own points
  std::vector<Proposal> proposals;
  std::vector<Points> asked;                    // what the model is to be asked next, question by question
  std::vector<std::vector<std::uint8_t>> said;  // what it said: a flag per point, 1 for the target
  Explanation answer;
};

VerifiedExplainer::VerifiedExplainer(const Explainer::Impl& impl, const Target& target, const ExplainOptions& options,
                                     const Run& run)
    : impl_(impl),
      target_(target),
      options_(with_spare_points(options)),
      explainer_(impl, target, options_, run),
      wanted_{floors_from(explainer_.settings().floor), {}, kProposalsAFloor},
      proposing_(explainer_.settings()),
      maker_(impl.model.rows, impl.conditional.blocks(), impl.model.weights, impl.costs, options.seed) {
  proposing_.floor = wanted_.floors.back();
}

std::vector<Explanation> VerifiedExplainer::explain(const Table& people, std::span<const double> outcomes,
                                                    std::size_t first, std::size_t count, const Run& run) const {
  const std::vector<double> present = present_outcomes(people, outcomes, first, count);
  std::vector<Person> asking(count);
  for (std::size_t i = 0; i < count; ++i) {
    asking[i].row = first + i;
    asking[i].coded = impl_.coded(people.row(first + i));
    asking[i].open = !target_.contains(present[first + i]);
  }
  const Run quiet{run.threads, run.stop, {}};
  using Demands = std::span<const Plausibility>;
  for (const Demands demands : {Demands(kOrdinary), Demands(kAnything)})
    for (std::size_t size = 1; size <= proposing_.max_features; ++size) {
      look_for_rules(asking, size, demands, quiet);
      if (run.progress)
        run.progress(first + static_cast<std::size_t>(std::count_if(asking.begin(), asking.end(),
                                                                    [](const Person& one) { return !one.open; })),
                     people.rows());
    }
  parallel_for(count, quiet, [&](std::size_t i) {  // nothing was borne out, or nothing has to change
    if (asking[i].answer.rules.empty()) asking[i].answer = explainer_.explain(people, present, asking[i].row);
  });
  check_all_rules(asking, quiet);
  if (run.progress) run.progress(first + count, people.rows());
  std::vector<Explanation> answers;
  for (Person& person : asking) answers.push_back(std::move(person.answer));
  return answers;
}

// As given; those that are not, the model is asked for.
std::vector<double> VerifiedExplainer::present_outcomes(const Table& people, std::span<const double> outcomes,
                                                        std::size_t first, std::size_t count) const {
  std::vector<double> present(people.rows(), kUnknown);
  std::vector<std::size_t> unknown;
  for (std::size_t row = first; row < first + count; ++row) {
    if (!outcomes.empty()) present[row] = outcomes[row];
    if (std::isnan(present[row])) unknown.push_back(row);
  }
  if (unknown.empty()) return present;
  const std::vector<double> answers = ask(options_.verify, people.select(unknown));
  for (std::size_t i = 0; i < unknown.size(); ++i) present[unknown[i]] = answers[i];
  return present;
}

void VerifiedExplainer::look_for_rules(std::vector<Person>& people, std::size_t size,
                                       std::span<const Plausibility> demands, const Run& run) const {
  parallel_for(people.size(), run, [&](std::size_t i) {
    if (!people[i].open) return;
    people[i].proposals = propose(people[i], size, demands);
    ask_about_proposals(people[i], kScreeningPoints);
  });
  put_to_the_model(people);
  parallel_for(people.size(), run, [&](std::size_t i) {
    Person& person = people[i];
    std::vector<Proposal> passed;
    for (std::size_t at = 0; at < person.proposals.size() && passed.size() < kConfirmedAtOnce; ++at)
      if (reaches(person.said[at], proposing_.min_probability)) passed.push_back(std::move(person.proposals[at]));
    person.proposals = std::move(passed);
    ask_about_proposals(person, kConfirmingPoints);
  });
  put_to_the_model(people);
  parallel_for(people.size(), run, [&](std::size_t i) {
    for (std::size_t at = 0; at < people[i].proposals.size() && people[i].open; ++at)
      if (reaches(people[i].said[at], proposing_.min_probability)) take(people[i], at);
    people[i].proposals.clear();
  });
}

void VerifiedExplainer::ask_about_proposals(Person& person, std::size_t points) const {
  for (const Proposal& proposal : person.proposals) person.asked.push_back(draws(person, proposal.rule, points));
}

void VerifiedExplainer::take(Person& person, std::size_t proposal) const {
  person.answer = explainer_.search(person.coded, proposing_,
                                    [&](LocalSearch& search) { return search.explain(person.proposals[proposal]); });
  person.answer.row = person.row;
  state(person.answer.rules.front().probability, person.said[proposal]);
  explainer_.add_recourses(person.coded, person.row, person.answer);
  person.open = false;
}

// Rules beside the first, rules of those whom the search did not serve, and single points.
void VerifiedExplainer::check_all_rules(std::vector<Person>& people, const Run& run) const {
  parallel_for(people.size(), run, [&](std::size_t i) {
    Person& person = people[i];
    for (const Rule& rule : person.answer.rules) {
      person.asked.push_back(rule.probability.verified ? Points{} : draws(person, rule, kConfirmingPoints));
      Points& recourses = person.asked.emplace_back();
      for (const Recourse& recourse : rule.recourses) {
        std::vector<double>& point = recourses.emplace_back(person.coded.values);
        for (const ChangedValue& value : recourse.values) point[value.index] = value.cell.value;
      }
    }
  });
  put_to_the_model(people);
  for (Person& person : people) {
    std::vector<Rule> kept;
    for (std::size_t at = 0; at < person.answer.rules.size(); ++at) {
      Rule& rule = person.answer.rules[at];
      state(rule.probability, person.said[2 * at]);
      keep_accepted(rule.recourses, person.said[2 * at + 1]);
      const bool passed = rule.probability.stated() >= proposing_.min_probability && rule.mass >= proposing_.min_mass;
      if (at == 0 && person.open) person.answer.status = passed ? Status::found : Status::below_threshold;
      if (at == 0 || passed) kept.push_back(std::move(rule));
    }
    person.answer.rules = std::move(kept);
  }
}

void VerifiedExplainer::keep_accepted(std::vector<Recourse>& recourses, std::span<const std::uint8_t> said) const {
  std::vector<Recourse> kept;
  for (std::size_t at = 0; at < recourses.size() && kept.size() < options_.recourse.per_rule / kSparePoints; ++at) {
    if (said[at] == 0) continue;
    kept.push_back(std::move(recourses[at]));
    kept.back().probability = 1;
  }
  recourses = std::move(kept);
}

std::vector<Proposal> VerifiedExplainer::propose(const Person& person, std::size_t size,
                                                 std::span<const Plausibility> demands) const {
  ProposalRules wanted = wanted_;
  wanted.demands.assign(demands.begin(), demands.end());
  return explainer_.search(person.coded, proposing_, [&](LocalSearch& search) { return search.propose(size, wanted); });
}

VerifiedExplainer::Points VerifiedExplainer::draws(Person& person, const Rule& rule, std::size_t count) const {
  RandomStream random(proposing_.seed, Purpose::verification,
                      (static_cast<std::uint64_t>(person.row) << 16) + person.questions++);
  return maker_.draws(person.coded.values, rule, random, count);
}

void VerifiedExplainer::put_to_the_model(std::vector<Person>& people) const {
  std::vector<std::vector<double>> columns(impl_.model.rows.features());
  for (const Person& person : people)
    for (const Points& points : person.asked) add_points(points, columns);
  const Table table(impl_.model.rows.schema(), std::move(columns));
  std::vector<std::uint8_t> hits;
  if (table.rows() > 0) hits = target_.mark(ask(options_.verify, table));
  auto next = hits.begin();
  for (Person& person : people) {
    person.said.clear();
    for (const Points& points : person.asked) {
      const auto end = next + static_cast<std::ptrdiff_t>(points.size());
      person.said.emplace_back(next, end);
      next = end;
    }
    person.asked.clear();
  }
}

}  // namespace cfrules

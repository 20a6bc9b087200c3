// People explained with the model at hand: it is asked about points of every rule before the rule is offered.
//
// The forest proposes, the model decides. Rules on one feature come first, then on two, and so on; of one size those
// the forest is surest of, but also those it only leans to, since the model may know better. A few points of each
// proposal are put to the model; of those that pass, the first few are put to it once more, at many new points, and the
// first that passes again is the answer. What is stated is what the model said of the new points, which had no part in
// the choice.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "api/person_explainer.h"
#include "quality/trials.h"

namespace cfrules {

class VerifiedExplainer {
 public:
  // options.verify is the model. All must outlive this; any number of people, one block after the other.
  VerifiedExplainer(const Explainer::Impl& impl, const Target& target, const ExplainOptions& options, const Run& run);

  static constexpr std::size_t kPeopleAtOnce = 512;  // the model is asked about all of them together

  // Of people [first, first + count), in order. The model is asked in the calling thread.
  [[nodiscard]] std::vector<Explanation> explain(const Table& people, std::span<const double> outcomes,
                                                 std::size_t first, std::size_t count, const Run& run) const;

 private:
  using Points = std::vector<std::vector<double>>;
  struct Person;

  [[nodiscard]] std::vector<double> present_outcomes(const Table& people, std::span<const double> outcomes,
                                                     std::size_t first, std::size_t count) const;
  void look_for_rules(std::vector<Person>& people, std::size_t size, std::span<const Plausibility> demands,
                      const Run& run) const;
  [[nodiscard]] std::vector<Proposal> propose(const Person& person, std::size_t size,
                                              std::span<const Plausibility> demands) const;
  void ask_about_proposals(Person& person, std::size_t points) const;
  void take(Person& person, std::size_t proposal) const;
  void check_all_rules(std::vector<Person>& people, const Run& run) const;
  void keep_accepted(std::vector<Recourse>& recourses, std::span<const std::uint8_t> said) const;
  [[nodiscard]] Points draws(Person& person, const Rule& rule, std::size_t count) const;
  // One call for everybody.
  void put_to_the_model(std::vector<Person>& people) const;

  const Explainer::Impl& impl_;
  const Target& target_;
  ExplainOptions options_;
  PersonExplainer explainer_;
  ProposalRules wanted_;  // but for the demands
  Settings proposing_;    // with the lowest floor
  TrialMaker maker_;
};

}  // namespace cfrules

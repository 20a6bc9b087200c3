// One person after the other, against one target and one set of constraints: rules, recourses, and which constraint
// stands in the way where there are none.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "api/impl.h"
#include "cfrules/error.h"
#include "recourse/recourse_sampler.h"

namespace cfrules {

class PersonExplainer {
 public:
  // impl and options must outlive this; it must stay where it is. Any number of threads may ask at once.
  PersonExplainer(const Explainer::Impl& impl, const Target& target, const ExplainOptions& options, const Run& run);
  PersonExplainer(const PersonExplainer&) = delete;
  PersonExplainer& operator=(const PersonExplainer&) = delete;

  [[nodiscard]] Explanation explain(const Table& people, std::span<const double> outcomes, std::size_t row) const;

  // The parts of it, for those who ask somebody else in between. ask: what is wanted of a search for this person.
  template <class Ask>
  auto search(const CodedPerson& person, const Settings& settings, const Ask& ask) const {
    return search(reach_, settings, person, ask);
  }
  void add_recourses(const CodedPerson& person, std::size_t row, Explanation& answer) const;
  [[nodiscard]] const Settings& settings() const { return settings_; }

 private:
  template <class Ask>
  auto search(const Reach& reach, const Settings& settings, const CodedPerson& person, const Ask& ask) const;
  [[nodiscard]] bool found_with(const Constraints& constraints, const CodedPerson& person) const;
  void name_binding_constraints(const CodedPerson& person, Explanation& answer) const;
  void add_intervals(Explanation& answer) const;

  const Explainer::Impl& impl_;
  const ExplainOptions& options_;
  Settings settings_;
  std::shared_ptr<const TargetReading> reading_;
  const TargetForest& forest_;
  const Context& context_;
  Reach reach_;
  RecourseSampler sampler_;
  std::stop_token stop_;
};

template <class Ask>
auto PersonExplainer::search(const Reach& reach, const Settings& settings, const CodedPerson& person,
                             const Ask& ask) const {
  const auto stop = [this] {
    if (stop_.stop_requested()) throw Interrupted();
  };
  std::unique_ptr<MoveScratch> scratch = impl_.scratch.take();
  LocalSearch search(context_, reach, settings, {{&person}, Region::at(person.codes)}, stop, scratch.get());
  auto answer = ask(search);
  impl_.scratch.put_back(std::move(scratch));
  return answer;
}

}  // namespace cfrules

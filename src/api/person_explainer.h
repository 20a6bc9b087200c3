// One person after the other, against one target and one set of constraints: rules, recourses, and which constraint
// stands in the way where there are none.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "api/impl.h"
#include "recourse/recourse_sampler.h"

namespace cfrules {

class PersonExplainer {
 public:
  // impl and options must outlive this; it must stay where it is. Any number of threads may ask at once.
  PersonExplainer(const Explainer::Impl& impl, const Target& target, const ExplainOptions& options, const Run& run);
  PersonExplainer(const PersonExplainer&) = delete;
  PersonExplainer& operator=(const PersonExplainer&) = delete;

  [[nodiscard]] Explanation explain(const Table& people, std::span<const double> outcomes, std::size_t row) const;

 private:
  [[nodiscard]] Explanation search(const Reach& reach, const Settings& settings, const CodedPerson& person) const;
  [[nodiscard]] bool found_with(const Constraints& constraints, const CodedPerson& person) const;
  void name_binding_constraints(const CodedPerson& person, Explanation& answer) const;
  void add_intervals(Explanation& answer) const;
  void add_recourses(const CodedPerson& person, std::size_t row, Explanation& answer) const;

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

}  // namespace cfrules

// Labels = model: where the search goes, the forest should know best. The search is run for people of the table, the
// model is asked about points drawn from every rule, and the forest learns from the answers: a round of lessons.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "api/impl.h"
#include "api/model_labels.h"

namespace cfrules {

class Lessons {
 public:
  // Who is asked for, and what: the same people whatever the number of rounds. options must outlive this.
  Lessons(const Table& rows, const Outcome& outcome, const FitOptions& options);

  // One round by the model of the round before; its questions are put to the labeller in one batch. Where no rule
  // reaches the threshold the best one there is teaches as well: what the forest is unsure of it may learn to state.
  void add_round(std::size_t round, const Explainer::Impl& model, const Run& run, LearningRows& rows) const;

 private:
  struct Drawn {
    std::uint32_t person = 0;
    std::vector<std::vector<double>> points;
  };

  [[nodiscard]] std::vector<Drawn> people_outside(std::size_t target, std::size_t round,
                                                  std::span<const double> answers) const;
  void draw(const Explainer::Impl& model, std::size_t target, const Run& run, std::vector<Drawn>& people) const;

  const FitOptions& options_;
  std::vector<Target> targets_;
  std::vector<std::uint32_t> order_;  // of the rows, by lot
  std::size_t people_a_target_ = 0;
};

}  // namespace cfrules

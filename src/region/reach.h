// What a person may be moved to. In: the constraints people stated. Out: allowed codes for the search, allowed points
// for the sampler, clipped sides for the page, and sentences. Compiled once against schema, grid and training values.
//
// Constraints speak of changes: a value that stays as it is breaks none of them, except an implication about a feature
// that did change. Linked features enter a rule together; a point of that rule may still leave one of them as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cfrules/code.h"
#include "cfrules/constraints.h"
#include "cfrules/explanation.h"
#include "cfrules/table.h"
#include "forest/code_values.h"
#include "forest/grid.h"
#include "region/lattice.h"

namespace cfrules {

class Reach {
 public:
  // All referred data but the constraints must outlive this. Throws InputError on constraints that do not fit the
  // schema, contradict each other or leave a feature no training value.
  Reach(const Constraints& constraints, const Schema& schema, const Grid& grid, const CodeValues& values);

  // False also where a linked feature is immutable.
  [[nodiscard]] bool may_change(std::size_t feature) const { return limits_[feature].may_change; }
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& groups() const { return groups_; }
  [[nodiscard]] std::size_t max_changes() const { return max_changes_; }  // 0: no limit
  [[nodiscard]] double cost(std::size_t feature) const { return limits_[feature].cost; }

  // A flag per code 0 .. last_code: may whoever has the value `from` (NaN: missing) be moved to this code? Only if all
  // training values of the code are allowed.
  [[nodiscard]] std::vector<std::uint8_t> codes(std::size_t feature, double from) const;

  [[nodiscard]] bool has_implications() const { return !implications_.empty(); }
  // May some point with codes `cell` on the `changed` features, and the row's values elsewhere, break an implication?
  [[nodiscard]] bool breaks_implication(std::span<const double> row, std::span<const std::size_t> changed,
                                        std::span<const Code> cell) const;
  // The same for points with codes inside a box. It may say yes where only codes that exclude each other would break it.
  [[nodiscard]] bool breaks_implication(std::span<const double> row, std::span<const std::size_t> changed,
                                        std::span<const Interval> box) const;

  // Whether no constraint was stated: then nothing but a missing value is ever broken.
  [[nodiscard]] bool unlimited() const { return unlimited_; }
  // The first constraint broken by moving from one row to the other, in words; none if all are kept.
  [[nodiscard]] std::optional<std::string> violation(std::span<const double> from, std::span<const double> to) const;

  // Tightens a rule's side to what is allowed for whoever has the value `from`.
  void clip(Condition& condition, double from) const;

  // Null where the feature has no step.
  [[nodiscard]] const Lattice* lattice(std::size_t feature) const {
    return limits_[feature].lattice ? &*limits_[feature].lattice : nullptr;
  }

  // Every constraint in words, for messages.
  [[nodiscard]] std::vector<std::string> binding_hint() const;

  [[nodiscard]] const CodeValues& code_values() const { return *values_; }

 private:
  struct Allowed {
    ValueSide side;
    std::vector<std::uint8_t> named;  // a flag per category or truth value; empty: no limit by name

    [[nodiscard]] bool limited() const;
    [[nodiscard]] bool contains(double value) const;  // as in Table; missing never
  };

  struct Limits {
    bool may_change = true;
    Direction direction = Direction::any;
    Allowed allowed;
    std::optional<Lattice> lattice;
    double cost = 1;
    std::vector<std::uint8_t> codes;  // allowed by range, names and step, whatever the present value
  };

  struct Clause {
    std::size_t feature = 0;
    Allowed allowed;
    std::vector<std::uint8_t> may_hold;   // per code: for some value of the code
    std::vector<std::uint8_t> must_hold;  // per code: for all values of the code
  };

  struct CompiledImplication {
    std::vector<Clause> condition;
    std::vector<Clause> consequence;
  };

  // reach_compile.cpp
  [[nodiscard]] std::size_t index_of(const std::string& name) const;
  [[nodiscard]] Allowed compile(const AllowedValues& allowed, std::size_t feature) const;
  [[nodiscard]] Clause compile(const FeatureLimit& limit) const;
  void check_side(const ValueSide& side, std::size_t feature) const;
  void compile(const FeatureConstraint& constraint);
  void compile_step(double step, std::size_t feature);
  void compile_codes();
  void compile_groups(const std::vector<std::vector<std::string>>& linked);
  [[nodiscard]] std::vector<double> values_of_code(std::size_t feature, Code code) const;
  [[nodiscard]] bool holds_for_some(const Allowed& allowed, std::size_t feature, Code code) const;
  [[nodiscard]] bool holds_for_all(const Allowed& allowed, std::size_t feature, Code code) const;
  [[nodiscard]] bool has_step(std::size_t feature, Code code) const;

  // reach_words.cpp
  [[nodiscard]] std::string words(const Allowed& allowed, std::size_t feature) const;
  [[nodiscard]] std::string words_of_values(std::size_t feature) const;
  [[nodiscard]] std::string words_of_max_changes() const;
  [[nodiscard]] std::string words(const std::vector<Clause>& clauses) const;
  [[nodiscard]] std::string words(const CompiledImplication& implication) const;

  [[nodiscard]] std::optional<std::string> violation_of(std::size_t feature, double from, double to) const;
  [[nodiscard]] static bool mentions(const CompiledImplication& implication, std::size_t feature);
  void clip_names(Condition& condition, const Allowed& allowed) const;

  const Schema* schema_;
  const Grid* grid_;
  const CodeValues* values_;
  std::vector<Limits> limits_;  // one per feature
  std::vector<std::vector<std::size_t>> groups_;
  std::vector<CompiledImplication> implications_;
  std::size_t max_changes_ = 0;
  bool unlimited_ = false;
};

}  // namespace cfrules

// What an Explainer holds: the model, and what is derived from it once.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api/target_reading.h"
#include "cfrules/explainer.h"
#include "explain/context.h"
#include "explain/local_search.h"
#include "explain/move_reader.h"
#include "explain/move_space.h"
#include "forest/code_values.h"
#include "quality/audit_reading.h"
#include "region/conditional.h"
#include "region/cost_scale.h"
#include "region/model.h"
#include "region/target_forest.h"

namespace cfrules {

struct Explainer::Impl {
  explicit Impl(Model frozen, const Run& run = {});
  [[nodiscard]] static const Impl& of(const Explainer& explainer) { return *explainer.impl_; }

  Model model;
  CodeValues values;
  CostScale costs;
  Conditional conditional;
  MoveSpace moves;
  mutable std::once_flag checksum_once;  // hashing the whole model is left until somebody asks
  mutable std::string checksum;
  mutable ReadingShelf readings;
  mutable ScratchShelf scratch;

  [[nodiscard]] CodedPerson coded(std::span<const double> row) const;
  [[nodiscard]] double decision(std::span<const double> shares) const;  // of class_shares: class index, or number
  [[nodiscard]] double predict(std::span<const Code> codes) const;  // class index, or number
  [[nodiscard]] std::vector<double> class_shares(std::span<const Code> codes) const;
  // From what the forest says of a target to what comes true.
  [[nodiscard]] CalibrationMap map(const Target& target, const AuditReading& audit, const Run& run = {}) const;
  [[nodiscard]] AuditReading audit_reading(const Target& target) const { return {model.audit, target}; }
  // These may take long on large tables; run can stop them.
  [[nodiscard]] Context context(const TargetForest& forest, const Run& run = {}) const;
  [[nodiscard]] std::shared_ptr<const TargetReading> reading(const Target& target, const Run& run = {}) const {
    return readings.get(*this, target, run);
  }
  // Options with nothing left open. Throws InputError on values that make no sense.
  [[nodiscard]] Settings settings(const ExplainOptions& options) const;
  // The same for a target, whose audit bears out a promise or refuses it.
  [[nodiscard]] Settings settings(const ExplainOptions& options, const Target& target) const {
    return settings(with_promise(options, target));
  }
  // The same for rules of groups, which nobody verifies.
  [[nodiscard]] Settings group_settings(const ExplainOptions& options, const Target& target) const;
  [[nodiscard]] ExplainOptions with_promise(const ExplainOptions& options, const Target& target) const;
  void check_schema(const Table& people) const;
  // Present outcome of each person: as given, else the forest's prediction.
  [[nodiscard]] double present_outcome(const Table& people, std::span<const double> outcomes, std::size_t row) const;
  // The region in codes. row: values for "fixed" sides; empty: none may be fixed.
  [[nodiscard]] Region region(const RegionSpec& spec, std::span<const double> row) const;
  [[nodiscard]] Interval codes_of_side(const SideSpec& side, std::size_t feature) const;
};

}  // namespace cfrules

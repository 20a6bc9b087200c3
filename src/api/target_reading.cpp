#include "api/target_reading.h"

#include <algorithm>

#include "api/impl.h"

namespace cfrules {

TargetReading::TargetReading(const Explainer::Impl& impl, const Target& target, const Run& run)
    : audit(impl.audit_reading(target)),
      forest(impl.model.forest, impl.model.outcome, impl.model.weights, target, impl.map(target, audit, run)),
      context(impl.context(forest, run)) {}

ReadingShelf::Loan ReadingShelf::borrow(const Explainer::Impl& impl, const Target& target, const Run& run) {
  std::unique_ptr<TargetReading> reading = find(target);
  if (!reading) reading = std::make_unique<TargetReading>(impl, target, run);
  return {*this, std::move(reading)};
}

std::unique_ptr<TargetReading> ReadingShelf::find(const Target& target) {
  const std::lock_guard lock(mutex_);
  const auto place =
      std::find_if(kept_.begin(), kept_.end(), [&](const auto& reading) { return reading->forest.target() == target; });
  if (place == kept_.end()) return nullptr;
  std::unique_ptr<TargetReading> reading = std::move(*place);
  kept_.erase(place);
  return reading;
}

void ReadingShelf::put_back(std::unique_ptr<TargetReading> reading) {
  const std::lock_guard lock(mutex_);
  if (kept_.size() == kMostKept) kept_.erase(kept_.begin());
  kept_.push_back(std::move(reading));
}

}  // namespace cfrules

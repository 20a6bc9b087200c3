#include "api/target_reading.h"

#include <algorithm>

#include "api/impl.h"

namespace cfrules {

TargetReading::TargetReading(const Explainer::Impl& impl, const Target& target, const Run& run)
    : audit(impl.audit_reading(target)),
      forest(impl.model.forest, impl.model.outcome, impl.model.weights, target, impl.map(target, audit, run)),
      context(impl.context(forest, run)) {}

// Made outside the lock, since it may take long. Two who ask at once may both make one; the first is kept.
std::shared_ptr<const TargetReading> ReadingShelf::get(const Explainer::Impl& impl, const Target& target,
                                                       const Run& run) {
  {
    const std::lock_guard lock(mutex_);
    if (auto known = find(target)) return known;
  }
  auto made = std::make_shared<const TargetReading>(impl, target, run);
  const std::lock_guard lock(mutex_);
  if (auto known = find(target)) return known;
  if (kept_.size() == kMostKept) kept_.erase(kept_.begin());
  return kept_.emplace_back(std::move(made));
}

std::shared_ptr<const TargetReading> ReadingShelf::find(const Target& target) {
  const auto place =
      std::find_if(kept_.begin(), kept_.end(), [&](const auto& reading) { return reading->forest.target() == target; });
  if (place == kept_.end()) return nullptr;
  std::rotate(place, place + 1, kept_.end());
  return kept_.back();
}

}  // namespace cfrules

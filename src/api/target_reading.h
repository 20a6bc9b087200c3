// A model read for one target: every leaf's share of it, the fitted map, what the audit saw. Made once and kept for the
// next question about the same target, since people are often asked about one by one.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "cfrules/explainer.h"
#include "explain/context.h"
#include "quality/audit_reading.h"
#include "region/target_forest.h"

namespace cfrules {

struct TargetReading {
  // impl must outlive this, and this must stay where it is.
  TargetReading(const Explainer::Impl& impl, const Target& target, const Run& run);
  TargetReading(const TargetReading&) = delete;
  TargetReading& operator=(const TargetReading&) = delete;

  AuditReading audit;
  TargetForest forest;
  Context context;
};

// The readings asked for last, shared by all who ask.
class ReadingShelf {
 public:
  [[nodiscard]] std::shared_ptr<const TargetReading> get(const Explainer::Impl& impl, const Target& target,
                                                         const Run& run);

 private:
  static constexpr std::size_t kMostKept = 2;  // a reading is about half as large as the forest

  // Puts what it finds last. Null: there is none.
  [[nodiscard]] std::shared_ptr<const TargetReading> find(const Target& target);

  std::mutex mutex_;
  std::vector<std::shared_ptr<const TargetReading>> kept_;  // the one asked for last at the end
};

}  // namespace cfrules

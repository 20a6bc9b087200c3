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

// Readings that nobody is using. Whoever borrows one has it alone and gives it back when the loan ends.
class ReadingShelf {
 public:
  class Loan {
   public:
    Loan(ReadingShelf& shelf, std::unique_ptr<TargetReading> reading) : shelf_(shelf), reading_(std::move(reading)) {}
    ~Loan() { shelf_.put_back(std::move(reading_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;

    const TargetReading* operator->() const { return reading_.get(); }

   private:
    ReadingShelf& shelf_;
    std::unique_ptr<TargetReading> reading_;
  };

  [[nodiscard]] Loan borrow(const Explainer::Impl& impl, const Target& target, const Run& run);

 private:
  static constexpr std::size_t kMostKept = 2;  // a reading is about as large as the forest's leaves

  [[nodiscard]] std::unique_ptr<TargetReading> find(const Target& target);
  void put_back(std::unique_ptr<TargetReading> reading);

  std::mutex mutex_;
  std::vector<std::unique_ptr<TargetReading>> kept_;  // the one used last at the end
};

}  // namespace cfrules

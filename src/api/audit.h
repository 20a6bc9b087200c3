// The whole search, run for people the forest has not seen, and held against what is known of them. The search picks
// the places where the forest errs upward; no map from shares to probability can see that, only looking can.
#pragma once

#include "api/impl.h"
#include "region/audit.h"

namespace cfrules {

// rows: not trained on; answers: their outcomes. With a judge, points drawn from each rule are put before it; without
// one, the held-out rows in the rule that are nearest to the person on everything else have to do.
struct HeldOut {
  const Table& rows;
  std::span<const double> answers;
  const Labeller& judge;  // may be empty
};

// most: people a target.
[[nodiscard]] Audit audit(const Explainer::Impl& model, const HeldOut& held_out, std::size_t most, const Run& run);

}  // namespace cfrules

// What became of rules found for people the forest had not seen: kept in the model, read whenever a probability is
// stated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace cfrules {

// One held-out person, asked for one target at one threshold.
struct AuditCase {
  std::uint32_t target = 0;  // into Audit::targets
  std::uint32_t person = 0;
  double threshold = 0;
  double stated = std::numeric_limits<double>::quiet_NaN();     // before any shift; NaN: no rule reached the threshold
  double came_true = std::numeric_limits<double>::quiet_NaN();  // share of what was looked at in the rule
  bool hit = false;                                             // of one thing looked at, so that cases are independent
  double distance = std::numeric_limits<double>::quiet_NaN();   // near rows: how far, as a share of the usual distance

  [[nodiscard]] bool found() const { return stated == stated; }
};

struct Audit {
  std::string judge;                 // in words: who said what came true
  bool asked_the_model = false;      // else held-out rows near the person had to do
  std::vector<std::string> targets;  // class names, or LOW:HIGH
  std::vector<AuditCase> cases;

  [[nodiscard]] bool empty() const { return cases.empty(); }
};

}  // namespace cfrules

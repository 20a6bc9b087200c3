// What must hold whatever comes in. A broken law ends the process, which is what a fuzzer looks for.
#pragma once

#include <functional>
#include <string_view>

#include "cfrules/constraints.h"
#include "cfrules/explainer.h"

namespace cfrules::fuzz {

void require(bool holds, std::string_view law);

// Runs it; a refusal is fine as long as it is one sentence in good UTF-8. False: refused.
bool tolerate(const std::function<void()>& work);

// Laws of every explanation of a person: recourses lie in their rule, rules and recourses obey the constraints,
// probabilities and shares lie between 0 and 1, and the text, JSON and CSV can be written, the JSON read back.
void check_explanation(const Explainer& model, const Table& people, const Explanation& explanation,
                       const Constraints& constraints);

// Asks a model everything about its first rows, with every estimator, and checks what comes back.
void interrogate(const Explainer& model, const Target& target, const Constraints& constraints, std::size_t people);

// The first class, or an interval of the lower half.
[[nodiscard]] Target some_target(const Outcome& outcome);

}  // namespace cfrules::fuzz

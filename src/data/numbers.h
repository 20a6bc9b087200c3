// Numbers that all readers of tables speak of.
#pragma once

#include <limits>

#include "base/limits.h"

namespace cfrules {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
// Beyond it not every integer is a double.
inline constexpr auto kLargestInteger = static_cast<double>(limits::kWholeNumber.most);

}  // namespace cfrules

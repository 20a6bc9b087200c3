#pragma once

#include <string_view>

namespace cfrules {

[[nodiscard]] std::string_view version();     // "0.1.0"
[[nodiscard]] std::string_view build_info();  // build type and compiler

}  // namespace cfrules

// The one place where an exception becomes a line on standard error and an exit code.
#pragma once

#include <functional>

namespace cfrules::cli {

[[nodiscard]] int with_errors_reported(const std::function<int()>& work);

}  // namespace cfrules::cli

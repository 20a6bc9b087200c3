// A JSON value back as text, on one line.
#pragma once

#include <string>

#include "base/json.h"

namespace cfrules {

[[nodiscard]] std::string json_text(const Json& value);

}  // namespace cfrules

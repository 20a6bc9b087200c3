// SHA-256 (FIPS 180-4): the name of a model's content.
#pragma once

#include <string>
#include <string_view>

#include "cfrules/run.h"

namespace cfrules {

// Large contents take seconds; run can stop it.
[[nodiscard]] std::string sha256_hex(std::string_view bytes, const Run& run = {});

}  // namespace cfrules

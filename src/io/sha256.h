// SHA-256 (FIPS 180-4): the name of a model's content.
#pragma once

#include <string>
#include <string_view>

namespace cfrules {

[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace cfrules

// A fast 64-bit checksum against accidents, not against people: a change within one aligned 8-byte word is always seen,
// any other nearly so. docs/model-format.md defines it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cfrules {

[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace cfrules

// The inner loop of SHA-256: blocks of 64 bytes are stirred into a state of eight words. The fast path (the processor's
// own instructions, chosen once at run time) gives the same words as the plain one.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace cfrules {

inline constexpr std::size_t kSha256Block = 64;
using Sha256State = std::array<std::uint32_t, 8>;

// As many whole blocks as there are; what is left over is not looked at.
void sha256_stir(Sha256State& state, std::string_view bytes);

// The plain twin.
namespace plain {
void sha256_stir(Sha256State& state, std::string_view bytes);
}

}  // namespace cfrules

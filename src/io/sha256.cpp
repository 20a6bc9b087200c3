#include "io/sha256.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/parallel.h"
#include "kernels/sha256_blocks.h"

namespace cfrules {
namespace {

// What is left over, a 1 bit, zeros, and the length in bits: one block or two.
void finish(Sha256State& state, std::string_view rest, std::uint64_t length) {
  std::array<char, 2 * kSha256Block> last{};
  std::memcpy(last.data(), rest.data(), rest.size());
  last[rest.size()] = static_cast<char>(0x80);
  const std::size_t end = rest.size() + 9 <= kSha256Block ? kSha256Block : 2 * kSha256Block;
  for (std::size_t i = 0; i < 8; ++i) last[end - 1 - i] = static_cast<char>(length * 8 >> (8 * i));
  sha256_stir(state, {last.data(), end});
}

}  // namespace

std::string sha256_hex(std::string_view bytes, const Run& run) {
  Sha256State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const std::uint64_t length = bytes.size();
  constexpr std::size_t kAskEvery = std::size_t{1} << 22;
  while (bytes.size() >= kSha256Block) {
    check_stop(run);
    const std::size_t part = std::min(bytes.size(), kAskEvery) / kSha256Block * kSha256Block;
    sha256_stir(state, bytes.substr(0, part));
    bytes.remove_prefix(part);
  }
  finish(state, bytes, length);
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string hex;
  for (const std::uint32_t word : state)
    for (int shift = 28; shift >= 0; shift -= 4) hex += kHex[word >> shift & 0xF];
  return hex;
}

}  // namespace cfrules

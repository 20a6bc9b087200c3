#include "io/checksum.h"

#include <array>
#include <cstring>

#include "io/little_endian.h"

namespace cfrules {
namespace {

constexpr std::size_t kLanes = 8;
constexpr std::size_t kBlock = kLanes * sizeof(std::uint64_t);
constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio, odd
constexpr std::uint64_t kMultiplier = 0xD1342543DE82EF95;

using Lanes = std::array<std::uint64_t, kLanes>;

// One to one in the lane and in the word. The shift brings the high bits down, where the product spreads them: products
// alone carry upwards only, and two flips of a sign bit would cancel.
std::uint64_t stir(std::uint64_t lane, std::uint64_t word) {
  lane ^= word;
  return (lane ^ lane >> 32) * kMultiplier;
}

void add_block(Lanes& lanes, const std::byte* block) {
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    lanes[lane] = stir(lanes[lane], load_little<std::uint64_t>(block + lane * sizeof(std::uint64_t)));
}

std::uint64_t finish(const Lanes& lanes) {
  std::uint64_t result = 0;
  for (const std::uint64_t lane : lanes) result = stir(result, lane);
  return stir(result, 0) ^ result >> 32;
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  Lanes lanes;
  for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = kStep * (lane + 1) ^ bytes.size();
  const std::size_t whole = bytes.size() - bytes.size() % kBlock;
  for (std::size_t at = 0; at < whole; at += kBlock) add_block(lanes, bytes.data() + at);
  if (whole < bytes.size()) {
    std::array<std::byte, kBlock> last{};
    std::memcpy(last.data(), bytes.data() + whole, bytes.size() - whole);
    add_block(lanes, last.data());
  }
  return finish(lanes);
}

}  // namespace cfrules

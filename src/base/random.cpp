#include "base/random.h"

#include <cmath>

namespace cfrules {

RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t id)
    : counter_{0, static_cast<std::uint32_t>(purpose), static_cast<std::uint32_t>(id),
               static_cast<std::uint32_t>(id >> 32)},
      key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {}

// Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3": ten rounds of Philox 4x32.
void RandomStream::refill() {
  std::array<std::uint32_t, 4> x = counter_;
  std::array<std::uint32_t, 2> key = key_;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t first = std::uint64_t{0xD2511F53} * x[0];
    const std::uint64_t second = std::uint64_t{0xCD9E8D57} * x[2];
    x = {static_cast<std::uint32_t>(second >> 32) ^ x[1] ^ key[0], static_cast<std::uint32_t>(second),
         static_cast<std::uint32_t>(first >> 32) ^ x[3] ^ key[1], static_cast<std::uint32_t>(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  block_ = x;
  used_ = 0;
  ++counter_[0];  // 2^34 numbers a stream
}

std::uint32_t RandomStream::next32() {
  if (used_ == block_.size()) refill();
  return block_[used_++];
}

std::uint64_t RandomStream::next64() {
  const std::uint64_t high = next32();
  return high << 32 | next32();
}

double RandomStream::uniform() { return static_cast<double>(next64() >> 11) * 0x1.0p-53; }

std::uint64_t RandomStream::below(std::uint64_t n) {
  if (n <= 0xFFFFFFFF) {  // Lemire's multiply-and-reject; what is rejected is below n, so the rest needs no division
    const auto small = static_cast<std::uint32_t>(n);
    for (;;) {
      const std::uint64_t product = std::uint64_t{next32()} * small;
      const auto low = static_cast<std::uint32_t>(product);
      if (low >= small || low >= (0u - small) % small) return product >> 32;
    }
  }
  const std::uint64_t reject = (std::uint64_t{0} - n) % n;
  for (;;) {
    const std::uint64_t draw = next64();
    if (draw >= reject) return draw % n;
  }
}

double RandomStream::normal() {
  for (;;) {  // Marsaglia's polar method; the second number is thrown away to keep the stream stateless
    const double u = 2 * uniform() - 1;
    const double v = 2 * uniform() - 1;
    const double s = u * u + v * v;
    if (s > 0 && s < 1) return u * std::sqrt(-2 * std::log(s) / s);
  }
}

}  // namespace cfrules

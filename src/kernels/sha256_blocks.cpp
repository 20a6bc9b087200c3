#include "kernels/sha256_blocks.h"

#include <bit>
#include <cstddef>

#include "kernels/cpu.h"

#ifdef CFRULES_HAS_X86_PATHS
#include <immintrin.h>
#endif

namespace cfrules {

namespace {

constexpr std::size_t kRounds = 64;

// First 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, kRounds> kRound = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t load_big(const char* at) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned char>(at[i]);
  return word;
}

std::array<std::uint32_t, kRounds> schedule(const char* block) {
  std::array<std::uint32_t, kRounds> w;
  for (std::size_t t = 0; t < 16; ++t) w[t] = load_big(block + 4 * t);
  for (std::size_t t = 16; t < kRounds; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ (w[t - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ (w[t - 2] >> 10);
    w[t] = w[t - 16] + s0 + w[t - 7] + s1;
  }
  return w;
}

void compress_plain(Sha256State& state, const char* block) {
  const auto w = schedule(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < kRounds; ++t) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t first = h + s1 + ((e & f) ^ (~e & g)) + kRound[t] + w[t];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const Sha256State added = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += added[i];
}

#ifdef CFRULES_HAS_X86_PATHS

// The instructions want the words a b e f in one register and c d g h in the other, the first word on top.
__attribute__((target("sha,sse4.1"))) void stir_by_instructions(Sha256State& state, std::string_view bytes) {
  const auto words = [&](std::size_t at) __attribute__((target("sha,sse4.1"))) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data() + at));
  };
  constexpr int kReversed = 0x1B;
  constexpr int kUpperHalf = 0x0E;
  const __m128i first = _mm_shuffle_epi32(words(0), kReversed);   // a on top: d c b a, lowest first
  const __m128i second = _mm_shuffle_epi32(words(4), kReversed);  // h g f e
  __m128i abef = _mm_unpackhi_epi64(second, first);
  __m128i cdgh = _mm_unpacklo_epi64(second, first);
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  for (; bytes.size() >= kSha256Block; bytes.remove_prefix(kSha256Block)) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i message[4];  // the last sixteen words of the schedule, four by four
    for (std::size_t four = 0; four < kRounds / 4; ++four) {
      __m128i& now = message[four % 4];
      if (four < 4) {
        now = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data()) + four), big_endian);
      } else {
        const __m128i before = message[(four + 3) % 4];
        const __m128i seven_back = _mm_alignr_epi8(before, message[(four + 2) % 4], 4);
        now =
            _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(now, message[(four + 1) % 4]), seven_back), before);
      }
      const __m128i keyed = _mm_add_epi32(now, _mm_loadu_si128(reinterpret_cast<const __m128i*>(&kRound[4 * four])));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, keyed);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(keyed, kUpperHalf));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const auto keep = [&](std::size_t at, __m128i four) __attribute__((target("sha,sse4.1"))) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + at), _mm_shuffle_epi32(four, kReversed));
  };
  keep(0, _mm_unpackhi_epi64(cdgh, abef));
  keep(4, _mm_unpacklo_epi64(cdgh, abef));
}

const bool kFast = has_sha();

#endif

}  // namespace

namespace plain {

void sha256_stir(Sha256State& state, std::string_view bytes) {
  for (; bytes.size() >= kSha256Block; bytes.remove_prefix(kSha256Block)) compress_plain(state, bytes.data());
}

}  // namespace plain

void sha256_stir(Sha256State& state, std::string_view bytes) {
#ifdef CFRULES_HAS_X86_PATHS
  if (kFast) return stir_by_instructions(state, bytes);
#endif
  plain::sha256_stir(state, bytes);
}

}  // namespace cfrules

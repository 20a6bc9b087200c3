#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/random.h"
#include "io/checksum.h"
#include "io/sha256.h"
#include "kernels/sha256_blocks.h"

namespace cfrules {
namespace {

std::vector<std::byte> random_bytes(std::size_t size) {
  RandomStream random(size, Purpose::test, 0);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
  return bytes;
}

// All different from each other: so no two flipped bits cancel either.
TEST(Checksum, OneOrTwoFlippedBitsChangeIt) {
  for (const std::size_t size : {1u, 7u, 8u, 63u, 64u, 65u, 200u, 1000u}) {
    std::vector<std::byte> bytes = random_bytes(size);
    std::set<std::uint64_t> seen{checksum(bytes)};
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      bytes[bit / 8] ^= std::byte{1} << bit % 8;
      EXPECT_TRUE(seen.insert(checksum(bytes)).second) << size << " " << bit;
      bytes[bit / 8] ^= std::byte{1} << bit % 8;
    }
  }
}

TEST(Checksum, SwappedWordsAndBlocksChangeIt) {
  const std::vector<std::byte> bytes = random_bytes(256);
  for (const std::size_t distance : {8u, 64u, 128u})
    for (std::size_t at = 0; at + 8 + distance <= bytes.size(); at += 8) {
      std::vector<std::byte> swapped = bytes;
      for (std::size_t i = 0; i < 8; ++i) std::swap(swapped[at + i], swapped[at + distance + i]);
      EXPECT_NE(checksum(swapped), checksum(bytes));
    }
}

TEST(Checksum, ZerosAtTheEndCount) {
  std::set<std::uint64_t> seen;
  for (std::size_t size = 0; size < 300; ++size)
    EXPECT_TRUE(seen.insert(checksum(std::vector<std::byte>(size))).second) << size;
}

// Computed once from the words of docs/model-format.md by a program in another language.
TEST(Checksum, IsAsTheFormatSays) {
  std::vector<std::byte> bytes;
  for (int i = 0; i < 100; ++i) bytes.push_back(static_cast<std::byte>(7 * i));
  EXPECT_EQ(checksum({}), 0xc1fa449f2c1c6a31u);
  EXPECT_EQ(checksum(bytes), 0x38ea900848a1c7ceu);
}

// The examples of FIPS 180-2 and lengths around the block's end.
TEST(Sha256, AgreesWithTheStandard) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(sha256_hex(std::string(55, 'x')), "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
  EXPECT_EQ(sha256_hex(std::string(56, 'x')), "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e");
  EXPECT_EQ(sha256_hex(std::string(63, 'x')), "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2");
  EXPECT_EQ(sha256_hex(std::string(64, 'x')), "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
  EXPECT_EQ(sha256_hex(std::string(65, 'x')), "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9");
  EXPECT_EQ(sha256_hex(std::string(119, 'x')), "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c");
  EXPECT_EQ(sha256_hex(std::string(120, 'x')), "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98");
}

TEST(Sha256, BlocksStirAsThePlainTwinDoes) {
  RandomStream random(1, Purpose::test, 0);
  for (std::size_t blocks = 0; blocks < 20; ++blocks) {
    std::string bytes;
    for (std::size_t i = 0; i < blocks * kSha256Block + blocks % 3; ++i) bytes += static_cast<char>(random.below(256));
    Sha256State state;
    for (std::uint32_t& word : state) word = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << 32));
    Sha256State twin = state;
    sha256_stir(state, bytes);
    plain::sha256_stir(twin, bytes);
    EXPECT_EQ(state, twin) << blocks;
  }
}

}  // namespace
}  // namespace cfrules

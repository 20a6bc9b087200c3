// Random numbers that are the same everywhere: Philox 4x32-10 in counter mode, with draws of our own, since the
// standard library's distributions differ between implementations. A stream is named by (seed, purpose, id), never by
// a thread, so results do not depend on how work is shared out.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace cfrules {

enum class Purpose : std::uint32_t {
  tree = 1,
  isolation_tree = 2,
  candidate_sets = 3,
  annealing = 4,
  noise = 5,
  generated_rows = 6,
  audit = 7,
  demo_data = 8,
  evaluation = 9,
  bootstrap = 10,
  lessons = 11,
  verification = 12,
  test = 100,
};

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t id);

  [[nodiscard]] std::uint32_t next32();
  [[nodiscard]] std::uint64_t next64();
  [[nodiscard]] double uniform();                    // in [0, 1), 53 bits
  [[nodiscard]] std::uint64_t below(std::uint64_t n);  // in [0, n), unbiased; n > 0
  [[nodiscard]] double normal();

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  void refill();

  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> block_{};
  unsigned used_ = 4;
};

}  // namespace cfrules

// For every feature and code a bit per row: is its code at most this one? The rows of a box are then a few ANDs,
// whatever the box is. Memory grows with rows times codes; where it does not suffice, neighbouring codes share a row of
// bits, and the ANDs leave some rows too many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "forest/tree.h"
#include "kernels/bit_rows.h"
#include "kernels/bits.h"

namespace cfrules {

struct CodeSide {
  std::size_t feature;
  Interval codes;
};

class PrefixBits {
 public:
  PrefixBits() = default;
  // order: the row at each place; last: the last code of each feature; asked: per feature how often boxes have a side
  // on it (empty: equally often), which keeps its codes apart the longer.
  PrefixBits(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::span<const Code> last,
             std::span<const double> asked, std::size_t most_bytes);

  // Room for a question; kept by whoever asks many.
  struct Scratch {
    std::vector<const std::uint64_t*> within;
    std::vector<const std::uint64_t*> without;
  };
  // The rows of a box, and those whose codes on undecided sides share bits with its ends. members: the places that
  // count at all, or empty: all. The answer uses the room; nothing if the box is empty.
  [[nodiscard]] std::optional<CommonBits> rows_in(std::span<const CodeSide> box, std::span<const std::uint64_t> members,
                                                  Scratch& scratch) const;
  // Whether no code shares its bits, so that all sides are decided.
  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] bool decides(const CodeSide& side) const {
    const unsigned within = (1u << shifts_[side.feature]) - 1;
    return (side.codes.low & within) == 0 &&
           ((side.codes.high & within) == within || side.codes.high >= last_[side.feature]);
  }

 private:
  [[nodiscard]] std::size_t coarse(std::size_t feature, Code code) const { return code >> shifts_[feature]; }
  [[nodiscard]] const std::uint64_t* up_to(std::size_t feature, std::size_t coarse_code) const {
    return bits_.data() + (begins_[feature] + coarse_code) * stride_;
  }
  void share_rows(std::span<const double> asked, std::size_t most_rows);
  void set_line(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::size_t begin);

  std::size_t words_ = 0;
  std::size_t stride_ = 0;  // words from one row of bits to the next
  bool exact_ = true;
  std::vector<std::uint8_t> shifts_;  // per feature: codes that share a row of bits, as a power of two
  std::vector<std::size_t> begins_;   // per feature: its first row of bits; where the last one's end
  std::vector<Code> last_;
  BitRows bits_;
};

}  // namespace cfrules

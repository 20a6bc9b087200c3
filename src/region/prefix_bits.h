// For every feature and code a bit per row: is its code at most this one? The rows of a box are then a few ANDs,
// whatever the box is. Memory grows with rows times codes, so this is for tables of moderate size.
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
  // order: the row at each place; last: the last code of each feature.
  PrefixBits(const CodeMatrix& codes, std::span<const std::uint32_t> order, std::span<const Code> last);
  [[nodiscard]] static std::size_t bytes(std::size_t rows, std::span<const Code> last);

  // Room for a question; kept by whoever asks many.
  struct Scratch {
    std::vector<const std::uint64_t*> within;
    std::vector<const std::uint64_t*> without;
  };
  // members: the places that count at all, or empty: all. The answer uses the room; nothing if the box is empty.
  [[nodiscard]] std::optional<CommonBits> rows_in(std::span<const CodeSide> box, std::span<const std::uint64_t> members,
                                                  Scratch& scratch) const;

 private:
  [[nodiscard]] const std::uint64_t* up_to(std::size_t feature, Code code) const {
    return bits_.data() + (begins_[feature] + code) * stride_;
  }

  std::size_t words_;
  std::size_t stride_;               // words from one row of bits to the next
  std::vector<std::size_t> begins_;  // per feature: its first row of bits
  std::vector<Code> last_;
  BitRows bits_;
};

}  // namespace cfrules

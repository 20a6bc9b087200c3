// Many boxes with numbers on them, summed at one cell of a grid at a time. Arrays in, sums out.
//
// The same sums as BoxSums gives, for grids too large to be written out: on every axis each cell has a row of bits, the
// boxes whose side holds it, and the boxes that cover a cell are the bits its rows have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/box_sums.h"

namespace cfrules {

class BoxLookup {
 public:
  static constexpr std::size_t kMostAxes = 16;

  // numbers: of one box after the other, channels of them each, 1 or 2.
  BoxLookup(std::span<const std::size_t> shape, const BoxList& boxes, std::span<const std::int64_t> numbers,
            std::size_t channels);

  // Words of memory that rows of bits for so many boxes take.
  [[nodiscard]] static std::size_t room(std::span<const std::size_t> shape, std::size_t boxes);

  struct Sums {
    std::int64_t first, second;
  };
  // cell: where it stands on every axis.
  [[nodiscard]] Sums at(std::span<const std::uint16_t> cell) const;

 private:
  std::size_t words_;                // in a row of bits
  std::vector<std::size_t> begins_;  // per axis: of its rows
  std::vector<std::uint64_t> rows_;
  std::vector<std::int64_t> numbers_[2];  // per box, some more to fill the last word; the second may be empty
};

}  // namespace cfrules

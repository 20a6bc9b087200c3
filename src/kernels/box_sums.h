// Many boxes with numbers on them, summed at every cell of a grid. Arrays in, sums out.
//
// In: boxes of a grid, each with one or two integers. Out: per cell the totals of the boxes that cover it. A box
// touches two corners per axis of an array of differences; one prefix sum along every axis then gives all cells. Exact,
// since the numbers are integers. The array has one place more than the grid on every axis, where boxes end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cfrules {

// A side of a box: cells [begin, end) of an axis; begin == end covers nothing.
struct BoxSide {
  std::uint16_t begin, end;
};

// Box i has its side on axis a at sides[i * stride + columns[a]].
struct BoxList {
  std::span<const BoxSide> sides;
  std::size_t stride;
  std::span<const std::uint8_t> columns;  // one per axis
};

class BoxSums {
 public:
  // Empties the grid; memory of earlier ones is used again. channels: 1 or 2 numbers per box.
  void reset(std::span<const std::size_t> shape, std::size_t channels);
  // The numbers of box i are at list[which[i] * channels ...].
  void add(const BoxList& boxes, std::span<const std::uint32_t> which, std::span<const std::int64_t> list);
  // A box as large as the grid; its second number is 0.
  void add_everywhere(std::int64_t first) { values_[0] += first; }
  // Once, after all boxes; then the sums can be read.
  void finish();

  // Where a cell of the grid stands, cells counted with the last axis fastest.
  [[nodiscard]] static std::size_t place_of(std::span<const std::size_t> shape, std::size_t cell);
  [[nodiscard]] std::int64_t first(std::size_t place) const { return values_[place * channels_]; }
  [[nodiscard]] std::int64_t second(std::size_t place) const { return channels_ == 2 ? values_[place * 2 + 1] : 0; }

 private:
  std::vector<std::size_t> shape_;
  std::vector<std::size_t> strides_;  // in values
  std::size_t channels_ = 1;
  std::vector<std::int64_t> values_;
};

}  // namespace cfrules

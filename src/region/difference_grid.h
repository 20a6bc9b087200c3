// Boxes added to a grid of moves: each touches a corner or two per axis of an array of differences, and one prefix sum
// along every axis turns them into the totals of all cells. Exact, since the numbers are integers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "region/move_grid.h"

namespace cfrules {

class DifferenceGrid {
 public:
  explicit DifferenceGrid(const MoveAxes& axes) : shape_(shape_of(axes)), strides_(shape_.size()) {
    std::size_t cells = 1;
    for (std::size_t axis = shape_.size(); axis-- > 0;) {
      strides_[axis] = cells;
      cells *= shape_[axis] + 1;
    }
    values_.assign(cells, 0);
  }

  void add(std::span<const MoveAxis::Run> box, Fixed value) { add(box, 0, 0, value); }

  // Prefix sums along every axis, then the grid itself without the extra places.
  [[nodiscard]] std::vector<Fixed> totals() {
    for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
      const std::size_t stride = strides_[axis];
      const std::size_t block = stride * (shape_[axis] + 1);
      for (std::size_t start = 0; start < values_.size(); start += block)
        for (std::size_t i = start + stride; i < start + block; ++i) values_[i] += values_[i - stride];
    }
    std::vector<Fixed> cells;
    copy(0, 0, cells);
    return cells;
  }

 private:
  void add(std::span<const MoveAxis::Run> box, std::size_t axis, std::size_t offset, Fixed value) {
    if (axis == box.size()) {
      values_[offset] += value;
      return;
    }
    add(box, axis + 1, offset + box[axis].begin * strides_[axis], value);
    add(box, axis + 1, offset + box[axis].end * strides_[axis], -value);
  }

  void copy(std::size_t axis, std::size_t offset, std::vector<Fixed>& cells) const {
    if (axis + 1 == shape_.size()) {
      const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(offset);
      cells.insert(cells.end(), begin, begin + static_cast<std::ptrdiff_t>(shape_[axis]));
      return;
    }
    for (std::size_t i = 0; i < shape_[axis]; ++i) copy(axis + 1, offset + i * strides_[axis], cells);
  }

  std::vector<std::size_t> shape_;
  std::vector<std::size_t> strides_;
  std::vector<Fixed> values_;
};

}  // namespace cfrules

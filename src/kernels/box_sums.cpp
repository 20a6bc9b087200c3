#include "kernels/box_sums.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace cfrules {

namespace {

// The numbers of one place. Two are one vector: the compiler does not see that they may be added together.
template <std::size_t Channels>
using Numbers [[gnu::vector_size(8 * Channels)]] = std::int64_t;

template <std::size_t Channels>
Numbers<Channels> numbers_at(const std::int64_t* place) {
  Numbers<Channels> numbers;
  std::memcpy(&numbers, place, sizeof numbers);
  return numbers;
}

template <std::size_t Channels>
void put_numbers(Numbers<Channels> numbers, std::int64_t* place) {
  std::memcpy(place, &numbers, sizeof numbers);
}

// The corners of boxes on so many axes. All are written, also those beyond the grid: a branch per corner costs more than a
// sum that nobody reads. Where they stand is worked out before the first is written: for all the compiler knows, writing
// one changes sides and strides.
template <std::size_t Axes, std::size_t Channels>
class Corners {
 public:
  Corners(const std::uint8_t* columns, const std::size_t* strides) {
    std::copy_n(columns, Axes, columns_);
    std::copy_n(strides, Axes, strides_);
  }

  void add(const BoxSide* sides, Numbers<Channels> numbers, std::int64_t* grid) const {
    std::size_t places[kCorners] = {};
#pragma GCC unroll 8
    for (std::size_t axis = 0; axis < Axes; ++axis) {
      const BoxSide side = sides[columns_[axis]];
      const std::size_t begin = side.begin * strides_[axis];
      const std::size_t end = side.end * strides_[axis];
#pragma GCC unroll 8
      for (std::size_t corner = 0; corner < kCorners; ++corner)
        places[corner] += (corner >> axis & 1) != 0 ? end : begin;
    }
#pragma GCC unroll 8
    for (std::size_t corner = 0; corner < kCorners; ++corner) {
      std::int64_t* const place = grid + places[corner];
      const Numbers<Channels> before = numbers_at<Channels>(place);
      put_numbers<Channels>(std::popcount(corner) % 2 == 0 ? before + numbers : before - numbers, place);
    }
  }

 private:
  static constexpr std::size_t kCorners = std::size_t{1} << Axes;
  std::uint8_t columns_[Axes];
  std::size_t strides_[Axes];
};

struct NumberedBoxes {
  const BoxList& boxes;
  std::span<const std::uint32_t> which;
  std::span<const std::int64_t> list;
};

template <std::size_t Axes, std::size_t Channels>
void add_boxes(const NumberedBoxes& from, const std::size_t* strides, std::int64_t* grid) {
  const Corners<Axes, Channels> corners(from.boxes.columns.data(), strides);
  const std::size_t stride = from.boxes.stride;
  const BoxSide* sides = from.boxes.sides.data();
  const std::int64_t* const list = from.list.data();
  for (const std::uint32_t which : from.which) {
    corners.add(sides, numbers_at<Channels>(list + which * Channels), grid);
    sides += stride;
  }
}

// Any number of axes beyond three: corners of the first ones, and at each of them those of the last three.
template <std::size_t Channels>
void add_boxes_of_many(const NumberedBoxes& from, const std::size_t* strides, std::int64_t* grid) {
  const BoxList& boxes = from.boxes;
  const std::size_t outer = boxes.columns.size() - 3;
  const Corners<3, Channels> inner(&boxes.columns[outer], strides + outer);
  const BoxSide* sides = boxes.sides.data();
  for (std::size_t i = 0; i < from.which.size(); ++i, sides += boxes.stride) {
    const Numbers<Channels> numbers = numbers_at<Channels>(&from.list[from.which[i] * Channels]);
    for (std::size_t corner = 0; corner < std::size_t{1} << outer; ++corner) {
      std::int64_t* at = grid;
      for (std::size_t axis = 0; axis < outer; ++axis) {
        const BoxSide side = sides[boxes.columns[axis]];
        at += ((corner >> axis & 1) != 0 ? side.end : side.begin) * strides[axis];
      }
      inner.add(sides, std::popcount(corner) % 2 == 0 ? numbers : -numbers, at);
    }
  }
}

template <std::size_t Channels>
void add_boxes(const NumberedBoxes& boxes, const std::size_t* strides, std::int64_t* grid) {
  switch (boxes.boxes.columns.size()) {
    case 1:
      return add_boxes<1, Channels>(boxes, strides, grid);
    case 2:
      return add_boxes<2, Channels>(boxes, strides, grid);
    case 3:
      return add_boxes<3, Channels>(boxes, strides, grid);
    default:
      return add_boxes_of_many<Channels>(boxes, strides, grid);
  }
}

// Running sums along a line, and in the same pass what stands above them.
template <std::size_t Channels, bool First>
void sum_line(std::int64_t* here, std::size_t line) {
  Numbers<Channels> sums{};
  for (std::size_t i = 0; i < line; i += Channels) {
    sums += numbers_at<Channels>(here + i);
    put_numbers<Channels>(First ? sums : sums + numbers_at<Channels>(here + i - line), here + i);
  }
}

template <std::size_t Channels>
void sum_plane(std::span<std::int64_t> plane, std::size_t line) {
  sum_line<Channels, true>(plane.data(), line);
  for (std::size_t start = line; start < plane.size(); start += line)
    sum_line<Channels, false>(plane.data() + start, line);
}

void add_line(const std::int64_t* __restrict from, std::int64_t* __restrict to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
}

}  // namespace

void BoxSums::reset(std::span<const std::size_t> shape, std::size_t channels) {
  shape_.assign(shape.begin(), shape.end());
  strides_.resize(shape.size());
  channels_ = channels;
  std::size_t values = channels;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides_[axis] = values;
    values *= shape[axis] + 1;
  }
  values_.assign(values, 0);
}

void BoxSums::add(const BoxList& boxes, std::span<const std::uint32_t> which, std::span<const std::int64_t> list) {
  const NumberedBoxes numbered{boxes, which, list};
  channels_ == 2 ? add_boxes<2>(numbered, strides_.data(), values_.data())
                 : add_boxes<1>(numbered, strides_.data(), values_.data());
}

void BoxSums::finish() {
  const std::size_t axes = shape_.size();
  const std::size_t line = (shape_.back() + 1) * channels_;
  const std::size_t plane = axes > 1 ? line * (shape_[axes - 2] + 1) : line;
  for (std::size_t start = 0; start < values_.size(); start += plane)
    channels_ == 2 ? sum_plane<2>(std::span(values_).subspan(start, plane), line)
                   : sum_plane<1>(std::span(values_).subspan(start, plane), line);
  for (std::size_t axis = 0; axis + 2 < axes; ++axis) {
    const std::size_t stride = strides_[axis];
    const std::size_t block = stride * (shape_[axis] + 1);
    for (std::size_t start = 0; start < values_.size(); start += block)
      for (std::size_t i = start + stride; i < start + block; i += stride)
        add_line(&values_[i - stride], &values_[i], stride);
  }
}

std::size_t BoxSums::place_of(std::span<const std::size_t> shape, std::size_t cell) {
  std::size_t place = 0;
  std::size_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    place += cell % shape[axis] * stride;
    cell /= shape[axis];
    stride *= shape[axis] + 1;
  }
  return place;
}

}  // namespace cfrules

#include "kernels/box_sums.h"

#include <cstring>

namespace cfrules {

namespace {

// Adds to the numbers of one place. Two are one vector: the compiler does not see that they may be read together.
template <std::size_t Channels, bool Minus>
void add_numbers(std::int64_t* to, const std::int64_t* numbers) {
  if constexpr (Channels == 2) {
    using Pair [[gnu::vector_size(16)]] = std::int64_t;
    Pair sums, more;
    std::memcpy(&sums, to, sizeof sums);
    std::memcpy(&more, numbers, sizeof more);
    sums = Minus ? sums - more : sums + more;
    std::memcpy(to, &sums, sizeof sums);
  } else {
    *to += Minus ? -*numbers : *numbers;
  }
}

// All corners are written, also those beyond the grid: a branch per corner costs more than a sum that nobody reads.
template <std::size_t Channels>
struct Corners {
  const std::uint8_t* columns;
  const std::size_t* strides;
  const BoxSide* sides = nullptr;
  const std::int64_t* numbers = nullptr;

  // The axes from `axis` on, of which there are Left.
  template <std::size_t Left, bool Minus>
  void add(std::size_t axis, std::int64_t* at) const {
    const BoxSide side = sides[columns[axis]];
    if constexpr (Left == 1) {
      add_numbers<Channels, Minus>(at + side.begin * Channels, numbers);
      add_numbers<Channels, !Minus>(at + side.end * Channels, numbers);
    } else {
      add<Left - 1, Minus>(axis + 1, at + side.begin * strides[axis]);
      add<Left - 1, !Minus>(axis + 1, at + side.end * strides[axis]);
    }
  }

  // Any number of axes beyond three.
  template <bool Minus>
  void add_many(std::size_t left, std::size_t axis, std::int64_t* at) const {
    if (left == 3) return add<3, Minus>(axis, at);
    const BoxSide side = sides[columns[axis]];
    add_many<Minus>(left - 1, axis + 1, at + side.begin * strides[axis]);
    add_many<!Minus>(left - 1, axis + 1, at + side.end * strides[axis]);
  }
};

template <std::size_t Channels>
void add_boxes(const BoxList& boxes, const std::size_t* strides, std::int64_t* grid) {
  Corners<Channels> corners{boxes.columns.data(), strides};
  const auto each = [&](const auto& add) {
    corners.sides = boxes.sides.data();
    corners.numbers = boxes.numbers.data();
    for (std::size_t box = boxes.numbers.size() / Channels; box > 0; --box) {
      add();
      corners.sides += boxes.stride;
      corners.numbers += Channels;
    }
  };
  switch (boxes.columns.size()) {
    case 1:
      return each([&] { corners.template add<1, false>(0, grid); });
    case 2:
      return each([&] { corners.template add<2, false>(0, grid); });
    case 3:
      return each([&] { corners.template add<3, false>(0, grid); });
    default:
      return each([&] { corners.template add_many<false>(boxes.columns.size(), 0, grid); });
  }
}

// Running sums along a line, and in the same pass what stands above them.
template <std::size_t Channels, bool First>
void sum_line(std::int64_t* here, std::size_t line) {
  std::int64_t sums[Channels] = {};
  for (std::size_t i = 0; i < line; i += Channels)
    for (std::size_t channel = i; channel < i + Channels; ++channel) {
      const std::int64_t sum = sums[channel - i] += here[channel];
      here[channel] = First ? sum : sum + (here - line)[channel];
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

void BoxSums::add(const BoxList& boxes) {
  channels_ == 2 ? add_boxes<2>(boxes, strides_.data(), values_.data())
                 : add_boxes<1>(boxes, strides_.data(), values_.data());
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

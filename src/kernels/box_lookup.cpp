#include "kernels/box_lookup.h"

#include <array>
#include <cassert>
#include <numeric>

#include "kernels/bits.h"

namespace cfrules {

std::size_t BoxLookup::room(std::span<const std::size_t> shape, std::size_t boxes) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{0}) * words_of_bits(boxes);
}

// A bit changes where the box's side begins and where it ends; running changes are the rows.
BoxLookup::BoxLookup(std::span<const std::size_t> shape, const BoxList& boxes, std::span<const std::int64_t> numbers,
                     std::size_t channels) {
  assert(shape.size() <= kMostAxes);
  const std::size_t count = numbers.size() / channels;
  words_ = words_of_bits(count);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    numbers_[channel].assign(words_ * kWordBits, 0);
    for (std::size_t box = 0; box < count; ++box) numbers_[channel][box] = numbers[box * channels + channel];
  }
  rows_.assign(room(shape, count), 0);
  std::size_t begin = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    begins_.push_back(begin);
    const std::size_t end = begin + shape[axis] * words_;
    for (std::size_t box = 0; box < count; ++box) {
      const BoxSide side = boxes.sides[box * boxes.stride + boxes.columns[axis]];
      const std::uint64_t bit = std::uint64_t{1} << box % kWordBits;
      const std::size_t word = begin + box / kWordBits;
      for (const std::size_t edge : {side.begin, side.end})
        if (edge < shape[axis]) rows_[word + edge * words_] ^= bit;
    }
    for (std::size_t word = begin + words_; word < end; ++word) rows_[word] ^= rows_[word - words_];
    begin = end;
  }
}

BoxLookup::Sums BoxLookup::at(std::span<const std::uint16_t> cell) const {
  std::array<const std::uint64_t*, kMostAxes> rows;
  for (std::size_t axis = 0; axis < cell.size(); ++axis) rows[axis] = rows_.data() + begins_[axis] + cell[axis] * words_;
  const CommonBits bits{std::span(rows).first(cell.size()), {}, words_};
  return {sum_common(bits, numbers_[0]), numbers_[1].empty() ? 0 : sum_common(bits, numbers_[1])};
}

}  // namespace cfrules

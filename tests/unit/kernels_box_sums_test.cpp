#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"
#include "kernels/box_lookup.h"
#include "kernels/box_sums.h"

namespace cfrules {
namespace {

struct Boxes {
  std::vector<std::size_t> shape;
  std::size_t channels = 1;
  std::size_t columns = 0;  // sides kept per box, more than the grid has axes
  std::vector<std::uint8_t> used;
  std::vector<BoxSide> sides;
  std::vector<std::int64_t> numbers;
};

Boxes random_boxes(RandomStream& random) {
  Boxes boxes;
  const std::size_t axes = 1 + random.below(5);
  boxes.channels = 1 + random.below(2);
  boxes.columns = axes + random.below(3);
  for (std::size_t axis = 0; axis < axes; ++axis) boxes.shape.push_back(1 + random.below(7));
  for (std::size_t axis = 0; axis < axes; ++axis)
    boxes.used.push_back(static_cast<std::uint8_t>(boxes.columns - 1 - axis));
  for (std::size_t box = random.below(random.below(4) == 0 ? 200 : 20); box > 0; --box) {
    for (std::size_t column = 0; column < boxes.columns; ++column) {
      const std::size_t axis = boxes.columns - 1 - column;
      const std::size_t length = axis < axes ? boxes.shape[axis] : 1;
      const std::size_t begin = random.below(length + 1);
      const std::size_t end = begin + random.below(length + 1 - begin);
      boxes.sides.push_back({static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)});
    }
    for (std::size_t i = 0; i < boxes.channels; ++i)
      boxes.numbers.push_back(static_cast<std::int64_t>(random.below(1u << 30)) - (1 << 29));
  }
  return boxes;
}

// Every box asked at every cell.
std::int64_t slow_sum(const Boxes& boxes, std::size_t cell, std::size_t channel) {
  std::int64_t sum = 0;
  for (std::size_t box = 0; box * boxes.channels < boxes.numbers.size(); ++box) {
    std::size_t rest = cell;
    bool covers = true;
    for (std::size_t axis = boxes.shape.size(); axis-- > 0; rest /= boxes.shape[axis]) {
      const BoxSide side = boxes.sides[box * boxes.columns + boxes.used[axis]];
      const std::size_t place = rest % boxes.shape[axis];
      covers = covers && side.begin <= place && place < side.end;
    }
    if (covers) sum += boxes.numbers[box * boxes.channels + channel];
  }
  return sum;
}

TEST(BoxSums, GiveAtEveryCellTheTotalsOfTheBoxesThatCoverIt) {
  BoxSums sums;  // one for all, as it is used
  for (std::uint64_t id = 0; id < 500; ++id) {
    RandomStream random(7, Purpose::test, id);
    const Boxes boxes = random_boxes(random);
    sums.reset(boxes.shape, boxes.channels);
    // Each box's own numbers at a place of their own, and some that nobody has.
    std::vector<std::uint32_t> which(boxes.numbers.size() / boxes.channels);
    std::iota(which.begin(), which.end(), 1u);
    random.shuffle(std::span(which));
    std::vector<std::int64_t> list(boxes.numbers.size() + 2 * boxes.channels, 77);
    for (std::size_t box = 0; box < which.size(); ++box)
      for (std::size_t i = 0; i < boxes.channels; ++i)
        list[which[box] * boxes.channels + i] = boxes.numbers[box * boxes.channels + i];
    sums.add({boxes.sides, boxes.columns, boxes.used}, which, list);
    sums.finish();
    std::size_t cells = 1;
    for (const std::size_t length : boxes.shape) cells *= length;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::size_t place = BoxSums::place_of(boxes.shape, cell);
      ASSERT_EQ(sums.first(place), slow_sum(boxes, cell, 0)) << "case " << id << " cell " << cell;
      ASSERT_EQ(sums.second(place), boxes.channels == 2 ? slow_sum(boxes, cell, 1) : 0) << "case " << id;
    }
  }
}

TEST(BoxLookup, GivesTheTotalsOfTheBoxesThatCoverACell) {
  for (std::uint64_t id = 0; id < 500; ++id) {
    RandomStream random(8, Purpose::test, id);
    const Boxes boxes = random_boxes(random);
    const BoxLookup lookup(boxes.shape, {boxes.sides, boxes.columns, boxes.used}, boxes.numbers, boxes.channels);
    for (int each = 0; each < 30; ++each) {
      std::size_t cell = 0;
      std::vector<std::uint16_t> places;
      for (const std::size_t length : boxes.shape) {
        places.push_back(static_cast<std::uint16_t>(random.below(length)));
        cell = cell * length + places.back();
      }
      const BoxLookup::Sums sums = lookup.at(places);
      ASSERT_EQ(sums.first, slow_sum(boxes, cell, 0)) << "case " << id << " cell " << cell;
      ASSERT_EQ(sums.second, boxes.channels == 2 ? slow_sum(boxes, cell, 1) : 0) << "case " << id;
    }
  }
}

TEST(BoxLookup, TakesAWordForEveryCellOfAnAxisAnd64Boxes) {
  const std::vector<std::size_t> shape{3, 5};
  EXPECT_EQ(BoxLookup::room(shape, 0), 0u);
  EXPECT_EQ(BoxLookup::room(shape, 64), 8u);
  EXPECT_EQ(BoxLookup::room(shape, 65), 16u);
}

}  // namespace
}  // namespace cfrules

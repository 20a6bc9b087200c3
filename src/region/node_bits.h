// Which splits of a tree a region reaches, and what they say of its cell, looked up instead of walked to.
//
// A region reaches a node exactly if on every feature it passes the cuts on the way: its side's high end lies above
// those the way goes right at, its low end not above those it goes left at. Splits are numbered by feature, then cut.
// For every feature and place among its cuts a row of bits tells which splits an end of a side there does not rule out;
// the splits reached are the bits that all rows have in common. The bound that a feature's splits put on the cell is
// then that of the nearest bit on either side of the region's.
//
// For trees where missing goes left. Memory grows with the square of the splits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/tree.h"
#include "kernels/bit_rows.h"
#include "kernels/bits.h"
#include "region/region.h"

namespace cfrules {

// What sides leave of one tree's splits. Regions have the same sides again and again, most being about one person: for
// every feature the value last fixed and the side last given otherwise are remembered, from the second question on, since
// many ask but one. Kept by whoever asks many.
struct SidesMemory {
  struct Known {
    Interval side{1, 0};  // none yet
    BitGap ends;
  };
  bool asked = false;        // at all
  std::vector<Known> known;  // two per feature
  BitRows rows;              // for each: splits that it does not rule out
};

// Room for a question and its answer; kept by whoever asks many.
struct NodeBitsRoom {
  std::size_t limited = 0;                 // features that are not free
  std::vector<std::uint32_t> features;     // those come first
  std::vector<BitGap> ends;                // for each of them: where its side ends among its splits
  std::vector<BitNeighbours> neighbours;   // and the splits next to it
  std::vector<const std::uint64_t*> rows;  // that rule out splits
  BitRows reached;
  BitRows shallow;  // a line of zeros, then those of them above a level, then at least one zero
};

class NodeBits {
 public:
  static constexpr std::size_t kMostWords = kMostSparseWords;  // of a bit per split
  NodeBits(const Tree& tree, std::size_t features);
  [[nodiscard]] static bool knows(const Tree& tree);  // of the trees where missing goes right it does not
  [[nodiscard]] static std::size_t bytes(const Tree& tree, std::size_t features);

  [[nodiscard]] std::size_t levels() const { return levels_; }
  // Leaves in the room which splits the region reaches. No side may be empty.
  void reach(const Region& region, SidesMemory& memory, NodeBitsRoom& room) const;
  // The bounds of the splits in the room that lie above a level, as LevelBounds has them.
  void bounds(std::size_t level, NodeBitsRoom& room, std::span<std::uint16_t> tight) const;

 private:
  struct Feature {
    std::uint32_t begin = 0;  // of its splits
    std::uint32_t end = 0;
    std::uint32_t codes = 0;  // where its part of places_ begins
    Code most = 0;            // from this code on all its cuts are passed
  };

  void number(const Tree& tree, std::vector<std::uint32_t>& numbers);
  void note_ways(const Tree& tree, std::span<const std::uint32_t> numbers);
  // Splits before the gap lie below the side, splits after it above.
  [[nodiscard]] BitGap ends(std::size_t feature, Interval side) const {
    return {place(features_[feature], side.low), place(features_[feature], side.high)};
  }
  // Splits that an end of a side does not rule out.
  [[nodiscard]] const std::uint64_t* above(std::size_t feature, BitGap ends) const {
    return above_.data() + row(feature, ends.low);
  }
  [[nodiscard]] const std::uint64_t* below(std::size_t feature, BitGap ends) const {
    return below_.data() + row(feature, ends.high);
  }
  void list_limited(const Region& region, NodeBitsRoom& room) const;
  void read_sides(const Region& region, NodeBitsRoom& room) const;
  void recall_sides(const Region& region, SidesMemory& memory, NodeBitsRoom& room) const;
  void learn(std::size_t feature, Interval side, SidesMemory::Known& known, std::span<std::uint64_t> splits) const;
  // The first split of the feature whose cut is not below the code.
  [[nodiscard]] std::uint32_t place(const Feature& feature, Code code) const {
    return places_[feature.codes + std::min(code, feature.most)];
  }
  // A feature has one row more than splits.
  [[nodiscard]] std::size_t row(std::size_t feature, std::size_t place) const { return (place + feature) * words_; }

  std::size_t words_ = 0;  // of a bit per split, up to where the next row begins
  std::size_t levels_ = 1;
  std::vector<Feature> features_;
  std::vector<Code> cuts_;             // of a feature's splits; before, between and after features kTop: no bound
  std::vector<std::uint16_t> places_;  // per feature and code
  BitRows above_;                      // rows: splits that a low end at this place does not rule out
  BitRows below_;                      // the same for high ends
  BitRows shallow_;                    // per level: splits above it
};

}  // namespace cfrules

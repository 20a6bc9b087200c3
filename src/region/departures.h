// Every set of features at once: the bounds that one person's (or group's) cell has in a tree, for each set of features
// that is let free.
//
// A node is visited with the features of S free exactly when the path to it leaves the base only at splits on features
// of S. So all candidates are walked as free, the features departed on are a mask, and a bound met on the way belongs
// to that mask. The bounds of S are those of all masks within S: its own, and those of S without one feature each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forest/tree.h"
#include "region/level_bounds.h"
#include "region/region.h"

namespace cfrules {

// Sets of features and all their subsets, smaller ones first.
class SetLattice {
 public:
  static constexpr std::size_t kMostFeatures = 64;
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // At most kMostFeatures features in all.
  explicit SetLattice(std::span<const std::vector<std::size_t>> sets, std::size_t features);

  [[nodiscard]] std::size_t size() const { return masks_.size(); }
  [[nodiscard]] std::size_t place(std::size_t set) const { return places_[set]; }  // of the set as given
  [[nodiscard]] bool holds(std::size_t feature) const { return slots_[feature] != kNone; }
  [[nodiscard]] bool contains(std::size_t place, std::size_t feature) const {
    return (masks_[place] >> slots_[feature] & 1) != 0;
  }
  // The set with this feature too; kNone if nobody asks for it.
  [[nodiscard]] std::uint32_t with(std::size_t place, std::size_t feature) const {
    return larger_[place * candidates_.size() + slots_[feature]];
  }
  // The sets with one feature less.
  [[nodiscard]] std::span<const std::uint32_t> smaller(std::size_t place) const {
    return std::span(smaller_).subspan(smaller_begin_[place], smaller_begin_[place + 1] - smaller_begin_[place]);
  }

 private:
  std::vector<std::size_t> candidates_;
  std::vector<std::uint32_t> slots_;  // per feature: its bit, or kNone
  std::vector<std::uint64_t> masks_;
  std::vector<std::size_t> places_;
  std::vector<std::uint32_t> larger_;
  std::vector<std::uint32_t> smaller_;
  std::vector<std::size_t> smaller_begin_;
};

class Departures {
 public:
  // base: the person's point or the group's ranges; free: the same with every feature of the lattice free.
  Departures(const SetLattice& lattice, const Region& base, const Region& free)
      : lattice_(lattice), base_(base), free_(free) {}

  // The tree has at most so many levels of splits.
  void read(const Tree& tree, std::size_t depth);
  [[nodiscard]] LevelBounds bounds(std::size_t place) const {
    return {std::span(tight_).subspan(place * size_, size_), base_.features()};
  }

 private:
  const SetLattice& lattice_;
  const Region& base_;
  const Region& free_;
  std::size_t size_ = 0;  // of one set's bounds
  mutable std::vector<std::uint16_t> tight_;
};

}  // namespace cfrules

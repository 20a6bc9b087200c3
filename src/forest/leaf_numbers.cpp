#include "forest/leaf_numbers.h"

#include <limits>

namespace cfrules {

namespace {

constexpr NumbersId kFree = std::numeric_limits<NumbersId>::max();

// Simple fractions have zeros for their last forty places or so: the upper half is folded into the lower before it is
// spread over the upper again.
std::size_t hash(Fixed first, Fixed second) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  std::uint64_t mixed = (static_cast<std::uint64_t>(first) * kOdd ^ static_cast<std::uint64_t>(second)) * kOdd;
  mixed = (mixed ^ mixed >> 32) * kOdd;
  return mixed >> 32;
}

}  // namespace

LeafNumberList::LeafNumberList(std::size_t channels) : channels_(channels), places_(64, kFree) {
  list_.assign(channels, 0);
  *place_of(0, 0) = kSaysNothing;
}

void LeafNumberList::begin_tree(std::size_t leaves) { said_.emplace_back().reserve(leaves); }

void LeafNumberList::add(Fixed first, Fixed second) {
  NumbersId* const place = place_of(first, second);
  if (place != nullptr && *place != kFree) return said_.back().push_back(*place);
  const auto id = static_cast<NumbersId>(list_.size() / channels_);
  if (place != nullptr) *place = id;
  said_.back().push_back(id);
  list_.push_back(first);
  if (channels_ == 2) list_.push_back(second);
  if (2 * (list_.size() / channels_) > places_.size()) grow();
}

void LeafNumberList::end() {
  places_ = {};
  list_.shrink_to_fit();
}

// Where numbers are, or the free place where they belong. Null: all places near that one are taken, which nobody meets
// but by choosing numbers for it; they are not shared then, and nobody waits for long.
NumbersId* LeafNumberList::place_of(Fixed first, Fixed second) {
  constexpr std::size_t kMostSteps = 1024;
  const std::size_t home = hash(first, second);
  for (std::size_t step = 0; step < kMostSteps; ++step) {
    NumbersId& place = places_[(home + step) % places_.size()];
    if (place == kFree) return &place;
    const Fixed* const here = &list_[place * channels_];
    if (here[0] == first && (channels_ == 1 || here[1] == second)) return &place;
  }
  return nullptr;
}

void LeafNumberList::grow() {
  places_.assign(2 * places_.size(), kFree);
  for (std::size_t at = 0; at < list_.size(); at += channels_)
    if (NumbersId* const place = place_of(list_[at], channels_ == 2 ? list_[at + 1] : 0))
      *place = static_cast<NumbersId>(at / channels_);
}

}  // namespace cfrules

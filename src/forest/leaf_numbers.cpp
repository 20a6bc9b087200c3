#include "forest/leaf_numbers.h"

#include <limits>

namespace cfrules {

namespace {

constexpr NumbersId kFree = std::numeric_limits<NumbersId>::max();

std::size_t hash(Fixed first, Fixed second) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
  const std::uint64_t mixed = (static_cast<std::uint64_t>(first) * kOdd ^ static_cast<std::uint64_t>(second)) * kOdd;
  return mixed ^ mixed >> 32;
}

}  // namespace

LeafNumberList::LeafNumberList(std::size_t channels) : channels_(channels), places_(64, kFree) {
  list_.assign(channels, 0);
  places_[place_of(0, 0)] = kSaysNothing;
}

void LeafNumberList::begin_tree(std::size_t leaves) { said_.emplace_back().reserve(leaves); }

void LeafNumberList::add(Fixed first, Fixed second) {
  NumbersId& id = places_[place_of(first, second)];
  if (id != kFree) return said_.back().push_back(id);
  id = static_cast<NumbersId>(list_.size() / channels_);
  said_.back().push_back(id);
  list_.push_back(first);
  if (channels_ == 2) list_.push_back(second);
  if (2 * (list_.size() / channels_) > places_.size()) grow();
}

void LeafNumberList::end() {
  places_ = {};
  list_.shrink_to_fit();
}

// Where numbers are, or the free place where they belong.
std::size_t LeafNumberList::place_of(Fixed first, Fixed second) const {
  for (std::size_t place = hash(first, second);; ++place) {
    place %= places_.size();
    if (places_[place] == kFree) return place;
    const Fixed* const here = &list_[places_[place] * channels_];
    if (here[0] == first && (channels_ == 1 || here[1] == second)) return place;
  }
}

void LeafNumberList::grow() {
  places_.assign(2 * places_.size(), kFree);
  for (std::size_t at = 0; at < list_.size(); at += channels_)
    places_[place_of(list_[at], channels_ == 2 ? list_[at + 1] : 0)] = static_cast<NumbersId>(at / channels_);
}

}  // namespace cfrules

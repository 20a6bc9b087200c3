#include "region/move_pages.h"

#include <algorithm>

namespace cfrules {

ByteBins::ByteBins(const MoveAxis& axis) {
  std::size_t bin = 0;
  for (std::size_t code = 0; code < from_.size(); ++code) {
    // From the last code of pages on all are the same.
    while (bin < axis.size() && (axis.read_at(bin) < code || code > LeafPages::kLast)) ++bin;
    from_[code] = static_cast<std::uint16_t>(bin);
  }
}

std::unique_ptr<const MovePages> MovePages::of(const Forest& forest) {
  std::unique_ptr<const LeafPages> leaves = LeafPages::of(forest);
  return leaves == nullptr ? nullptr : std::unique_ptr<const MovePages>(new MovePages(std::move(leaves)));
}

namespace {

std::vector<Code> key_of(const std::vector<const MoveAxis*>& axes) {
  std::vector<Code> key;
  for (const MoveAxis* axis : axes) {
    key.push_back(static_cast<Code>(axis->feature()));
    key.push_back(static_cast<Code>(axis->size()));
    for (std::size_t bin = 0; bin < axis->size(); ++bin) key.push_back(axis->read_at(bin));
  }
  return key;
}

std::vector<std::uint64_t> words_without_bin(const LeafPages& leaves, const std::vector<const MoveAxis*>& axes) {
  const std::size_t features = leaves.features().size();
  std::vector<const ByteBins*> bins_of(features, nullptr);
  std::vector<ByteBins> bins;
  bins.reserve(axes.size());
  for (const MoveAxis* axis : axes) bins_of[axis->feature()] = &bins.emplace_back(*axis);
  std::vector<std::uint64_t> words(leaves.lines().size(), 0);
  for (std::size_t line = 0; line < words.size(); ++line) {
    const ByteBins* const here = bins_of[leaves.features()[line % features]];
    if (here == nullptr) continue;
    const IntervalBlock& sides = leaves.lines()[line];
    for (std::size_t leaf = 0; leaf < kWordBits; ++leaf) {
      const BoxSide side = here->of(sides.low[leaf], sides.high[leaf]);
      words[line] |= std::uint64_t{side.begin >= side.end} << leaf;
    }
  }
  return words;
}

}  // namespace

MovePages::LineWords MovePages::leaves_without_bin(const std::vector<const MoveAxis*>& axes) const {
  constexpr std::size_t kMostKnown = 16;
  std::vector<Code> key = key_of(axes);
  const std::lock_guard lock(mutex_);
  for (const auto& [asked, words] : known_)
    if (asked == key) return words;
  if (known_.size() == kMostKnown) known_.erase(known_.begin());
  known_.emplace_back(std::move(key),
                      std::make_shared<const std::vector<std::uint64_t>>(words_without_bin(*leaves_, axes)));
  return known_.back().second;
}

}  // namespace cfrules

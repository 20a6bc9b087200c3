// The leaves of a forest as pages, for people who may move: beside the boxes of the leaves, which of them no place to
// move to lies in. Shared by all people; safe to ask from many threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "forest/leaf_pages.h"
#include "region/move_axis.h"

namespace cfrules {

// Bins of an axis by codes as pages have them.
class ByteBins {
 public:
  explicit ByteBins(const MoveAxis& axis);

  [[nodiscard]] BoxSide of(std::uint8_t low, std::uint8_t high) const { return {from_[low], from_[high + 1u]}; }

 private:
  std::array<std::uint16_t, LeafPages::kLast + 2> from_;  // per code: the first bin read there or above
};

class MovePages {
 public:
  // Null where there are no pages (forest/leaf_pages).
  [[nodiscard]] static std::unique_ptr<const MovePages> of(const Forest& forest);

  [[nodiscard]] const LeafPages& leaves() const { return *leaves_; }

  // A word for each line of the pages: leaves whose side holds no bin of the feature's axis; 0 without one.
  using LineWords = std::shared_ptr<const std::vector<std::uint64_t>>;
  [[nodiscard]] LineWords leaves_without_bin(const std::vector<const MoveAxis*>& axes) const;

 private:
  explicit MovePages(std::unique_ptr<const LeafPages> leaves) : leaves_(std::move(leaves)) {}

  std::unique_ptr<const LeafPages> leaves_;
  mutable std::mutex mutex_;
  // By what was asked for: features of the axes and where they are read. The last few.
  mutable std::vector<std::pair<std::vector<Code>, LineWords>> known_;
};

}  // namespace cfrules

// The boxes of a forest's leaves, 64 to a page: what walks to them would find out split by split is compared for a
// whole page at once (kernels/bits, find_outside). In: trees. Out: per page the sides of its leaves, and per 64 pages their
// hulls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "forest/tree.h"
#include "kernels/bits.h"

namespace cfrules {

class LeafPages {
 public:
  static constexpr std::uint8_t kLast = 0xFF;  // no cut is so high: every code from here on is the same to the trees

  // Leaves of one tree that follow each other.
  struct Page {
    std::uint32_t tree;
    std::uint32_t first_leaf;
    std::uint32_t leaves;
  };

  // Null where codes need more than a byte, missing values go right, or pages would take more than this.
  static constexpr std::size_t kMostBytes = 200'000'000;
  [[nodiscard]] static std::unique_ptr<const LeafPages> of(const Forest& forest);

  // Features in the order of lines: those with the most splits, which tell leaves apart soonest, come first.
  [[nodiscard]] std::span<const std::size_t> features() const { return features_; }
  [[nodiscard]] std::span<const Page> pages() const { return pages_; }
  // The sides of a page's leaves, a line per feature. Of all pages, one page after the other.
  [[nodiscard]] std::span<const IntervalBlock> lines() const { return lines_; }
  [[nodiscard]] std::span<const IntervalBlock> lines(std::size_t page) const {
    return std::span(lines_).subspan(page * features_.size(), features_.size());
  }
  // The hulls of pages 64 * block and on, a line per feature.
  [[nodiscard]] std::span<const IntervalBlock> hulls(std::size_t block) const {
    return std::span(hulls_).subspan(block * features_.size(), features_.size());
  }

 private:
  LeafPages(const Forest& forest, std::size_t pages);
  void add(const Tree& tree, std::uint32_t index);
  void add_page(std::span<const std::uint8_t> sides, const Page& page);

  std::vector<std::size_t> features_;
  std::vector<Page> pages_;
  std::vector<IntervalBlock> lines_;
  std::vector<IntervalBlock> hulls_;
};

}  // namespace cfrules

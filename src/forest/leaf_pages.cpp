#include "forest/leaf_pages.h"

#include <algorithm>
#include <numeric>

namespace cfrules {

namespace {

bool fits_pages(const Node& node) { return node.is_leaf() || (node.cut < LeafPages::kLast && !node.missing_right()); }

}  // namespace

std::unique_ptr<const LeafPages> LeafPages::of(const Forest& forest) {
  std::size_t pages = 0;
  for (const Tree& tree : forest.trees) {
    if (!std::all_of(tree.nodes.begin(), tree.nodes.end(), fits_pages)) return nullptr;
    pages += words_of_bits(tree.leaves());
  }
  if (pages > kMostBytes / sizeof(IntervalBlock) / std::max<std::size_t>(1, forest.features)) return nullptr;
  return std::unique_ptr<const LeafPages>(new LeafPages(forest, pages));
}

LeafPages::LeafPages(const Forest& forest, std::size_t pages) : features_(forest.features) {
  std::iota(features_.begin(), features_.end(), std::size_t{0});
  std::stable_sort(features_.begin(), features_.end(), [&](std::size_t one, std::size_t other) {
    return forest.split_counts[one] > forest.split_counts[other];
  });
  pages_.reserve(pages);
  lines_.reserve(pages * features_.size());
  hulls_.reserve(words_of_bits(pages) * features_.size());
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree)
    add(forest.trees[tree], static_cast<std::uint32_t>(tree));
}

// Children stand after their parents, so one pass over the nodes hands all sides down.
void LeafPages::add(const Tree& tree, std::uint32_t index) {
  const std::size_t stride = 2 * features_.size();  // low and high of each feature
  std::vector<std::uint8_t> nodes(tree.nodes.size() * stride);
  std::vector<std::uint8_t> leaves(tree.leaves() * stride);
  for (std::size_t high = 1; high < stride; high += 2) nodes[high] = kLast;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const Node& node = tree.nodes[i];
    const std::uint8_t* const here = nodes.data() + i * stride;
    if (node.is_leaf()) {
      std::copy_n(here, stride, leaves.data() + node.leaf_id() * stride);
      continue;
    }
    std::uint8_t* const left = nodes.data() + static_cast<std::size_t>(node.left) * stride;
    std::uint8_t* const right = left + stride;
    std::copy_n(here, stride, left);
    std::copy_n(here, stride, right);
    const std::size_t low = 2 * node.split_feature();
    left[low + 1] = std::min(left[low + 1], static_cast<std::uint8_t>(node.cut));
    right[low] = std::max(right[low], static_cast<std::uint8_t>(node.cut + 1));
  }
  for (std::size_t first = 0; first < tree.leaves(); first += kWordBits) {
    const std::size_t count = std::min(kWordBits, tree.leaves() - first);
    add_page(std::span(leaves).subspan(first * stride, count * stride),
             {index, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)});
  }
}

// sides: of its leaves, low and high of each feature.
void LeafPages::add_page(std::span<const std::uint8_t> sides, const Page& page) {
  const std::size_t place = pages_.size() % kWordBits;
  if (place == 0) hulls_.resize(hulls_.size() + features_.size());
  IntervalBlock* hull = &hulls_[hulls_.size() - features_.size()];
  for (const std::size_t feature : features_) {
    IntervalBlock line{};
    std::uint8_t least = kLast;
    std::uint8_t greatest = 0;
    for (std::size_t leaf = 0; leaf < page.leaves; ++leaf) {
      const std::uint8_t* const side = &sides[2 * (leaf * features_.size() + feature)];
      line.low[leaf] = side[0];
      line.high[leaf] = side[1];
      least = std::min(least, side[0]);
      greatest = std::max(greatest, side[1]);
    }
    hull->low[place] = least;
    hull++->high[place] = greatest;
    lines_.push_back(line);
  }
  pages_.push_back(page);
}

}  // namespace cfrules

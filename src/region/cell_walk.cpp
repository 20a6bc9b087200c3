#include "region/cell_walk.h"

#include <algorithm>

#include "base/send_for.h"
#include "region/walk.h"

namespace cfrules {

template <class AnyNode>
CellWalk<AnyNode>::CellWalk(std::span<const AnyNode> nodes, const Region& region, Estimator estimator,
                            CellWalkRoom& room, std::vector<Excluded>* excluded)
    : nodes_(nodes), region_(region), features_(region.features()), room_(room), excluded_(excluded) {
  room.tight.resize(std::max(room.tight.size(), 2 * features_));
  std::fill_n(room.tight.begin(), 2 * features_, std::uint16_t{0});
  room.nodes.resize(std::max<std::size_t>(room.nodes.size(), 1));
  room.nodes[0] = 0;
  if (estimator == Estimator::inside)
    for (std::size_t feature = 0; feature < features_; ++feature)
      if (region.role(feature) == Role::range) bounds().add(0, feature, region.side(feature));
}

// Every node that splits sends on one child or both; which is worked out without a branch, since nothing predicts it.
template <class AnyNode>
bool CellWalk<AnyNode>::step() {
  const std::size_t width = width_;
  const std::size_t size = 2 * features_;
  if (room_.tight.size() < (levels_ + 1) * size) room_.tight.resize(2 * (levels_ + 1) * size);
  if (room_.next.size() < 2 * width + 1) room_.next.resize(4 * width + 1);
  std::uint16_t* const tight = room_.tight.data() + levels_ * size;
  const AnyNode* const nodes = nodes_.data();
  const Interval* const sides = region_.sides().data();
  const std::uint32_t* const here = room_.nodes.data();
  std::uint32_t* const next = room_.next.data();
  std::copy_n(tight - size, size, tight);
  std::size_t count = 0;
  for (std::size_t at = 0; at < width; ++at) {
    const AnyNode node = nodes[here[at]];
    if (node.is_leaf()) continue;
    const std::size_t feature = node.split_feature();
    const Turn turn(sides[feature], node);
    const auto left = static_cast<std::uint32_t>(node.left);
    send_for(nodes + left);
    next[count] = left;
    count += turn.left ? 1 : 0;
    next[count] = left + 1;
    count += turn.right ? 1 : 0;
    if (!turn.one_way()) continue;
    tight[2 * feature] = std::max(tight[2 * feature], turn.kept.low);
    tight[2 * feature + 1] = std::max(tight[2 * feature + 1], static_cast<std::uint16_t>(kTop - turn.kept.high));
    if (excluded_ != nullptr) excluded_->push_back({levels_ - 1, left + (turn.left ? 1u : 0u)});
  }
  std::swap(room_.nodes, room_.next);
  width_ = count;
  levels_ += count > 0 ? 1 : 0;
  return count > 0;
}

template class CellWalk<Node>;
template class CellWalk<SmallNode>;

}  // namespace cfrules

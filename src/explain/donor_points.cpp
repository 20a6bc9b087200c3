#include "explain/donor_points.h"

#include <algorithm>
#include <deque>
#include <limits>


namespace cfrules {

namespace {

void read_point(const Context& context, const FeatureIndexes& features, const CodedPerson& person, DonorPoint& point) {
  std::vector<Code> codes = person.codes;
  std::vector<Code> places = person.isolation_codes;
  for (std::size_t i = 0; i < features.size(); ++i) {
    codes[features[i]] = point.codes[i];
    places[features[i]] =
        context.inliers.cuts().code_of_position(features[i], context.values.middle(features[i], point.codes[i]));
  }
  const LeafSums sums = context.forest.sums(codes);
  point.raw += context.forest.raw(sums);
  point.probability += context.forest.probability(sums);
  point.path += from_fixed(context.inliers.paths_at(places)) / static_cast<double>(context.inliers.trees().size());
}

// The grid of all codes that the points have: one walk and one sum read them all.
class PointGrid {
 public:
  PointGrid(const Context& context, const FeatureIndexes& features, std::span<const DonorPoint> points,
            MoveScratch& scratch)
      : context_(context), scratch_(scratch) {
    for (std::size_t i = 0; i < features.size(); ++i) {
      std::vector<Code> codes;
      for (const DonorPoint& point : points) codes.push_back(point.codes[i]);
      std::sort(codes.begin(), codes.end());
      codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
      axes_.emplace_back(features[i], std::move(codes), context.grid, context.values, context.inliers);
    }
    for (const MoveAxis& axis : axes_) all_.push_back(&axis);
    // Beyond this many cells to a point, points are faster asked one by one.
    constexpr double kCellsPerPoint = 5000;
    constexpr double kMostCells = 1 << 21;
    double cells = 1;
    for (const MoveAxis& axis : axes_) cells *= static_cast<double>(axis.size() + 1);
    worthwhile_ = cells <= std::min(kMostCells, kCellsPerPoint * static_cast<double>(points.size()));
    if (worthwhile_)
      for (const DonorPoint& point : points) places_.push_back(place_of(point));
  }

  [[nodiscard]] bool worthwhile() const { return worthwhile_; }

  void read(const CodedPerson& person, std::span<DonorPoint> points) {
    BoxSums& grid = scratch_.sums;
    sum_moves(context_.forest, all_, person.codes, scratch_.leaves_of_set, grid);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const LeafSums sums{grid.first(places_[i]), grid.second(places_[i])};
      points[i].raw += context_.forest.raw(sums);
      points[i].probability += context_.forest.probability(sums);
    }
    sum_paths(context_.inliers, all_, person.isolation_codes, scratch_.leaves_of_set, grid);
    const auto trees = static_cast<double>(context_.inliers.trees().size());
    for (std::size_t i = 0; i < points.size(); ++i) points[i].path += from_fixed(grid.first(places_[i])) / trees;
  }

 private:
  [[nodiscard]] std::size_t place_of(const DonorPoint& point) const {
    std::size_t place = 0;
    for (std::size_t i = 0; i < axes_.size(); ++i)
      place = place * (axes_[i].size() + 1) + axes_[i].bin_of(point.codes[i]);
    return place;
  }

  const Context& context_;
  std::deque<MoveAxis> axes_;  // where they stand is where they stay
  MoveAxes all_;
  bool worthwhile_ = false;
  std::vector<std::size_t> places_;
  MoveScratch& scratch_;
};

void read_points(const Context& context, const FeatureIndexes& features, std::span<const CodedPerson* const> people,
                 std::vector<DonorPoint>& points, MoveScratch& scratch) {
  PointGrid grid(context, features, points, scratch);
  for (const CodedPerson* person : people) {
    if (grid.worthwhile()) {
      grid.read(*person, points);
    } else {
      for (DonorPoint& point : points) read_point(context, features, *person, point);
    }
  }
  const auto count = static_cast<double>(people.size());
  for (DonorPoint& point : points) {
    point.raw /= count;
    point.probability /= count;
    point.path /= count;
  }
}

std::vector<std::uint32_t> rows_in(const Context& context, const FeatureIndexes& features,
                                   std::span<const Interval> box) {
  std::vector<CodeSide> sides;
  for (std::size_t i = 0; i < features.size(); ++i) sides.push_back({features[i], box[i]});
  return context.conditional.blocks().rows_in(sides);
}

struct Cut {
  std::size_t axis = 0;
  Interval keep;
  double price = std::numeric_limits<double>::infinity();
};

bool inside(const DonorPoint& point, std::span<const Interval> box) {
  for (std::size_t axis = 0; axis < box.size(); ++axis)
    if (!box[axis].contains(point.codes[axis])) return false;
  return true;
}

// What a cut removes: mass of good points, badness of bad ones. Good mass lost per unit of badness is its price.
struct Removed {
  double lost = 0;
  double gained = 0;

  void add(const Removed& more) {
    lost += more.lost;
    gained += more.gained;
  }
  [[nodiscard]] double price() const {
    return gained > 0 ? lost / gained : std::numeric_limits<double>::infinity();
  }
};

// Per code of a side, from its low end: what is removed with all codes up to this one, or from this one on.
struct RemovedAlong {
  std::vector<Removed> up_to;
  std::vector<Removed> from;

  template <class Badness>
  RemovedAlong(Interval side, std::size_t axis, const std::vector<DonorPoint>& points, const Badness& badness)
      : up_to(side.high - side.low + 1u) {
    for (const DonorPoint& point : points) {
      const double bad = badness(point);
      up_to[point.codes[axis] - side.low].add(bad > 0 ? Removed{0, bad} : Removed{point.mass, 0});
    }
    from = up_to;
    for (std::size_t i = 1; i < up_to.size(); ++i) {
      up_to[i].add(up_to[i - 1]);
      from[from.size() - 1 - i].add(from[from.size() - i]);
    }
  }
};

// badness of a point: how much it has to be got rid of. All points lie in the box.
template <class Badness>
Cut cheapest_cut(const std::vector<Interval>& box, const std::vector<DonorPoint>& points, const Badness& badness) {
  Cut best;
  const auto consider = [&](std::size_t axis, Interval keep, double price) {
    if (price < best.price) best = {axis, keep, price};
  };
  for (std::size_t axis = 0; axis < box.size(); ++axis) {
    const Interval side = box[axis];
    const RemovedAlong removed(side, axis, points, badness);
    for (const DonorPoint& point : points) {
      if (badness(point) <= 0) continue;
      const Code code = point.codes[axis];
      consider(axis, {static_cast<Code>(code + 1), side.high}, removed.up_to[code - side.low].price());
      consider(axis, {side.low, static_cast<Code>(code - 1)}, removed.from[code - side.low].price());
    }
  }
  return best;
}

}  // namespace

std::vector<DonorPoint> donor_points(const Context& context, const FeatureIndexes& features,
                                     std::span<const Interval> box, std::span<const CodedPerson* const> people,
                                     MoveScratch* scratch) {
  std::vector<std::uint32_t> rows = rows_in(context, features, box);
  const auto before = [&](std::size_t one, std::size_t other) {
    for (const std::size_t feature : features)
      if (context.codes.at(one, feature) != context.codes.at(other, feature))
        return context.codes.at(one, feature) < context.codes.at(other, feature);
    return false;
  };
  std::stable_sort(rows.begin(), rows.end(), before);
  std::vector<DonorPoint> points;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || before(rows[i - 1], rows[i])) {
      points.emplace_back();
      for (const std::size_t feature : features) points.back().codes.push_back(context.codes.at(rows[i], feature));
    }
    points.back().mass += context.weights.empty() ? 1.0 : context.weights[rows[i]];
    ++points.back().rows;
  }
  MoveScratch own;
  read_points(context, features, people, points, scratch != nullptr ? *scratch : own);
  return points;
}

bool holds_ordinary_point(const Context& context, const FeatureIndexes& features, std::span<const Interval> box,
                          std::span<const CodedPerson* const> people) {
  constexpr std::size_t kMostReadings = 2000;
  const std::vector<std::uint32_t> rows = rows_in(context, features, box);
  const double least = context.inliers.least_path(0) * static_cast<double>(people.size());
  const std::size_t stride = 1 + rows.size() * people.size() / kMostReadings;
  for (std::size_t i = 0; i < rows.size(); i += stride) {
    DonorPoint point;
    for (const std::size_t feature : features) point.codes.push_back(context.codes.at(rows[i], feature));
    for (const CodedPerson* person : people) read_point(context, features, *person, point);
    if (point.path >= least) return true;
  }
  return false;
}

std::vector<Interval> shrink_to_pure(std::vector<Interval> box, std::vector<DonorPoint>& points,
                                     const PointDemand& demand) {
  while (!points.empty()) {
    const auto impure = [&](const DonorPoint& point) {
      return point.probability < demand.floor || point.path < demand.least_path ? 1.0 : 0.0;
    };
    double mass = 0;
    double sum = 0;
    bool pure = true;
    for (const DonorPoint& point : points) {
      mass += point.mass;
      sum += point.mass * point.probability;
      pure = pure && impure(point) == 0;
    }
    if (pure && sum >= demand.mean * mass - 1e-12 * mass) return box;
    const auto below_mean = [&](const DonorPoint& point) { return point.mass * (demand.mean - point.probability); };
    const Cut cut = pure ? cheapest_cut(box, points, below_mean) : cheapest_cut(box, points, impure);
    if (cut.price == std::numeric_limits<double>::infinity() || cut.keep.low > cut.keep.high) return {};
    box[cut.axis] = cut.keep;
    std::erase_if(points, [&](const DonorPoint& point) { return !inside(point, box); });
  }
  return {};
}

}  // namespace cfrules

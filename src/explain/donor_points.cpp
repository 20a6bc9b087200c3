#include "explain/donor_points.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace cfrules {

namespace {

// Mean path length of a person moved to these codes.
double path_at(const Context& context, const FeatureIndexes& features, std::span<const Code> point, const CodedPerson& person) {
  std::vector<Code> places = person.isolation_codes;
  for (std::size_t i = 0; i < features.size(); ++i)
    places[features[i]] = context.inliers.cuts().code_of_position(features[i], context.values.middle(features[i], point[i]));
  double path = 0;
  for (const Tree& tree : context.inliers.trees()) path += tree.leaf_values[tree.leaf_of(places)];
  return path / static_cast<double>(context.inliers.trees().size());
}

void read_point(const Context& context, const FeatureIndexes& features, std::span<const CodedPerson* const> people, DonorPoint& point) {
  for (const CodedPerson* person : people) {
    std::vector<Code> codes = person->codes;
    for (std::size_t i = 0; i < features.size(); ++i) codes[features[i]] = point.codes[i];
    const LeafSums sums = context.forest.sums(codes);
    point.raw += context.forest.raw(sums);
    point.probability += context.forest.probability(sums);
    point.path += path_at(context, features, point.codes, *person);
  }
  const auto count = static_cast<double>(people.size());
  point.raw /= count;
  point.probability /= count;
  point.path /= count;
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

// badness of a point: how much it has to be got rid of; good mass lost per unit of it is the price of a cut.
template <class Badness>
Cut cheapest_cut(const std::vector<Interval>& box, const std::vector<DonorPoint>& points, const Badness& badness) {
  Cut best;
  const auto consider = [&](std::size_t axis, Interval keep) {
    double lost = 0;
    double gained = 0;
    for (const DonorPoint& point : points) {
      if (keep.low <= keep.high && keep.contains(point.codes[axis])) continue;
      const double bad = badness(point);
      (bad > 0 ? gained : lost) += bad > 0 ? bad : point.mass;
    }
    if (gained > 0 && lost / gained < best.price) best = {axis, keep, lost / gained};
  };
  for (std::size_t axis = 0; axis < box.size(); ++axis)
    for (const DonorPoint& point : points) {
      if (badness(point) <= 0) continue;
      const Code code = point.codes[axis];
      consider(axis, {static_cast<Code>(code + 1), box[axis].high});
      consider(axis, {box[axis].low, static_cast<Code>(code - 1)});
    }
  return best;
}

}  // namespace

std::vector<DonorPoint> donor_points(const Context& context, const FeatureIndexes& features, std::span<const Interval> box,
                                     std::span<const CodedPerson* const> people) {
  std::map<std::vector<Code>, DonorPoint> points;
  std::vector<Code> codes(features.size());
  for (std::size_t row = 0; row < context.codes.rows; ++row) {
    bool in_box = true;
    for (std::size_t i = 0; i < features.size() && in_box; ++i) {
      codes[i] = context.codes.at(row, features[i]);
      in_box = box[i].contains(codes[i]);
    }
    if (!in_box) continue;
    DonorPoint& point = points[codes];
    point.codes = codes;
    point.mass += context.weights.empty() ? 1.0 : context.weights[row];
    ++point.rows;
  }
  std::vector<DonorPoint> list;
  for (auto& [key, point] : points) {
    read_point(context, features, people, point);
    list.push_back(std::move(point));
  }
  return list;
}

bool holds_ordinary_point(const Context& context, const FeatureIndexes& features, std::span<const Interval> box,
                          std::span<const CodedPerson* const> people) {
  constexpr std::size_t kMostReadings = 2000;
  std::set<std::vector<Code>> points;
  std::vector<Code> codes(features.size());
  for (std::size_t row = 0; row < context.codes.rows; ++row) {
    bool in_box = true;
    for (std::size_t i = 0; i < features.size() && in_box; ++i) {
      codes[i] = context.codes.at(row, features[i]);
      in_box = box[i].contains(codes[i]);
    }
    if (in_box) points.insert(codes);
  }
  const double least = context.inliers.least_path(0) * static_cast<double>(people.size());
  const std::size_t stride = 1 + points.size() * people.size() / kMostReadings;
  std::size_t at = 0;
  for (const std::vector<Code>& point : points) {
    if (at++ % stride != 0) continue;
    double paths = 0;
    for (const CodedPerson* person : people) paths += path_at(context, features, point, *person);
    if (paths >= least) return true;
  }
  return false;
}

std::vector<Interval> shrink_to_pure(std::vector<Interval> box, std::vector<DonorPoint>& points, const PointDemand& demand) {
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

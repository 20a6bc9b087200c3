// Donors of a box taken one by one: the exact reading where a grid of moves is too coarse to be trusted.
#pragma once

#include <span>
#include <vector>

#include "explain/context.h"
#include "explain/feature_sets.h"
#include "explain/move_reader.h"
#include "region/move_grid.h"

namespace cfrules {

// Training rows with the same codes on the features of a set are one point.
struct DonorPoint {
  std::vector<Code> codes;  // on the features, in their order
  double mass = 0;
  std::size_t rows = 0;
  double raw = 0;
  double probability = 0;  // mean over the people
  double path = 0;         // mean path length over the people
};

// scratch: memory to use, null for its own.
[[nodiscard]] std::vector<DonorPoint> donor_points(const Context& context, const FeatureIndexes& features,
                                                   std::span<const Interval> box,
                                                   std::span<const CodedPerson* const> people,
                                                   MoveScratch* scratch = nullptr);

// Does some donor of the box make an inlier of the people, on the mean of their path lengths? An even sample of many donors
// speaks for them.
[[nodiscard]] bool holds_ordinary_point(const Context& context, const FeatureIndexes& features, std::span<const Interval> box,
                                        std::span<const CodedPerson* const> people);

struct PointDemand {
  double mean;        // of the probability over the donors' mass
  double floor;       // at every point
  double least_path;  // at every point
};

// Cuts the box, side by side and as cheaply as it can, until all its points meet the demand. Empty: nothing is left.
[[nodiscard]] std::vector<Interval> shrink_to_pure(std::vector<Interval> box, std::vector<DonorPoint>& points, const PointDemand& demand);

}  // namespace cfrules

// The boxes that few rules for many people are chosen from, and what each of them does for a person.
//
// Boxes are on one or two features, and every side leaves something out. A box serves a person if the person's mean
// probability of the target over the donors of the box reaches min_probability and constraints forbid no place in it.
// Sides end where pieces of about equally many training rows do; inside, places are read much more finely, since the
// middle of a piece says little about its ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "explain/context.h"
#include "explain/feature_sets.h"
#include "explain/move_reader.h"
#include "explain/move_space.h"
#include "kernels/largest_box.h"
#include "region/move_axis.h"

namespace cfrules {

// Means of equal numbers must not miss a threshold by the order of a sum.
inline constexpr double kMeanRounding = 1e-9;

// Bins of one box, and the donors in it. A box on one feature has the second range {0, 0}.
struct CoverBox {
  std::size_t set = 0;  // of features
  std::size_t first_low = 0, first_high = 0;
  std::size_t second_low = 0, second_high = 0;
  double mass = 0;  // sum of row weights
};

// What a box does for a person.
struct Service {
  bool served : 1 = false;
  bool sure : 1 = false;      // served, and by a mean that misses at most half as often as is allowed
  bool ordinary : 1 = false;  // served, and at least half of the donors' places make inliers of the person

  // In the choice of boxes. Serving is what counts; doing it surely and ordinarily decides between boxes that serve
  // about as many.
  [[nodiscard]] std::uint32_t worth() const { return (served ? 1u : 0u) + (sure ? 1u : 0u) + (ordinary ? 1u : 0u); }
};

class CoverBoxes {
 public:
  static constexpr std::size_t kReadings = 64;  // bins an axis is read at: every code, where it has no more
  static constexpr std::size_t kSides = 12;     // pieces of an axis that boxes are made of

  // max_features: of a box, 1 or 2. All referred data must outlive this.
  CoverBoxes(const Context& context, const Reach& reach, const Settings& settings, std::size_t max_features);

  // Boxes on one feature come before those on two.
  [[nodiscard]] const std::vector<CoverBox>& all() const { return boxes_; }
  // One per box.
  [[nodiscard]] std::vector<Service> services(const CodedPerson& person) const;

  [[nodiscard]] const FeatureIndexes& features(const CoverBox& box) const { return fields_[box.set].donors.features; }
  [[nodiscard]] std::vector<Interval> sides(const CoverBox& box) const;

 private:
  struct Field {
    const MoveSet& donors;
    std::size_t first_box = 0, last_box = 0;  // [first, last) of boxes_

    [[nodiscard]] std::size_t rows() const { return donors.axes[0]->size(); }
    [[nodiscard]] std::size_t columns() const { return donors.axes.size() > 1 ? donors.axes[1]->size() : 1; }
  };

  [[nodiscard]] std::vector<IndexRange> sides_of(const MoveAxis& axis) const;
  void add_field(const FeatureIndexes& features);
  void ask(const Field& field, const CodedPerson& person, MoveReader& reader, std::vector<Service>& services) const;
  // Per cell: mass x (probability - min_probability), and the mass of ordinary places.
  [[nodiscard]] std::vector<double> gains(const Field& field, const CodedPerson& person, MoveReader& reader) const;
  [[nodiscard]] std::vector<double> ordinary(const Field& field, const CodedPerson& person, MoveReader& reader) const;

  MoveSpace moves_;
  Context context_;
  const Reach& reach_;
  const Settings& settings_;
  std::vector<Field> fields_;
  std::vector<CoverBox> boxes_;
};

}  // namespace cfrules

// The boxes few rules for many people are chosen from: on one or two features, with sides that end where bins of about
// equally many training rows do. And what each box is worth to a person.
//
// A box serves a person if, over the donors of the box, the person's mean probability of the target reaches
// min_probability and constraints forbid none of its places. Places are read code by code, as for a rule of the person's
// own: bins only say where sides may end.
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

// Bins of one box, and the donors in it. A box on one feature has the second range {0, 0}.
struct CoverBox {
  std::size_t set = 0;  // of features
  std::size_t first_low = 0, first_high = 0;
  std::size_t second_low = 0, second_high = 0;
  double mass = 0;  // sum of row weights
};

// What a box does for a person. A place is ordinary where the isolation forest calls the moved person an inlier.
enum class Service : std::uint8_t {
  none = 0,
  served = 1,
  served_ordinarily = 2,  // and at least half of the donors' places are ordinary
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

// A region gives each feature an interval of codes: a fixed value is [x, x], a free feature is everything, a side of a
// box is [a, b]. The walk sees only the intervals; the roles matter to the `inside` estimator alone, which asks for
// rows inside the box sides but not at the fixed values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cfrules/code.h"
#include "forest/grid.h"

namespace cfrules {

enum class Role : std::uint8_t { fixed, free, range };

class Region {
 public:
  // Every feature fixed at this row's codes.
  [[nodiscard]] static Region at(std::span<const Code> row) {
    Region region;
    for (const Code code : row) {
      region.sides_.push_back({code, code});
      region.roles_.push_back(Role::fixed);
    }
    return region;
  }

  // Every feature free.
  [[nodiscard]] static Region everything(const Grid& grid) {
    Region region;
    for (std::size_t feature = 0; feature < grid.features(); ++feature) {
      region.sides_.push_back(grid.everything(feature));
      region.roles_.push_back(Role::free);
    }
    return region;
  }

  void fix(std::size_t feature, Code code) { set(feature, {code, code}, Role::fixed); }
  void free(std::size_t feature, const Grid& grid) { set(feature, grid.everything(feature), Role::free); }
  void limit(std::size_t feature, Interval side) { set(feature, side, Role::range); }

  // As in another region of the same features.
  void take(std::size_t feature, const Region& other) { set(feature, other.sides_[feature], other.roles_[feature]); }

  [[nodiscard]] Interval side(std::size_t feature) const { return sides_[feature]; }
  [[nodiscard]] std::span<const Interval> sides() const { return sides_; }
  [[nodiscard]] Role role(std::size_t feature) const { return roles_[feature]; }
  [[nodiscard]] std::size_t features() const { return sides_.size(); }

 private:
  void set(std::size_t feature, Interval side, Role role) {
    sides_[feature] = side;
    roles_[feature] = role;
  }

  std::vector<Interval> sides_;
  std::vector<Role> roles_;
};

}  // namespace cfrules

// A region as people write it: feature -> "free", "fixed", [low, high] (null = open), a list of categories, or a rule's
// condition object. Features that are not named take the default.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cfrules/constraints.h"

namespace cfrules {

struct SideSpec {
  enum class What { free, fixed, range, names };

  std::string feature;
  What what = What::free;
  AllowedValues allowed;  // range: closed unless said otherwise; names
  bool low_open = false;
  bool high_open = false;
};

struct RegionSpec {
  std::vector<SideSpec> sides;
  SideSpec::What others = SideSpec::What::fixed;  // features not named: fixed for a row, free for a group

  [[nodiscard]] static RegionSpec parse(std::string_view json, std::string_view source);
};

}  // namespace cfrules

// A small world for the tests of reach and recourse: numbers, integers, truth values and categories, some missing.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "base/random.h"
#include "cfrules/explanation.h"
#include "cfrules/run.h"
#include "cfrules/table.h"
#include "data/numbers.h"
#include "forest/code_values.h"
#include "forest/grid.h"
#include "forest/isolation_forest.h"
#include "region/cost_scale.h"
#include "region/reach.h"
#include "region/row_blocks.h"

namespace cfrules {

enum WorldFeature : std::size_t { kIncome, kAge, kOwner, kJob, kDebt };

inline Schema world_schema() {
  return {{"income", Kind::number, {}},
          {"age", Kind::integer, {}},
          {"owner", Kind::boolean, {"no", "yes"}},
          {"job", Kind::category, {"clerk", "nurse", "smith", "student"}},
          {"debt", Kind::number, {}}};
}

inline Table random_table(std::size_t rows, std::uint64_t seed) {
  RandomStream random(seed, Purpose::test, 0);
  std::vector<std::vector<double>> columns(5);
  for (std::size_t row = 0; row < rows; ++row) {
    columns[kIncome].push_back(std::round(1000 * random.uniform()) / 10);
    columns[kAge].push_back(static_cast<double>(18 + random.below(50)));
    columns[kOwner].push_back(static_cast<double>(random.below(2)));
    columns[kJob].push_back(static_cast<double>(random.below(4)));
    columns[kDebt].push_back(random.below(10) == 0 ? kNaN : std::round(100 * random.uniform()) / 10);
  }
  return Table(world_schema(), std::move(columns));
}

// student < clerk < smith < nurse; the two middle ones share a code.
inline Grid world_grid() {
  std::vector<Axis> axes(5);
  for (int cut = 1; cut < 20; ++cut) axes[kIncome].cuts.push_back(5.0 * cut + 0.05);
  for (int cut = 0; cut < 16; ++cut) axes[kAge].cuts.push_back(20.5 + 3 * cut);
  axes[kOwner].cuts = {0.5};
  axes[kJob].cuts = {0.5, 2.5};
  axes[kJob].position = {1, 3, 2, 0};
  for (int cut = 1; cut < 10; ++cut) axes[kDebt].cuts.push_back(cut + 0.05);
  return Grid(std::move(axes));
}

struct World {
  explicit World(std::size_t rows = 300, std::uint64_t seed = 1, Constraints stated = {})
      : table(random_table(rows, seed)),
        grid(world_grid()),
        codes(grid.codes(table)),
        blocks(codes, {}),
        values(grid, table),
        costs(table),
        reach(stated, table.schema(), grid, values),
        inliers(IsolationForest::grow(positions(), {.trees = 50, .sample = 64, .seed = seed}, {})) {}

  [[nodiscard]] std::vector<std::vector<double>> positions() const {
    std::vector<std::vector<double>> columns(table.features());
    for (std::size_t feature = 0; feature < table.features(); ++feature)
      for (const double value : table.column(feature)) columns[feature].push_back(grid.position(feature, value));
    return columns;
  }

  [[nodiscard]] std::vector<double> positions_of(std::span<const double> row) const {
    std::vector<double> result;
    for (std::size_t feature = 0; feature < row.size(); ++feature)
      result.push_back(grid.position(feature, row[feature]));
    return result;
  }

  // A rule's side as it is printed: the cuts around the codes, or the names of the categories.
  [[nodiscard]] Condition side(std::size_t feature, Interval codes_inside, double from) const {
    Condition condition;
    condition.index = feature;
    condition.feature = table.schema()[feature].name;
    condition.kind = table.schema()[feature].kind;
    condition.codes = codes_inside;
    if (condition.kind == Kind::category || condition.kind == Kind::boolean) {
      const auto& names = table.schema()[feature].categories;
      for (std::size_t name = 0; name < names.size(); ++name)
        if (codes_inside.contains(grid.code(feature, static_cast<double>(name))))
          condition.values.push_back(names[name]);
    } else {
      const Grid::ValueRange range = grid.values(feature, codes_inside);
      condition.low = range.low;
      condition.high = range.high;
      condition.high_closed = std::isfinite(range.high);
    }
    reach.clip(condition, from);
    return condition;
  }

  Table table;
  Grid grid;
  CodeMatrix codes;
  RowBlocks blocks;
  CodeValues values;
  CostScale costs;
  Reach reach;
  IsolationForest inliers;
};

}  // namespace cfrules

#include "support/world.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cfrules/error.h"
#include "forest/small_nodes.h"

namespace cfrules::test {

namespace {

constexpr double kMissingCell = std::numeric_limits<double>::quiet_NaN();

std::string numbered(const char* prefix, std::size_t index) {
  return std::string(prefix).append(std::to_string(index));
}

Feature random_feature(std::size_t index, RandomStream& random) {
  Feature feature{numbered("x", index), static_cast<Kind>(random.below(4)), {}};
  if (feature.kind == Kind::boolean) feature.categories = {"no", "yes"};
  if (feature.kind == Kind::category)
    for (std::size_t i = 0; i < 2 + random.below(5); ++i) feature.categories.push_back(numbered("c", i));
  return feature;
}

double random_cell(const Feature& feature, bool coarse, RandomStream& random) {
  if (feature.kind == Kind::boolean) return static_cast<double>(random.below(2));
  if (feature.kind == Kind::category) return static_cast<double>(random.below(feature.categories.size()));
  if (feature.kind == Kind::integer) return static_cast<double>(random.below(9)) - 3;
  return coarse ? 0.5 * static_cast<double>(random.below(7)) : random.normal();
}

std::vector<double> random_column(const Feature& feature, const WorldOptions& options, RandomStream& random) {
  const bool coarse = random.below(2) == 0 && !options.fine;
  const bool gaps = options.missing && random.below(2) == 0;
  std::vector<double> column;
  for (std::size_t row = 0; row < options.rows; ++row)
    column.push_back(gaps && random.below(8) == 0 ? kMissingCell : random_cell(feature, coarse, random));
  return column;
}

double signal_of(const std::vector<std::vector<double>>& columns, std::size_t row) {
  double signal = 0;
  for (std::size_t feature = 0; feature < std::min<std::size_t>(3, columns.size()); ++feature) {
    const double value = columns[feature][row];
    signal += std::isnan(value) ? -1 : (feature == 1 ? -0.7 * value : value);
  }
  return signal;
}

Outcome random_outcome(const std::vector<std::vector<double>>& columns, const WorldOptions& options,
                       RandomStream& random) {
  Outcome outcome{"y", {}, {}};
  const bool whole = random.below(2) == 0;
  for (std::size_t label = 0; label < options.classes; ++label) outcome.classes.push_back(numbered("k", label));
  for (std::size_t row = 0; row < options.rows; ++row) {
    const double signal = signal_of(columns, row) + 0.8 * random.normal();
    const double steps = std::floor(signal);
    if (options.classes == 0) outcome.values.push_back(whole ? steps : signal);
    if (options.classes == 2) outcome.values.push_back(signal > 0.3 ? 1 : 0);
    if (options.classes > 2)
      outcome.values.push_back(std::clamp(steps + 1, 0.0, static_cast<double>(options.classes - 1)));
  }
  return outcome;
}

std::vector<std::vector<double>> positions_of(const Grid& grid, const Table& table) {
  std::vector<std::vector<double>> positions(table.features());
  for (std::size_t feature = 0; feature < table.features(); ++feature)
    for (const double value : table.column(feature)) positions[feature].push_back(grid.position(feature, value));
  return positions;
}

GrownForest train(const Grid& grid, const Table& table, const Outcome& outcome, const std::vector<double>& weights,
                  const TrainOptions& options) {
  const Run run{.threads = 1, .stop = {}, .progress = {}};
  const ByteColumns bytes = byte_codes(grid, table, run);
  GrownForest grown = train_forest({bytes, outcome.values, outcome.classes.size(), weights, {}}, options, run);
  // Of every other world trees are walked as if they did not fit into small nodes.
  if (options.seed % 2 == 0) grown.forest.small_trees = small_nodes(grown.forest.trees);
  return grown;
}

CalibrationSample sample_of(const GrownForest& grown, const Outcome& outcome, const std::vector<double>& weights) {
  const OutOfBag& unseen = grown.out_of_bag;
  CalibrationSample sample{"out-of-bag rows", unseen.channels, {}, {}, {}};
  for (std::size_t row = 0; row < outcome.rows(); ++row) {
    if (unseen.trees[row] == 0) continue;
    const auto begin = unseen.means.begin() + static_cast<std::ptrdiff_t>(row * unseen.channels);
    sample.said.insert(sample.said.end(), begin, begin + static_cast<std::ptrdiff_t>(unseen.channels));
    sample.outcome.push_back(outcome.values[row]);
    if (!weights.empty()) sample.weights.push_back(weights[row]);
  }
  return sample;
}

}  // namespace

RandomStream test_stream(std::uint64_t seed, std::uint64_t id) { return {seed, Purpose::test, id}; }

WorldOptions random_options(RandomStream& random) {
  constexpr std::size_t kClasses[] = {2, 2, 3, 4, 0};
  constexpr std::size_t kCodes[] = {4, 7, 12, 255};
  WorldOptions options;
  options.rows = 20 + random.below(70);
  options.features = 1 + random.below(5);
  options.classes = kClasses[random.below(5)];
  options.max_codes = kCodes[random.below(4)];
  options.missing = random.below(4) != 0;
  options.weighted = random.below(3) == 0;
  options.calibrated = random.below(3) != 0;
  options.forest.trees = 1 + random.below(8);
  options.forest.depth = random.below(2) == 0 ? 0 : 1 + random.below(6);
  options.forest.min_leaf = 1 + random.below(6);
  options.forest.features_per_split = random.below(options.features + 1);
  options.forest.bootstrap = random.below(3) != 0;
  options.forest.subsample = 0.3 + 0.7 * random.uniform();
  options.forest.estimation_rows = static_cast<EstimationRows>(random.below(3));
  options.forest.seed = random.next64();
  return options;
}

WorldOptions large_trees(RandomStream& random) {
  WorldOptions options = random_options(random);
  options.rows = 600;
  options.features = 2 + random.below(4);
  options.max_codes = 255;
  options.fine = true;
  options.forest.depth = 0;
  options.forest.min_leaf = 1;
  options.forest.features_per_split = 0;
  return options;
}

Draft random_draft(const WorldOptions& options, RandomStream& random) {
  Schema schema;
  std::vector<std::vector<double>> columns;
  for (std::size_t feature = 0; feature < options.features; ++feature) {
    schema.push_back(options.fine ? Feature{numbered("x", feature), Kind::number, {}}
                                  : random_feature(feature, random));
    columns.push_back(random_column(schema.back(), options, random));
  }
  Outcome outcome = random_outcome(columns, options, random);
  std::vector<double> weights;
  for (std::size_t row = 0; options.weighted && row < options.rows; ++row)
    weights.push_back(random.below(10) == 0 ? 0.0 : 0.1 + random.uniform());
  return {Table(std::move(schema), std::move(columns)), std::move(outcome), std::move(weights)};
}

Target random_target(const Outcome& outcome, RandomStream& random) {
  if (outcome.numeric()) {
    const double one = outcome.values[random.below(outcome.rows())];
    const double other = outcome.values[random.below(outcome.rows())];
    const double infinity = std::numeric_limits<double>::infinity();
    if (random.below(3) == 0) return Target::of_interval(one, infinity, outcome);
    if (random.below(3) == 0) return Target::of_interval(-infinity, one, outcome);
    return Target::of_interval(std::min(one, other), std::max(one, other), outcome);
  }
  std::vector<std::string> names{outcome.classes[random.below(outcome.classes.size())]};
  for (std::size_t label = 0; label + 1 < outcome.classes.size(); ++label)
    if (outcome.classes.size() > 2 && outcome.classes[label] != names.front() && random.below(3) == 0)
      names.push_back(outcome.classes[label]);
  return Target::of_classes(names, outcome);
}

World::World(Draft draft, Target wanted, const WorldOptions& options)
    : table(std::move(draft.table)),
      outcome(std::move(draft.outcome)),
      weights(std::move(draft.weights)),
      grid(Grid::learn(table, outcome, weights, options.max_codes)),
      codes(grid.codes(table)),
      grown(train(grid, table, outcome, weights, options.forest)),
      values(grid, table),
      inliers(IsolationForest::grow(positions_of(grid, table), {.trees = 10, .sample = 32, .seed = options.forest.seed},
                                    {.threads = 1, .stop = {}, .progress = {}})),
      costs(table),
      sample(sample_of(grown, outcome, weights)),
      forest(grown.forest, outcome, weights, wanted, options.calibrated ? CalibrationMap::fit(sample, wanted) : CalibrationMap::identity(wanted)),
      conditional(grown.forest, codes, weights),
      moves(grid, values, inliers, codes, weights),
      context{table, grid, codes, weights, values, inliers, costs, conditional, forest, moves, conditional.mark(forest.hits())} {}

CodedPerson World::person(std::vector<double> values_of_person) const {
  CodedPerson person{std::move(values_of_person), {}, {}};
  person.codes = grid.codes(person.values);
  for (std::size_t feature = 0; feature < table.features(); ++feature)
    person.isolation_codes.push_back(
        inliers.cuts().code_of_position(feature, grid.position(feature, person.values[feature])));
  return person;
}

CodedPerson World::random_person(RandomStream& random) const {
  std::vector<double> row = table.row(random.below(table.rows()));
  for (std::size_t feature = 0; feature < row.size(); ++feature) {
    if (random.below(4) == 0) row[feature] = table.value(random.below(table.rows()), feature);
    if (random.below(15) == 0) row[feature] = kMissingCell;
  }
  return person(std::move(row));
}

Region World::random_region(const CodedPerson& person, RandomStream& random) const {
  Region region = Region::at(person.codes);
  const std::uint64_t most_fixed = 1 + random.below(4);
  for (std::size_t feature = 0; feature < table.features(); ++feature) {
    if (random.below(most_fixed) == 0) continue;
    if (random.below(2) == 0) {
      region.free(feature, grid);
      continue;
    }
    const auto one = static_cast<Code>(random.below(grid.last_code(feature) + 1u));
    const auto other = static_cast<Code>(random.below(grid.last_code(feature) + 1u));
    region.limit(feature, {std::min(one, other), std::max(one, other)});
  }
  return region;
}

std::vector<std::size_t> World::random_features(std::size_t count, RandomStream& random) const {
  std::vector<std::size_t> features(table.features());
  std::iota(features.begin(), features.end(), std::size_t{0});
  random.shuffle(std::span(features));
  features.resize(std::min(count, features.size()));
  std::sort(features.begin(), features.end());
  return features;
}

World random_world(const WorldOptions& options, RandomStream& random) {
  Draft draft = random_draft(options, random);
  Target target = random_target(draft.outcome, random);
  return World(std::move(draft), std::move(target), options);
}

namespace {

AllowedValues random_allowed(const World& world, std::size_t feature, RandomStream& random) {
  const Feature& about = world.table.schema()[feature];
  AllowedValues allowed;
  if (!about.categories.empty()) {
    for (const std::string& name : about.categories)
      if (random.below(3) != 0) allowed.values.push_back(name);
    return allowed;
  }
  const auto some_value = [&] {
    const double value = world.table.value(random.below(world.table.rows()), feature);
    return std::isnan(value) ? 0.0 : value;
  };
  const double one = some_value();
  const double other = some_value();
  allowed.low = std::min(one, other);
  if (random.below(2) == 0) allowed.high = std::max(one, other);
  return allowed;
}

FeatureConstraint random_constraint(const World& world, std::size_t feature, RandomStream& random) {
  const Feature& about = world.table.schema()[feature];
  FeatureConstraint constraint{about.name, Direction::any, {}, 0, 1};
  const std::uint64_t what = random.below(4);
  if (what == 0) constraint.allowed = random_allowed(world, feature, random);
  if (what == 1 && about.kind != Kind::category)
    constraint.direction = random.below(2) == 0 ? Direction::increase : Direction::decrease;
  if (what == 2 && about.categories.empty()) constraint.step = about.kind == Kind::integer ? 2 : 0.25;
  return constraint;
}

}  // namespace

Constraints random_constraints(const World& world, RandomStream& random) {
  Constraints constraints;
  for (std::size_t feature = 0; feature < world.table.features(); ++feature)
    if (random.below(2) == 0) constraints.features.push_back(random_constraint(world, feature, random));
  if (random.below(2) == 0) {
    const auto limit = [&] {
      const std::size_t feature = random.below(world.table.features());
      return FeatureLimit{world.table.schema()[feature].name, random_allowed(world, feature, random)};
    };
    constraints.implies.push_back({{limit()}, {limit()}});
  }
  return constraints;
}

Reach random_reach(const World& world, RandomStream& random) {
  if (random.below(2) == 0) try {
      return {random_constraints(world, random), world.table.schema(), world.grid, world.values};
    } catch (const InputError&) {
    }
  return {{}, world.table.schema(), world.grid, world.values};
}

}  // namespace cfrules::test

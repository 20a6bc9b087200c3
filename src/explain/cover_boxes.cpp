#include "explain/cover_boxes.h"

#include "explain/forbidden_cells.h"

namespace cfrules {

namespace {

// Sums over rectangles of a grid of rows x columns.
class RectangleSums {
 public:
  template <class Value>
  RectangleSums(std::size_t rows, std::size_t columns, const std::vector<Value>& cells)
      : stride_(columns + 1), sums_((rows + 1) * stride_, 0.0) {
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        at(row + 1, column + 1) =
            cells[row * columns + column] + at(row, column + 1) + at(row + 1, column) - at(row, column);
  }

  [[nodiscard]] double of(const CoverBox& box) const {
    return at(box.first_high + 1, box.second_high + 1) - at(box.first_low, box.second_high + 1) -
           at(box.first_high + 1, box.second_low) + at(box.first_low, box.second_low);
  }

 private:
  [[nodiscard]] double at(std::size_t row, std::size_t column) const { return sums_[row * stride_ + column]; }
  double& at(std::size_t row, std::size_t column) { return sums_[row * stride_ + column]; }

  std::size_t stride_;
  std::vector<double> sums_;
};

// Numbers of donor cells laid out over the whole grid.
std::vector<double> spread(const MoveSet& set, const std::vector<double>& numbers) {
  std::vector<double> cells(cells_of(set.axes), 0.0);
  for (std::size_t i = 0; i < numbers.size(); ++i) cells[set.cells[i]] = numbers[i];
  return cells;
}

}  // namespace

CoverBoxes::CoverBoxes(const Context& context, const Reach& reach, const Settings& settings, std::size_t max_features)
    : moves_(context.grid, context.values, context.inliers, context.codes, context.weights, kReadings),
      context_{context.rows,  context.grid,        context.codes,  context.weights, context.values, context.inliers,
               context.costs, context.conditional, context.forest, moves_,          context.hits},
      reach_(reach),
      settings_(settings) {
  const CandidateUnits units(settings.candidates, reach, max_features);
  for (std::size_t size = 1; size <= units.max_features(); ++size)
    for (const FeatureIndexes& set : units.sets_of(size)) add_field(set);
}

// Every side leaves something out: "bring age to any value" is no advice.
std::vector<IndexRange> CoverBoxes::sides_of(const MoveAxis& axis) const {
  const MoveAxis pieces(axis.feature(), context_.grid, context_.values, context_.inliers, kSides);
  std::vector<std::size_t> ends{0};
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    const std::size_t end = axis.bin_of(pieces.codes(piece).high) + 1;
    if (end > ends.back()) ends.push_back(end);
  }
  std::vector<IndexRange> sides;
  for (std::size_t low = 0; low + 1 < ends.size(); ++low)
    for (std::size_t high = low + 1; high < ends.size(); ++high)
      if (low > 0 || high + 1 < ends.size()) sides.push_back({ends[low], ends[high] - 1});
  return sides;
}

void CoverBoxes::add_field(const FeatureIndexes& features) {
  Field& field = fields_.emplace_back(Field{moves_.moves(features), boxes_.size()});
  const RectangleSums mass(field.rows(), field.columns(), spread(field.donors, field.donors.mass));
  const double least = settings_.min_mass * moves_.total_mass() * (1 - kMeanRounding);
  const std::vector<IndexRange> whole{{0, 0}};
  const std::vector<IndexRange> second = features.size() > 1 ? sides_of(*field.donors.axes[1]) : whole;
  for (const IndexRange& one : sides_of(*field.donors.axes[0]))
    for (const IndexRange& two : second) {
      CoverBox box{fields_.size() - 1, one.first, one.last, two.first, two.last, 0};
      box.mass = mass.of(box);
      if (box.mass > 0 && box.mass >= least) boxes_.push_back(box);
    }
  field.last_box = boxes_.size();
}

std::vector<double> CoverBoxes::gains(const Field& field, const CodedPerson& person, MoveReader& reader) const {
  const MoveSet& donors = field.donors;
  const BoxSums& grid = reader.sums(donors, person);
  std::vector<double> gains;
  for (std::size_t i = 0; i < donors.cells.size(); ++i) {
    const LeafSums sums{grid.first(donors.places[i]), grid.second(donors.places[i])};
    gains.push_back(donors.mass[i] * (context_.forest.probability(sums) - settings_.min_probability));
  }
  return gains;
}

std::vector<double> CoverBoxes::ordinary(const Field& field, const CodedPerson& person, MoveReader& reader) const {
  const MoveSet& donors = field.donors;
  const BoxSums& grid = reader.paths(donors, person);
  const double least = context_.inliers.least_path(0) * static_cast<double>(context_.inliers.trees().size());
  std::vector<double> masses;
  for (std::size_t i = 0; i < donors.cells.size(); ++i)
    masses.push_back(from_fixed(grid.first(donors.places[i])) > least ? donors.mass[i] : 0.0);
  return masses;
}

void CoverBoxes::ask(const Field& field, const CodedPerson& person, MoveReader& reader,
                     std::vector<Service>& services) const {
  const auto sums = [&](const auto& cells) { return RectangleSums(field.rows(), field.columns(), cells); };
  const CodedPerson* const people[] = {&person};
  std::vector<std::uint8_t> forbidden = forbidden_cells(reach_, field.donors, people);
  const bool free = forbidden.empty();
  forbidden.resize(field.rows() * field.columns(), 0);
  const RectangleSums refused = sums(forbidden);
  const RectangleSums gain = sums(spread(field.donors, gains(field, person, reader)));
  bool any = false;
  for (std::size_t index = field.first_box; index < field.last_box; ++index) {
    const CoverBox& box = boxes_[index];
    if (gain.of(box) < -kMeanRounding * box.mass || (!free && refused.of(box) > 0)) continue;
    services[index].served = true;
    services[index].sure = gain.of(box) >= (1 - settings_.min_probability) / 2 * box.mass * (1 - kMeanRounding);
    any = true;
  }
  if (!any) return;  // the isolation forest need not be asked
  const RectangleSums at_home = sums(spread(field.donors, ordinary(field, person, reader)));
  for (std::size_t index = field.first_box; index < field.last_box; ++index)
    services[index].ordinary =
        services[index].served && 2 * at_home.of(boxes_[index]) >= (1 - kMeanRounding) * boxes_[index].mass;
}

std::vector<Service> CoverBoxes::services(const CodedPerson& person) const {
  std::vector<Service> services(boxes_.size());
  const CodedPerson* const people[] = {&person};
  MoveScratch scratch;
  MoveReader reader(context_, settings_.candidates, people, scratch);
  // Sets of two first: their walk serves single features too.
  for (std::size_t i = fields_.size(); i-- > 0;) ask(fields_[i], person, reader, services);
  return services;
}

std::vector<Interval> CoverBoxes::sides(const CoverBox& box) const {
  const MoveAxes& axes = fields_[box.set].donors.axes;
  std::vector<Interval> sides{axes[0]->codes(box.first_low, box.first_high)};
  if (axes.size() > 1) sides.push_back(axes[1]->codes(box.second_low, box.second_high));
  return sides;
}

}  // namespace cfrules

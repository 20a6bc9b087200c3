#include "explain/forbidden_cells.h"

#include <algorithm>

namespace cfrules {

namespace {

std::vector<std::uint8_t> allowed_bins(const Reach& reach, const MoveAxis& axis,
                                       std::span<const CodedPerson* const> people) {
  std::vector<std::uint8_t> bins(axis.size(), 1);
  for (const CodedPerson* person : people) {
    const std::vector<std::uint8_t> codes = reach.codes(axis.feature(), person->values[axis.feature()]);
    for (std::size_t code = 1; code < codes.size(); ++code)
      if (codes[code] == 0) bins[axis.bin_of(static_cast<Code>(code))] = 0;
  }
  return bins;
}

}  // namespace

std::vector<std::uint8_t> forbidden_cells(const Reach& reach, const MoveSet& set,
                                          std::span<const CodedPerson* const> people) {
  std::vector<std::vector<std::uint8_t>> allowed;
  bool limited = reach.has_implications();
  for (const MoveAxis* axis : set.axes) {
    allowed.push_back(allowed_bins(reach, *axis, people));
    limited = limited || std::find(allowed.back().begin(), allowed.back().end(), 0) != allowed.back().end();
  }
  if (!limited) return {};
  std::vector<std::uint8_t> forbidden(cells_of(set.axes), 0);
  std::vector<Interval> box(set.axes.size());  // an implication must hold at every code of the bins
  for (std::size_t cell = 0; cell < forbidden.size(); ++cell) {
    std::size_t rest = cell;
    for (std::size_t axis = set.axes.size(); axis-- > 0;) {
      const std::size_t bin = rest % set.axes[axis]->size();
      rest /= set.axes[axis]->size();
      box[axis] = set.axes[axis]->codes(bin);
      if (allowed[axis][bin] == 0) forbidden[cell] = 1;
    }
    if (forbidden[cell] == 0 && reach.has_implications())
      forbidden[cell] = std::any_of(people.begin(), people.end(), [&](const CodedPerson* person) {
        return reach.breaks_implication(person->values, set.features, box);
      });
  }
  return forbidden;
}

}  // namespace cfrules

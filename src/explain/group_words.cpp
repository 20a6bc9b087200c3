#include "explain/group_words.h"

#include "region/move_axis.h"

namespace cfrules {

namespace {

// Words must earn their place: less than this is not worth a condition.
constexpr double kLeastGain = 0.02;

double f1(std::size_t right, std::size_t meant, std::size_t said) {
  return meant + said == 0 ? 0 : 2 * static_cast<double>(right) / static_cast<double>(meant + said);
}

}  // namespace

GroupWords::GroupWords(const Context& context, std::span<const CodedPerson> people,
                       std::span<const std::size_t> features)
    : people_(people.size()) {
  for (const std::size_t feature : features) {
    const MoveAxis axis(feature, context.grid, context.values, context.inliers, kBins);
    std::vector<Choice>& choices = by_feature_.emplace_back();
    for (std::size_t first = 0; first < axis.size(); ++first)
      for (std::size_t last = first; last < axis.size(); ++last) {
        if (first == 0 && last + 1 == axis.size()) continue;  // says nothing
        Choice choice{{feature, axis.codes(first, last)}, PeopleSet(people_)};
        for (std::size_t person = 0; person < people_; ++person)
          if (choice.side.codes.contains(people[person].codes[feature])) choice.people.add(person);
        choices.push_back(std::move(choice));
      }
  }
}

// Ties go to the words met first: one side before two, leading features before others.
GroupDescription GroupWords::describe(const PeopleSet& meant, const PeopleSet& among) const {
  GroupDescription best;
  best.people = among;
  const std::size_t wanted = meant.size();
  double best_score = f1(wanted, wanted, among.size()) + kLeastGain;
  const auto consider = [&](const PeopleSet& fits, std::initializer_list<const GroupSide*> sides) {
    const double score = f1(fits.shared(meant), wanted, fits.shared(among));
    if (score <= best_score) return;
    best_score = score;
    best.sides.clear();
    for (const GroupSide* side : sides) best.sides.push_back(*side);
    best.people = fits;
  };
  for (const std::vector<Choice>& choices : by_feature_)
    for (const Choice& choice : choices) consider(choice.people, {&choice.side});
  for (std::size_t one = 0; one < by_feature_.size(); ++one)
    for (std::size_t two = one + 1; two < by_feature_.size(); ++two)
      for (const Choice& first : by_feature_[one]) {
        const std::size_t right = first.people.shared(meant);
        if (f1(right, wanted, right) <= best_score) continue;  // all a second side can do is drop the wrong ones
        for (const Choice& second : by_feature_[two])
          consider(first.people & second.people, {&first.side, &second.side});
      }
  return best;
}

}  // namespace cfrules

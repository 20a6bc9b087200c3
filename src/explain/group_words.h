// Who a rule is for, in words. In: people, and which of them are meant. Out: at most two intervals, on one feature
// each, that say it best (F1), or nothing where no words do better than "everybody".
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cfrules/code.h"
#include "explain/context.h"
#include "explain/people_set.h"

namespace cfrules {

struct GroupSide {
  std::size_t feature = 0;
  Interval codes;
};

struct GroupDescription {
  std::vector<GroupSide> sides;  // empty: everybody
  PeopleSet people;              // all who fit it, meant or not
};

class GroupWords {
 public:
  // features: those the words may use. Intervals end where axes of at most kBins bins of equal frequency do. People
  // whose value is missing are in no interval.
  GroupWords(const Context& context, std::span<const CodedPerson> people, std::span<const std::size_t> features);

  // meant: a part of among. People outside among count neither way.
  [[nodiscard]] GroupDescription describe(const PeopleSet& meant, const PeopleSet& among) const;

  static constexpr std::size_t kBins = 8;

 private:
  struct Choice {
    GroupSide side;
    PeopleSet people;
  };

  std::size_t people_;
  std::vector<std::vector<Choice>> by_feature_;
};

}  // namespace cfrules

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cfrules/error.h"
#include "cfrules/frame.h"
#include "data/numbers.h"

namespace cfrules {
namespace {

using Holds = FrameColumn::Holds;
using testing::ElementsAre;
using testing::HasSubstr;

FrameColumn numbers(std::string name, std::vector<double> values) {
  return {std::move(name), Holds::numbers, std::move(values), {}};
}

FrameColumn texts(std::string name, std::vector<double> places, std::vector<std::string> names) {
  return {std::move(name), Holds::texts, std::move(places), std::move(names)};
}

LabelledTable train(FrameColumn feature, const FrameOptions& options = {}) {
  std::vector<double> outcome;
  for (std::size_t i = 0; i < feature.values.size(); ++i) outcome.push_back(static_cast<double>(i % 2));
  return training_from_frame({std::move(feature)}, {"y", Holds::integers, outcome, {}}, OutcomeRequest::As::infer, {},
                             options);
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(Frame, WholeNumbersAreIntegersOnlyIfSomeAreMissing) {
  EXPECT_EQ(train(numbers("a", {1, 2, 3})).table.schema()[0].kind, Kind::number);
  EXPECT_EQ(train(numbers("a", {1, kNaN, 3})).table.schema()[0].kind, Kind::integer);
  EXPECT_EQ(train(numbers("a", {1.5, kNaN, 3})).table.schema()[0].kind, Kind::number);
  EXPECT_EQ(train(numbers("a", {kNaN, kNaN, kNaN})).table.schema()[0].kind, Kind::number);
}

TEST(Frame, CategoriesAreTheNamesThatOccurSorted) {
  const LabelledTable data = train(texts("a", {2, 0, kNaN, 2}, {"pear", "never", "apple"}));
  EXPECT_THAT(data.table.schema()[0].categories, ElementsAre("apple", "pear"));
  EXPECT_EQ(data.table.value(0, 0), 0);
  EXPECT_EQ(data.table.value(1, 0), 1);
  EXPECT_TRUE(std::isnan(data.table.value(2, 0)));
}

TEST(Frame, TextsThatAreAllTruthWordsAreABoolean) {
  const LabelledTable data = train(texts("a", {0, 1, 0}, {"TRUE", "FALSE"}));
  EXPECT_EQ(data.table.schema()[0].kind, Kind::boolean);
  EXPECT_EQ(data.table.value(0, 0), 1);
}

TEST(Frame, EmptyTextsAndNamedMarkersAreMissing) {
  const LabelledTable data = train(texts("a", {0, 1, 2, 3}, {"", "none", "x", "y"}), {{}, {"NONE"}, false, {}});
  EXPECT_THAT(data.table.schema()[0].categories, ElementsAre("x", "y"));
  const LabelledTable marked = train(numbers("a", {-9, 1, 2}), {{}, {"-9"}, false, {}});
  EXPECT_TRUE(std::isnan(marked.table.value(0, 0)));
}

TEST(Frame, AHintChangesTheKind) {
  const FrameOptions options{{{"a", Kind::category, {}, {}}}, {}, false, {}};
  EXPECT_THAT(train(numbers("a", {10, 2, 10}), options).table.schema()[0].categories, ElementsAre("10", "2"));
}

TEST(Frame, PeopleAreMatchedByNameAndReadAgainstTheSchema) {
  const Schema schema = {
      {"n", Kind::integer, {}}, {"c", Kind::category, {"a", "b"}}, {"f", Kind::boolean, {"no", "yes"}}};
  const Table people = people_from_frame(
      {{"f", Holds::booleans, {1}, {}}, texts("c", {0}, {"b"}), texts("n", {0}, {"12"}), numbers("z", {3})}, schema,
      {});
  EXPECT_THAT(people.row(0), ElementsAre(12, 1, 1));
}

TEST(Frame, EveryMistakeIsOneSentenceWithRowAndColumn) {
  const Schema schema = {{"n", Kind::integer, {}}, {"c", Kind::category, {"a", "b"}}};
  const auto read = [&](FrameColumn n, FrameColumn c) {
    return refusal([&] { (void)people_from_frame({std::move(n), std::move(c)}, schema, {}); });
  };
  const FrameColumn good = texts("c", {0, 0}, {"a"});
  EXPECT_EQ(read(numbers("n", {1, 2.5}), good),
            "X, row 1, column 'n': '2.5' is not a whole number of at most 2^53, and the column is an integer");
  EXPECT_THAT(read(numbers("n", {1, std::numeric_limits<double>::infinity()}), good),
              HasSubstr("row 1, column 'n': 'inf' is infinite"));
  EXPECT_EQ(read(numbers("n", {1, 2}), texts("c", {0, 1}, {"a", "z"})),
            "X, row 1, column 'c': 'z' is not among the known categories 'a', 'b'");
  EXPECT_EQ(read(numbers("m", {1, 2}), good), "X: the model needs the column 'n', not found; the columns are 'm', 'c'");
}

TEST(Frame, AnUnseenCategoryCountsAsMissingIfAskedFor) {
  const Table people = people_from_frame({texts("c", {0}, {"z"})}, {{"c", Kind::category, {"a"}}}, {{}, {}, true, {}});
  EXPECT_TRUE(std::isnan(people.value(0, 0)));
}

TEST(Frame, RowsWithoutAnOutcomeAreLeftOutWithTheirWeights) {
  const LabelledTable data = training_from_frame({numbers("a", {1, 2, 3, 4})}, texts("y", {0, kNaN, 1, 0}, {"b", "a"}),
                                                 OutcomeRequest::As::infer, {1, 2, 3, 4}, {});
  EXPECT_EQ(data.dropped, 1u);
  EXPECT_THAT(data.weights, ElementsAre(1, 3, 4));
  EXPECT_THAT(data.outcome.classes, ElementsAre("a", "b"));
  EXPECT_THAT(data.outcome.values, ElementsAre(1, 0, 1));
}

TEST(Frame, OutcomesOfPeopleMayBeWrittenAsNumbers) {
  const Outcome known{"y", {"0", "1"}, {}};
  EXPECT_THAT(outcomes_from_frame(numbers("y", {1.0, 0.0}), known), ElementsAre(1, 0));
  EXPECT_THAT(outcomes_from_frame(texts("y", {0}, {"1.0"}), known), ElementsAre(1));
}

}  // namespace
}  // namespace cfrules

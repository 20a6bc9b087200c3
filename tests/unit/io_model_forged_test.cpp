// Files whose checksums are right and whose content is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "cfrules/error.h"
#include "io/little_endian.h"
#include "io_model_test_data.h"

namespace cfrules {
namespace {

using namespace testing_data;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string verdict(const std::string& file) {
  try {
    static_cast<void>(parse(file));
    return "accepted";
  } catch (const FormatError& error) {
    return error.what();
  }
}

// The example, made wrong before it is written.
std::string verdict_of(const std::function<void(Model&)>& spoil) {
  Model model = example_model();
  spoil(model);
  const std::string said = verdict(serialize_model(model));
  EXPECT_THAT(said, StartsWith("m.cfr is damaged: "));
  // What would be refused when loaded is not saved either.
  EXPECT_THROW(save_model(model, testing::TempDir() + "never.cfr", true), InputError);
  return said;
}

std::size_t entry_of(const std::string& file, SectionKind kind, std::uint32_t index) {
  const auto* bytes = bytes_of(file).data();
  std::size_t at = 40;
  while (load_little<std::uint32_t>(bytes + at) != static_cast<std::uint32_t>(kind) ||
         load_little<std::uint32_t>(bytes + at + 4) != index)
    at += 32;
  return at;
}

template <class T>
void put(std::string& file, std::size_t at, T value) {
  store_little(reinterpret_cast<std::byte*>(file.data()) + at, value);
}

// The example with a value stored at an offset inside a section.
template <class T>
std::string verdict_with(SectionKind kind, std::uint32_t index, std::size_t offset, T value) {
  std::string file = serialize_model(example_model());
  const auto begin = load_little<std::uint64_t>(bytes_of(file).data() + entry_of(file, kind, index) + 8);
  put(file, begin + offset, value);
  reseal_text(file);
  return verdict(file);
}

std::string with_metadata(const std::string& from, const std::string& to) {
  const std::string file = serialize_model(example_model());
  const std::byte* const bytes = bytes_of(file).data();
  const auto count = load_little<std::uint32_t>(bytes + 12);
  SectionWriter out(1, count, 0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::byte* const entry = bytes + 40 + 32 * i;
    const auto kind = static_cast<SectionKind>(load_little<std::uint32_t>(entry));
    const auto offset = load_little<std::uint64_t>(entry + 8), length = load_little<std::uint64_t>(entry + 16);
    ByteWriter& section = out.begin(kind, load_little<std::uint32_t>(entry + 4));
    if (kind != SectionKind::metadata) {
      section.text(file.substr(offset, length));
      continue;
    }
    std::string json = file.substr(offset + 8, load_little<std::uint64_t>(bytes + offset));
    EXPECT_NE(json.find(from), std::string::npos) << from;
    json.replace(json.find(from), from.size(), to);
    section.number(std::uint64_t{json.size()});
    section.text(json);
  }
  return out.finish();
}

std::string verdict_of_metadata(const std::string& from, const std::string& to) {
  const std::string said = verdict(with_metadata(from, to));
  EXPECT_THAT(said, StartsWith("m.cfr is damaged: "));
  return said;
}

std::vector<Node>& nodes_of(Model& model) { return model.forest.trees[0].nodes; }

TEST(ForgedModelFile, NodesThatFormACycleAreRefused) {
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[2].left = 0; }), HasSubstr("must stand after it"));
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[2].left = 1; }), HasSubstr("must stand after it"));
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[2].left = 2; }), HasSubstr("must stand after it"));
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[0].left = 0; }), HasSubstr("node 0 has its children at 0"));
}

TEST(ForgedModelFile, ChildrenBeyondTheEndAreRefused) {
  for (const std::int32_t left : {4, 5, 1000, std::numeric_limits<std::int32_t>::max()})
    EXPECT_THAT(verdict_with(SectionKind::tree, 0, 16 + 2 * 4, left), HasSubstr("tree 0, node 2 has its children at"));
}

TEST(ForgedModelFile, EveryNodeHasOneParent) {
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[0].left = 2; }), HasSubstr("node 1 has no parent"));
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[1] = {2, 0, 1}; }), HasSubstr("another parent"));
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[1] = {3, 0, 1}; }), HasSubstr("another parent"));
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[0] = {~0, 0, 0}; }), HasSubstr("node 1 has no parent"));
}

TEST(ForgedModelFile, LeavesAreNumberedOnce) {
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[1].left = ~1; }), HasSubstr("node 3 is leaf 1"));
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[1].left = ~3; }), HasSubstr("node 1 is leaf 3"));
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[1].left = std::numeric_limits<std::int32_t>::min(); }),
              HasSubstr("node 1 is leaf 2147483647"));
}

TEST(ForgedModelFile, SplitsAreOnFeaturesAndCutsThatExist) {
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[0].feature = 7; }), HasSubstr("splits feature 7 of 7"));
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[0].cut = 3; }), HasSubstr("whose last code is 3"));
  EXPECT_THAT(verdict_of([](Model& m) { nodes_of(m)[0].cut = 65535; }), HasSubstr("cuts after code 65535"));
}

TEST(ForgedModelFile, ATreeTooDeepForTheStackIsRefused) {
  const auto chain_of = [](std::int32_t splits) {
    return [splits](Model& model) {
      Tree tree{{}, std::vector<double>(2u * (static_cast<unsigned>(splits) + 1), 0.5), {}, {}};
      for (std::int32_t i = 0; i < splits; ++i) {
        tree.nodes.push_back({2 * i + 1, 0, 1});
        tree.nodes.push_back({~i, 0, 0});
      }
      tree.nodes.push_back({~splits, 0, 0});
      tree.node_rows.resize(tree.nodes.size());
      model.forest.trees[0] = tree;
    };
  };
  Model fine = example_model();
  chain_of(4095)(fine);
  EXPECT_EQ(verdict(serialize_model(fine)), "accepted");
  EXPECT_THAT(verdict_of(chain_of(4096)), HasSubstr("lies too deep"));
}

TEST(ForgedModelFile, TreeRowsExistOnceAndAreHandedDown) {
  EXPECT_THAT(verdict_of([](Model& m) { m.forest.trees[0].rows[2] = 5; }), HasSubstr("holds row 5 of 5"));
  EXPECT_THAT(verdict_of([](Model& m) { m.forest.trees[0].rows[2] = 4; }), HasSubstr("tree 0 holds a row twice"));
  EXPECT_THAT(verdict_of([](Model& m) { m.forest.trees[0].node_rows[1].end = 6; }), HasSubstr("outside their range"));
  EXPECT_THAT(verdict_of([](Model& m) { m.forest.trees[0].node_rows[3].end = 2; }), HasSubstr("outside their range"));
}

TEST(ForgedModelFile, LeafValuesAreFiniteAndOnePerOutput) {
  EXPECT_THAT(verdict_of([](Model& m) { m.forest.trees[0].leaf_values[1] = kNaN; }), HasSubstr("leaf value nan"));
  EXPECT_THAT(verdict_of([](Model& m) { m.forest.trees[1].leaf_values[0] = INFINITY; }), HasSubstr("leaf value inf"));
  EXPECT_THAT(verdict_of([](Model& m) { m.forest.trees[0].leaf_values.resize(60); }), HasSubstr("section 'tree 0'"));
}

TEST(ForgedModelFile, CodesLieInTheGrid) {
  EXPECT_THAT(verdict_of([](Model& m) { m.codes.codes[7 + 1] = 2; }),
              HasSubstr("a code of row 1 lies beyond the grid"));
  EXPECT_THAT(verdict_of([](Model& m) { m.codes.codes.back() = 5; }), HasSubstr("a code of row 4 lies beyond"));
}

TEST(ForgedModelFile, CutsIncreaseAndAreFinite) {
  const auto with_cuts = [](std::vector<double> cuts) {
    return verdict_of([&](Model& m) {
      std::vector<Axis> axes = example_axes();
      axes[6].cuts = cuts;
      m.grid = Grid(axes);
    });
  };
  EXPECT_THAT(with_cuts({1, 1, 2}), HasSubstr("the cuts of feature 'score' do not increase"));
  EXPECT_THAT(with_cuts({1, 3, 2}), HasSubstr("do not increase"));
  EXPECT_THAT(with_cuts({1, kNaN, 2}), HasSubstr("cut 1 is nan"));
  EXPECT_THAT(with_cuts({1, 2, INFINITY}), HasSubstr("cut 2 is inf"));
  std::vector<double> many(65535);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i);
  EXPECT_THAT(with_cuts(many), HasSubstr("has 65535 cuts"));
}

TEST(ForgedModelFile, CategoriesHaveEachTheirPlace) {
  const auto with_places = [](std::size_t feature, std::vector<std::uint32_t> places) {
    return verdict_of([&](Model& m) {
      std::vector<Axis> axes = example_axes();
      axes[feature].position = places;
      m.grid = Grid(axes);
    });
  };
  EXPECT_THAT(with_places(3, {0, 1, 1}), HasSubstr("holds place 1 twice or beyond"));
  EXPECT_THAT(with_places(3, {0, 1, 3}), HasSubstr("holds place 3 twice or beyond"));
  EXPECT_THAT(with_places(3, {0, 1}), HasSubstr("has 2 entries where 3 are expected"));
  EXPECT_THAT(with_places(0, {0}), HasSubstr("has 1 entries where 0 are expected"));
}

TEST(ForgedModelFile, OutcomesAndWeightsAreChecked) {
  EXPECT_THAT(verdict_of([](Model& m) { m.outcome.values[1] = 2; }), HasSubstr("the outcome of row 1 is 2"));
  EXPECT_THAT(verdict_of([](Model& m) { m.outcome.values[1] = 0.5; }), HasSubstr("must be a class below 2"));
  EXPECT_THAT(verdict_of([](Model& m) { m.outcome.values[1] = kNaN; }), HasSubstr("is nan"));
  EXPECT_THAT(verdict_of([](Model& m) { m.outcome.classes[1] = "no"; }), HasSubstr("the class 'no' is there twice"));
  EXPECT_THAT(verdict_of([](Model& m) { m.weights[3] = -1; }), HasSubstr("the weight of row 3 is -1"));
  EXPECT_THAT(verdict_of([](Model& m) { m.weights[3] = INFINITY; }), HasSubstr("the weight of row 3 is inf"));
  EXPECT_THAT(verdict_of([](Model& m) { m.weights.pop_back(); }), HasSubstr("section 'weights'"));
}

TEST(ForgedModelFile, CellsMustSuitTheirKind) {
  EXPECT_THAT(verdict_with(SectionKind::column, 3, 8, std::int8_t{3}), HasSubstr("'housing' holds 3 in row 1"));
  EXPECT_THAT(verdict_with(SectionKind::column, 3, 8, std::int8_t{-1}), HasSubstr("'housing' holds -1"));
  EXPECT_THAT(verdict_with(SectionKind::column, 4, 9, std::int8_t{2}), HasSubstr("'member' holds 2 in row 2"));
  EXPECT_THAT(verdict_with(SectionKind::column, 2, 8, double{INFINITY}), HasSubstr("'ratio' holds inf"));
  EXPECT_THAT(verdict_with(SectionKind::column, 6, 8, -INFINITY), HasSubstr("'score' holds"));
  EXPECT_THAT(verdict_with(SectionKind::column, 0, 0, std::uint64_t{6}), HasSubstr("encoding 6"));
  EXPECT_THAT(verdict_with(SectionKind::column, 0, 0, std::uint64_t{5}), HasSubstr("'column 0' ends too early"));
  EXPECT_THAT(verdict_with(SectionKind::column, 2, 0, std::uint64_t{1}), HasSubstr("padding that is not zero"));
  EXPECT_THAT(verdict_with(SectionKind::column, 0, 8 + 5, std::int8_t{1}), HasSubstr("padding that is not zero"));
}

TEST(ForgedModelFile, TheCalibrationHasItsShape) {
  EXPECT_THAT(verdict_of([](Model& m) { m.calibration.said[0] = kNaN; }), HasSubstr("entry 0 is nan"));
  EXPECT_THAT(verdict_of([](Model& m) { m.calibration.said.pop_back(); }), HasSubstr("'calibration'"));
  EXPECT_THAT(verdict_of([](Model& m) { m.calibration.outcome[0] = 2; }), HasSubstr("the calibration outcome"));
  EXPECT_THAT(verdict_of([](Model& m) { m.calibration.weights[0] = -0.5; }), HasSubstr("the calibration weight"));
  EXPECT_THAT(verdict_of([](Model& m) {
                m.calibration.channels = 1;
                m.calibration.said.resize(2);
              }),
              HasSubstr("has 1 channels; it takes 2"));
}

TEST(ForgedModelFile, SizesNear2To64AreRefusedBeforeAnythingIsAllocated) {
  for (const std::uint64_t size :
       {~std::uint64_t{0}, ~std::uint64_t{0} - 7, std::uint64_t{1} << 63, (std::uint64_t{1} << 63) + 1,
        std::uint64_t{1} << 62, (std::uint64_t{1} << 62) + 5, std::uint64_t{1} << 61, std::uint64_t{1} << 40}) {
    SCOPED_TRACE(size);
    EXPECT_THAT(verdict_with(SectionKind::metadata, 0, 0, size), HasSubstr("'metadata' ends too early"));
    EXPECT_THAT(verdict_with(SectionKind::grid, 0, 0, size), HasSubstr("'grid' ends too early"));
    EXPECT_THAT(verdict_with(SectionKind::grid, 0, 8, size), HasSubstr("'grid' ends too early"));
    EXPECT_THAT(verdict_with(SectionKind::tree, 0, 0, size), HasSubstr("'tree 0' ends too early"));
    EXPECT_THAT(verdict_with(SectionKind::tree, 0, 8, size), HasSubstr("tree 0 has more rows than the table"));
    EXPECT_THAT(verdict_with(SectionKind::inlier_tree, 0, 0, size), HasSubstr("'inlier tree 0' ends too early"));
    const std::string text = std::to_string(size);
    EXPECT_THAT(verdict_of_metadata("\"rows\":5", "\"rows\":\"" + text + "\""), HasSubstr("rows; at most 2147483646 are possible"));
    EXPECT_THAT(verdict_of_metadata("\"trees\":2,\"inliers\"", "\"trees\":\"" + text + "\",\"inliers\""),
                HasSubstr("where 'tree 2' should"));
    EXPECT_THAT(verdict_of_metadata("\"cases\":2", "\"cases\":\"" + text + "\""), HasSubstr("ends too early"));
    EXPECT_THAT(verdict_of_metadata("\"channels\":2", "\"channels\":\"" + text + "\""), HasSubstr("ends too early"));
  }
  EXPECT_THAT(verdict_of_metadata("\"rows\":5", "\"rows\":2147483646"), HasSubstr("'column 0' ends too early"));
}

TEST(ForgedModelFile, SectionsLieOneAfterTheOther) {
  const std::string good = serialize_model(example_model());
  const std::size_t entry = entry_of(good, SectionKind::column, 1);
  for (const std::size_t field : {8u, 16u})
    for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{8}, ~std::uint64_t{0}, ~std::uint64_t{0} - 7,
                                      std::uint64_t{1} << 63, std::uint64_t{good.size()}}) {
      std::string file = good;
      put(file, entry + field, value);
      reseal_text(file);
      EXPECT_THAT(verdict(file), HasSubstr("does not lie where it should")) << field << " " << value;
    }
  for (const std::uint32_t count : {0u, 1u, 1000u, ~0u}) {
    std::string file = good;
    put(file, 12, count);
    reseal_text(file);
    EXPECT_THAT(verdict(file), StartsWith("m.cfr is damaged")) << count;
  }
}

TEST(ForgedModelFile, SectionsComeInTheirOrder) {
  std::string file = serialize_model(example_model());
  put(file, entry_of(file, SectionKind::column, 1) + 4, std::uint32_t{2});
  reseal_text(file);
  EXPECT_THAT(verdict(file), HasSubstr("section 'column 2' stands where 'column 1' should"));
  file = serialize_model(example_model());
  put(file, entry_of(file, SectionKind::column, 1), std::uint32_t{77});
  reseal_text(file);
  EXPECT_THAT(verdict(file), HasSubstr("section 'of unknown kind 77 1' stands where 'column 1' should"));
}

TEST(ForgedModelFile, MetadataMustBeWhole) {
  EXPECT_THAT(verdict_of_metadata("{\"rows\"", "{\"cows\""), HasSubstr("unknown key \"cows\""));
  EXPECT_THAT(verdict_of_metadata("\"rows\":5,", ""), HasSubstr("the key 'rows' is missing"));
  EXPECT_THAT(verdict_of_metadata("\"rows\":5", "\"rows\":-5"), HasSubstr("whole number of at least 0"));
  EXPECT_THAT(verdict_of_metadata("\"rows\":5", "\"rows\":5.5"), HasSubstr("whole number of at least 0"));
  EXPECT_THAT(verdict_of_metadata("\"rows\":5", "\"rows\":\"5x\""), HasSubstr("whole number of at least 0"));
  EXPECT_THAT(verdict_of_metadata("\"rows\":5", "\"rows\":9"), HasSubstr("'column 0'"));
  EXPECT_THAT(verdict_of_metadata("\"kind\":\"category\"", "\"kind\":\"cat\""), HasSubstr("none of the words"));
  EXPECT_THAT(verdict_of_metadata("\"age\"", "\"income\""), HasSubstr("two features are called 'income'"));
  EXPECT_THAT(verdict_of_metadata("\"subsample\":0.632", "\"subsample\":null"), HasSubstr("must be a number"));
  EXPECT_THAT(verdict_of_metadata("\"sample\":4", "\"sample\":0"), HasSubstr("saw no rows"));
  EXPECT_THAT(verdict_of_metadata("\"weighted\":true,\"trees\"", "\"weighted\":false,\"trees\""),
              HasSubstr("section 'weights' stands where 'grid' should"));
  EXPECT_THAT(verdict_of_metadata("}", "}}"), HasSubstr("metadata: line 1"));
}

TEST(ForgedModelFile, WhatCannotBeLoadedAgainIsNotSaved) {
  const auto refused = [](const std::function<void(Model&)>& spoil) {
    Model model = example_model();
    spoil(model);
    try {
      save_model(model, testing::TempDir() + "never.cfr", true);
      return std::string("saved");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_THAT(refused([](Model& m) { m.outcome.name = "\xFF"; }),
              HasSubstr("the outcome's name '?' is not valid UTF-8"));
  EXPECT_THAT(refused([](Model& m) { m.forest.trees[0].node_rows[4].begin = 3; }), HasSubstr("hand all its rows"));
  EXPECT_THAT(refused([](Model& m) { m.forest.trees[0].node_rows[0].end = 4; }), HasSubstr("all its rows at its root"));
  EXPECT_THAT(refused([](Model& m) { m.codes.codes.pop_back(); }), HasSubstr("table of codes has 34 entries"));
  EXPECT_THAT(refused([](Model& m) { m.rows = Table(); }), HasSubstr("it has 0 rows"));
  EXPECT_THAT(refused([](Model& m) { m.inliers = IsolationForest(); }), HasSubstr("the grid has 0 entries"));
  EXPECT_THAT(refused([](Model& m) { m.forest.trees.clear(); }), HasSubstr("the forest has no trees"));
}

}  // namespace
}  // namespace cfrules

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cfrules/error.h"
#include "io/model_file.h"
#include "io_model_same.h"
#include "io_model_test_data.h"

namespace cfrules {
namespace {

using namespace testing_data;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// What parse_model says, or "accepted".
std::string verdict(std::string_view file) {
  try {
    static_cast<void>(parse_model(std::as_bytes(std::span(file)), "m.cfr"));
    return "accepted";
  } catch (const FormatError& error) {
    return error.what();
  }
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

const std::string kFirstFormat = std::filesystem::path(CFRULES_TEST_DATA).parent_path() / "format/v1.cfr";
const std::string kSecondFormat = std::filesystem::path(CFRULES_TEST_DATA).parent_path() / "format/v2.cfr";

TEST(ModelFile, TheFirstFormatStaysReadable) { expect_same(load_model(kFirstFormat), example_model()); }

TEST(ModelFile, TheSameModelGivesTheSameBytesAsEver) {
  EXPECT_EQ(serialize_model(example_model()), file_text(kFirstFormat));
}

TEST(ModelFile, TheSecondFormatHoldsAnAudit) {
  expect_same(load_model(kSecondFormat), audited_model());
  EXPECT_EQ(serialize_model(audited_model()), file_text(kSecondFormat));
}

TEST(ModelFile, AnAuditOfAnUnknownTargetIsRefused) {
  Model model = audited_model();
  model.audit.cases.front().target = 7;
  EXPECT_THAT(verdict(serialize_model(model)), HasSubstr("index of audit case 0 is 7"));
  model = audited_model();
  model.audit.targets.front() = "maybe";
  EXPECT_THAT(verdict(serialize_model(model)), HasSubstr("maybe"));
  model = audited_model();
  model.audit.cases.back().threshold = 1.5;
  EXPECT_THAT(verdict(serialize_model(model)), HasSubstr("threshold of audit case 1 is 1.5"));
}

TEST(ModelFile, ATrainedModelComesBackToTheBit) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const Model model = random_model(seed, 120);
    const std::string file = serialize_model(model);
    const Model back = parse(file);
    expect_same(model, back);
    EXPECT_EQ(serialize_model(back), file);
  }
}

TEST(ModelFile, ManyRowsTakeWiderIndexesAndSeveralBlocksOfCodes) {
  for (const std::size_t rows : {256u, 257u, 65536u, 65537u, 70000u}) {
    Model model = example_model();
    std::vector<std::vector<double>> columns(7, std::vector<double>(rows, 0));
    for (std::size_t row = 0; row < rows; ++row) columns[0][row] = static_cast<double>(row);
    model.rows = Table(example_rows().schema(), columns);
    model.outcome.values.assign(rows, 1);
    model.weights.clear();
    model.codes = model.grid.codes(model.rows);
    Tree& tree = model.forest.trees[1];
    tree.rows.clear();
    for (std::size_t row = rows; row-- > 0;) tree.rows.push_back(static_cast<std::uint32_t>(row));
    tree.node_rows = {{0, static_cast<std::uint32_t>(rows)}};
    expect_same(parse(serialize_model(model)), model);
  }
}

TEST(ModelFile, CodesBeyondAByteComeBack) {
  Model model = example_model();
  std::vector<Axis> axes = example_axes();
  for (int cut = 0; cut < 65000; ++cut) axes[1].cuts.push_back(cut);
  model.grid = Grid(axes);
  model.codes = model.grid.codes(model.rows);
  ASSERT_EQ(model.codes.at(2, 1), 32768);
  expect_same(parse(serialize_model(model)), model);
}

TEST(ModelFile, SmallNumbersMakeASmallFile) {
  Model model = example_model();
  const auto size_with = [&](double value) {
    std::vector<std::vector<double>> columns(7, std::vector<double>(10000, 0));
    for (std::size_t row = 0; row < 10000; ++row) columns[2][row] = value;
    model.rows = Table(example_rows().schema(), columns);
    model.codes = model.grid.codes(model.rows);
    return serialize_model(model).size();
  };
  const std::size_t bytes = size_with(100);
  EXPECT_EQ(size_with(1000) - bytes, 10000);
  EXPECT_EQ(size_with(100000) - bytes, 30000);
  EXPECT_EQ(size_with(0.5) - bytes, 30000);
  EXPECT_EQ(size_with(0.1) - bytes, 70000);
}

TEST(ModelFile, BytesMayBeginAtAnyAddress) {
  const std::string file = "x" + serialize_model(example_model());
  EXPECT_EQ(verdict(std::string_view(file).substr(1)), "accepted");
}

TEST(ModelFile, EveryFlippedBitIsSeen) {
  std::string file = serialize_model(example_model());
  for (std::size_t at = 0; at < file.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      file[at] = static_cast<char>(file[at] ^ 1 << bit);
      ASSERT_THAT(verdict(file), StartsWith("m.cfr ")) << "byte " << at << ", bit " << bit;
      file[at] = static_cast<char>(file[at] ^ 1 << bit);
    }
  EXPECT_EQ(verdict(file), "accepted");
}

TEST(ModelFile, EveryTruncationIsSeen) {
  const std::string file = serialize_model(example_model());
  EXPECT_EQ(verdict(""), "m.cfr is empty, not a cfrules model");
  for (std::size_t size = 1; size < file.size(); ++size)
    ASSERT_THAT(verdict(std::string_view(file).substr(0, size)), StartsWith("m.cfr is truncated")) << size;
}

TEST(ModelFile, EveryExtensionIsSeen) {
  std::string file = serialize_model(example_model());
  for (int extra = 1; extra <= 100; ++extra) {
    file += '\0';
    ASSERT_EQ(verdict(file), "m.cfr is damaged: " + std::to_string(extra) + " bytes too many stand at its end");
  }
  file += file;
  EXPECT_THAT(verdict(file), HasSubstr("too many"));
}

TEST(ModelFile, OtherFilesAreNoModels) {
  EXPECT_EQ(verdict("age,income\n1,2\n"), "m.cfr is not a cfrules model");
  EXPECT_EQ(verdict(std::string(1000, '\0')), "m.cfr is not a cfrules model");
  EXPECT_EQ(verdict("\x89"
                    "CFR\n\x1A\n and more"),
            "m.cfr is not a cfrules model");  // through a text-mode transfer
}

TEST(ModelFile, ANewerVersionIsNamedAsSuch) {
  std::string file = serialize_model(example_model());
  file[8] = 3;
  EXPECT_EQ(verdict(file), "m.cfr was written by a newer version (format 3; this program reads up to 2)");
  reseal_text(file);
  EXPECT_EQ(verdict(file), "m.cfr was written by a newer version (format 3; this program reads up to 2)");
}

TEST(ModelFile, TheDamagedSectionIsNamed) {
  std::string file = serialize_model(example_model());
  file[file.size() - 200] ^= 1;
  EXPECT_THAT(verdict(file), testing::MatchesRegex("m.cfr is damaged: section '.*' does not match its checksum"));
}

TEST(ModelFile, TheChecksumNamesTheContent) {
  const Model model = example_model();
  const std::string name = model_checksum(model);
  EXPECT_THAT(name, testing::MatchesRegex("sha256:[0-9a-f]+"));
  EXPECT_EQ(name.size(), 7 + 64);
  EXPECT_EQ(model_checksum(parse(serialize_model(model))), name);
  Model other = example_model();
  other.weights[0] = 1.0000001;
  EXPECT_NE(model_checksum(other), name);
}

// Whatever passes the checksums is refused in words or is a model that can be walked, saved and loaded.
TEST(ModelFile, ForgedBytesAreRefusedOrHarmless) {
  RandomStream random(7, Purpose::test, 0);
  for (int round = 0; round < 4000; ++round) {
    std::string file = serialize_model(round % 2 == 0 ? example_model() : random_model(random.below(5), 12));
    for (std::uint64_t change = random.below(4); change < 4; ++change) {
      const std::size_t at = 16 + random.below(file.size() - 16);
      const char kBytes[] = {'\0', '\x01', '\x7F', '\x80', '\xFF', static_cast<char>(random.below(256))};
      file[at] = kBytes[random.below(6)];
    }
    reseal_text(file);
    if (verdict(file) != "accepted") continue;
    const Model model = parse(file);
    for (std::size_t row = 0; row < model.codes.rows; ++row)
      for (const Tree& tree : model.forest.trees) ASSERT_LT(tree.leaf_of(model.codes.row(row)), tree.leaves());
    static_cast<void>(model.inliers.score(std::vector<double>(model.rows.features())));
    ASSERT_EQ(serialize_model(parse(serialize_model(model))), serialize_model(model));
  }
}

}  // namespace
}  // namespace cfrules

#include "output.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cfrules/error.h"
#include "help.h"
#include "progress.h"
#include "words.h"

namespace cfrules::cli {
namespace {

namespace fs = std::filesystem;

class OutputTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("cfrules_output_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static std::string text_of(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  fs::path folder_;
};

TEST_F(OutputTest, AFileAppearsWholeWhenFinished) {
  Output output(path("a"), false);
  output.write("one ");
  EXPECT_FALSE(fs::exists(path("a")));
  output.write("two");
  output.finish();
  EXPECT_EQ(text_of(path("a")), "one two");
  EXPECT_EQ(files(), 1u);
}

TEST_F(OutputTest, NothingIsLeftIfItIsNotFinished) {
  {
    Output(path("a"), false).write("half");
  }
  EXPECT_EQ(files(), 0u);
}

TEST_F(OutputTest, AnExistingFileNeedsForce) {
  std::ofstream(path("a")) << "old";
  EXPECT_THROW(Output(path("a"), false), IoError);
  Output output(path("a"), true);
  output.write("new");
  output.finish();
  EXPECT_EQ(text_of(path("a")), "new");
}

TEST_F(OutputTest, AFileThatAppearsMeanwhileIsKept) {
  Output output(path("a"), false);
  output.write("mine");
  std::ofstream(path("a")) << "theirs";
  EXPECT_THROW(output.finish(), IoError);
  EXPECT_EQ(text_of(path("a")), "theirs");
}

TEST_F(OutputTest, AMissingFolderIsAnError) { EXPECT_THROW(Output(path("no/such/file"), false), IoError); }

TEST_F(OutputTest, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  Output output("/dev/full", false);
  EXPECT_THROW(output.write("x"), IoError);
}

TEST(Suggestion, NearNamesAreOffered) {
  EXPECT_EQ(suggestion("--taget", {"--target", "--pi"}), " (did you mean --target?)");
  EXPECT_EQ(suggestion("--zzzz", {"--target", "--pi"}), "");
}

TEST(ProgressLine, ShowsShareRateAndTimeLeft) {
  EXPECT_EQ(progress_line("explaining", 50, 200, 10),
            "explaining [######                  ] 25 %  50/200  5.0/s  30 s left");
  EXPECT_EQ(progress_line("fitting", 0, 0, 0), "fitting [                        ] 0 %  0/0");
}

TEST(Words, OnlyWholeFiniteDecimalsAreNumbers) {
  double number = 0;
  EXPECT_TRUE(read_number("+1.5e3", number));
  EXPECT_EQ(number, 1500);
  for (const char* text : {"", "1 ", "0x1", "inf", "nan", "1e999", "1,5", "--1"})
    EXPECT_FALSE(read_number(text, number)) << text;
}

TEST(Words, NumbersAreFoundUnderTheirKeyOnly) {
  EXPECT_EQ(number_under(R"({"a": {"min": 0.5}, "max": 2})", "min"), 0.5);
  EXPECT_EQ(number_under(R"({"name":"\"min\":3","min":0.25})", "min"), 0.25);
  EXPECT_TRUE(std::isnan(number_under(R"({"min": null})", "min")));
  EXPECT_TRUE(std::isnan(number_under("{}", "min")));
}

TEST(Words, SentencesKeepToTheWidth) {
  EXPECT_EQ(wrapped("one two three", 7, 2), "one two\n  three");
  EXPECT_EQ(wrapped("one two", 8, 4, 4), "one\n    two");
  EXPECT_EQ(grouped(1234567), "1 234 567");
}

}  // namespace
}  // namespace cfrules::cli

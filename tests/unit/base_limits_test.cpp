#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>

#include "base/limits.h"
#include "cfrules/error.h"

namespace cfrules {
namespace {

// constant -> the most there may be, as the file says.
std::map<std::string, std::string> read_numbers(const std::string& path, const std::regex& line_form) {
  std::ifstream in(std::filesystem::path(CFRULES_TEST_DATA).parent_path().parent_path() / path);
  std::map<std::string, std::string> numbers;
  std::smatch found;
  for (std::string line; std::getline(in, line);) {
    if (!std::regex_search(line, found, line_form)) continue;
    std::string number = found[2];
    std::erase(number, '\'');
    numbers[found[1]] = number;
  }
  return numbers;
}

TEST(Limits, TheTableInTheManualHasEveryNumberOfTheHeader) {
  const auto manual = read_numbers("docs/limits.md", std::regex(R"(^\| `(k\w+)` \|[^|]*\| ([0-9e]+) \|)"));
  const auto header = read_numbers("src/base/limits.h", std::regex(R"(constexpr \w+ (k\w+)[^0-9]*([0-9'e]+)\}?;)"));
  EXPECT_GT(header.size(), 15u);
  EXPECT_EQ(manual, header);
}

TEST(Limits, WhatIsWithinPassesAndWhatIsBeyondIsOneSentence) {
  require_within(limits::kTrees, limits::kTrees.most, "the forest");
  try {
    require_within(limits::kTrees, limits::kTrees.most + 1, "the forest");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "the forest has 65537 trees; at most 65536 are possible");
  }
}

}  // namespace
}  // namespace cfrules

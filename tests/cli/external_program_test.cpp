#include "external_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "cfrules/error.h"

namespace cfrules::cli {
namespace {

using testing::HasSubstr;

const Outcome kYesNo{"approved", {"no", "yes"}, {}};

template <class Error>
std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ExternalProgram, MoreThanAPipeHoldsGoesThroughBothWays) {
  const std::string much(5'000'000, 'x');
  EXPECT_EQ(run_program("cat", much, {}), much);
}

TEST(ExternalProgram, AProgramNeedNotReadItsInput) {
  ::signal(SIGPIPE, SIG_IGN);  // as in the command
  EXPECT_EQ(run_program("echo done", std::string(1'000'000, 'x'), {}), "done\n");
}

TEST(ExternalProgram, FailureIsOneSentence) {
  const auto failure = [](const std::string& command) {
    return refusal<IoError>([&] { (void)run_program(command, "", {}); });
  };
  EXPECT_EQ(failure("exit 3"), "\"exit 3\" failed with exit code 3");
  EXPECT_EQ(failure("/no/such/program 2>/dev/null"), "\"/no/such/program 2>/dev/null\": program not found");
  EXPECT_EQ(failure("kill -9 $$"), "\"kill -9 $$\" was ended by signal 9");
}

TEST(ExternalProgram, AHungProgramCanBeStopped) {
  std::stop_source stop;
  const std::jthread later([&stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW((void)run_program("sleep 60", "", stop.get_token()), Interrupted);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(ExternalProgram, RowsGoOutAsCsvAndClassesComeBack) {
  const Table rows({{"age", Kind::integer, {}}, {"housing", Kind::category, {"own, free", "rent"}}},
                   {{30, 41}, {0, 1}});
  const Labeller label = program_labeller("grep -c '' >/dev/null; printf 'yes\\r\\nno'", kYesNo, {});
  EXPECT_EQ(label(rows), (std::vector<double>{1, 0}));
  const Labeller echo = program_labeller("sed 1d | cut -d, -f1", {"y", {}, {}}, {});
  EXPECT_EQ(echo(rows), (std::vector<double>{30, 41}));
}

TEST(ExternalProgram, AClassMayBeWrittenAsANumber) {
  EXPECT_EQ(read_predictions("1.0\n0\n", 2, {"y", {"0", "1"}, {}}, "cmd"), (std::vector<double>{1, 0}));
}

TEST(ExternalProgram, WrongAnswersAreRefused) {
  const auto failure = [](std::string_view text, const Outcome& outcome) {
    return refusal<InputError>([&] { (void)read_predictions(text, 2, outcome, "cmd"); });
  };
  EXPECT_THAT(failure("yes\n", kYesNo), HasSubstr("printed 1 lines for 2 rows"));
  EXPECT_THAT(failure("yes\nno\n\n", kYesNo), HasSubstr("printed 3 lines for 2 rows"));
  EXPECT_EQ(failure("yes\nmaybe\n", kYesNo), "\"cmd\": line 2 is \"maybe\"; allowed: no, yes");
  EXPECT_EQ(failure("1\nnan\n", {"y", {}, {}}), "\"cmd\": line 2 is \"nan\"; allowed: a number");
}

}  // namespace
}  // namespace cfrules::cli

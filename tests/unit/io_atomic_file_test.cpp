#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cfrules/error.h"
#include "io/atomic_file.h"
#include "io_model_same.h"
#include "io_model_test_data.h"

namespace cfrules {
namespace {

namespace fs = std::filesystem;
using namespace testing_data;
using ::testing::HasSubstr;

// A folder of its own for each test, gone afterwards.
class SavedModel : public testing::Test {
 protected:
  SavedModel() {
    std::string pattern = testing::TempDir() + "cfrules-test-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~SavedModel() override {
    fs::permissions(folder_, fs::perms::owner_all);
    fs::remove_all(folder_);
  }

  [[nodiscard]] std::string path(const std::string& name = "m.cfr") const { return (folder_ / name).string(); }
  [[nodiscard]] std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), {}); }

  fs::path folder_;
};

template <class Error, class Action>
std::string said_by(const Action& action) {
  try {
    action();
    return "nothing";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST_F(SavedModel, ComesBack) {
  const Model model = random_model(3, 400);
  save_model(model, path(), false);
  expect_same(load_model(path()), model);
  EXPECT_EQ(files(), 1);
}

TEST_F(SavedModel, IsNotOverwrittenUnasked) {
  save_model(example_model(), path(), false);
  EXPECT_THAT(said_by<InputError>([&] { save_model(random_model(1, 20), path(), false); }),
              HasSubstr("m.cfr already exists; give --force"));
  expect_same(load_model(path()), example_model());
  save_model(random_model(1, 20), path(), true);
  expect_same(load_model(path()), random_model(1, 20));
  EXPECT_EQ(files(), 1);
}

TEST_F(SavedModel, KeepsItsPermissionsAndItsLinksWhenReplaced) {
  save_model(example_model(), path(), false);
  ASSERT_EQ(::chmod(path().c_str(), 0640), 0);
  fs::create_symlink(path(), path("link.cfr"));
  save_model(random_model(1, 20), path("link.cfr"), true);
  EXPECT_TRUE(fs::is_symlink(path("link.cfr")));
  expect_same(load_model(path()), random_model(1, 20));
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms{0640});
  EXPECT_EQ(files(), 2);
}

TEST_F(SavedModel, NeverReplacesADirectoryOrADevice) {
  EXPECT_THAT(said_by<InputError>([&] { save_model(example_model(), folder_.string(), true); }),
              HasSubstr("is a directory; give the name of a file"));
  EXPECT_THAT(said_by<InputError>([&] { save_model(example_model(), "/dev/null", true); }),
              HasSubstr("/dev/null is not a plain file"));
  EXPECT_EQ(files(), 0);
}

TEST_F(SavedModel, NeedsAFolderThatCanBeWrittenTo) {
  EXPECT_THAT(said_by<IoError>([&] { save_model(example_model(), path("none/m.cfr"), false); }),
              HasSubstr("none/m.cfr: No such file or directory"));
  save_model(example_model(), path(), false);
  EXPECT_THAT(said_by<IoError>([&] { save_model(example_model(), path("m.cfr/m.cfr"), false); }),
              HasSubstr("Not a directory"));
  EXPECT_EQ(files(), 1);
}

TEST_F(SavedModel, ARefusingSystemIsNamed) {
  if (::geteuid() == 0) GTEST_SKIP() << "nothing is forbidden to root";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THAT(said_by<IoError>([&] { save_model(example_model(), path(), false); }), HasSubstr("Permission denied"));
  fs::permissions(folder_, fs::perms::owner_all);
  save_model(example_model(), path(), false);
  fs::permissions(path(), fs::perms::none);
  EXPECT_THAT(said_by<IoError>([&] { static_cast<void>(load_model(path())); }), HasSubstr("Permission denied"));
}

// A limit on the size of files stands in for a full disk: the write stops half-way and then fails.
TEST_F(SavedModel, LeavesTheOldFileWhenTheDiskIsFull) {
  save_model(example_model(), path(), false);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string said = said_by<IoError>([&] { save_model(random_model(1, 20), path(), true); });
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_THAT(said, HasSubstr("cannot write " + path() + ": File too large"));
  expect_same(load_model(path()), example_model());
  EXPECT_EQ(files(), 1);
}

TEST_F(SavedModel, ALongNameIsFine) {
  const std::string name(255, 'm');
  save_model(example_model(), path(name), false);
  expect_same(load_model(path(name)), example_model());
}

TEST_F(SavedModel, WhatIsNoFileIsNamed) {
  EXPECT_THAT(said_by<IoError>([&] { static_cast<void>(load_model(path())); }),
              testing::EndsWith("m.cfr: No such file or directory"));
  EXPECT_THAT(said_by<IoError>([&] { static_cast<void>(load_model(folder_.string())); }),
              HasSubstr("is a directory, not a file"));
}

TEST_F(SavedModel, DamageIsNamedWithTheFile) {
  save_model(example_model(), path(), false);
  const auto size = fs::file_size(path());
  fs::resize_file(path(), size - 1);
  EXPECT_EQ(said_by<FormatError>([&] { static_cast<void>(load_model(path())); }),
            path() + " is truncated: " + std::to_string(size - 1) + " of " + std::to_string(size) + " bytes are there");
  fs::resize_file(path(), 0);
  EXPECT_EQ(said_by<FormatError>([&] { static_cast<void>(load_model(path())); }),
            path() + " is empty, not a cfrules model");
  std::ofstream(path()) << "age,income\n";
  EXPECT_EQ(said_by<FormatError>([&] { static_cast<void>(load_model(path())); }), path() + " is not a cfrules model");
}

TEST_F(SavedModel, MayComeThroughAPipe) {
  const std::string file = serialize_model(random_model(2, 3000));
  ASSERT_EQ(::mkfifo(path().c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path(), std::ios::binary) << file; });
  const Model model = load_model(path());
  writer.join();
  expect_same(model, random_model(2, 3000));
  EXPECT_EQ(said_by<FormatError>([] { static_cast<void>(load_model("/dev/zero")); }),
            "/dev/zero is not a cfrules model");
}

// Saves one of two models again and again until it is killed.
pid_t start_saver(const std::string& path, std::uint64_t seed) {
  const Model model = random_model(seed, 200);
  const pid_t child = ::fork();
  if (child != 0) return child;
  for (;;) save_model(model, path, true);
}

TEST_F(SavedModel, IsWholeWheneverItsWritersAreKilled) {
  const std::string first = serialize_model(random_model(1, 200)), second = serialize_model(random_model(2, 200));
  save_model(random_model(1, 200), path(), false);
  RandomStream random(5, Purpose::test, 0);
  for (int round = 0; round < 15; ++round) {
    const pid_t savers[] = {start_saver(path(), 1), start_saver(path(), 2)};
    for (const pid_t saver : savers) {
      ::usleep(static_cast<useconds_t>(random.below(8000)));
      const std::string seen = serialize_model(load_model(path()));
      EXPECT_TRUE(seen == first || seen == second);
      ::kill(saver, SIGKILL);
      ::waitpid(saver, nullptr, 0);
    }
  }
  // Temporaries of the killed stay, under names nobody takes for a model, and stand in nobody's way.
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
    EXPECT_TRUE(entry.path() == path() || entry.path().filename().string().starts_with(".cfrules-"));
  save_model(example_model(), path(), true);
  expect_same(load_model(path()), example_model());
}

}  // namespace
}  // namespace cfrules

#include "child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "cfrules/error.h"

extern char** environ;

namespace cfrules::cli {
namespace {

constexpr int kPollMilliseconds = 100;  // how long a stop may go unnoticed

std::pair<FileHandle, FileHandle> make_pipe() {
  int ends[2];
  if (::pipe(ends) != 0) throw IoError(std::string("cannot make a pipe: ") + std::strerror(errno));
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return {FileHandle(ends[0]), FileHandle(ends[1])};
}

void make_nonblocking(const FileHandle& handle) {
  ::fcntl(handle.number(), F_SETFL, ::fcntl(handle.number(), F_GETFL) | O_NONBLOCK);
}

// The child gets a group of its own (to be ended as a whole), no blocked signals, SIGPIPE and SIGXFSZ as usual.
int spawn(const std::string& command, int input, int output, pid_t& process) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigaddset(&signals, SIGPIPE);
  sigaddset(&signals, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  std::string shell = "/bin/sh";
  std::string option = "-c";
  std::string text = command;
  std::array<char*, 4> arguments{shell.data(), option.data(), text.data(), nullptr};
  const int error = ::posix_spawn(&process, shell.c_str(), &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

}  // namespace

FileHandle& FileHandle::operator=(FileHandle&& other) noexcept {
  close();
  number_ = std::exchange(other.number_, -1);
  return *this;
}

void FileHandle::close() {
  if (open()) ::close(number_);
  number_ = -1;
}

ChildProcess::ChildProcess(const std::string& command) : command_(command) {
  auto [child_input, to] = make_pipe();
  auto [from, child_output] = make_pipe();
  const int error = spawn(command, child_input.number(), child_output.number(), process_);
  if (error != 0) throw IoError("\"" + command + "\" cannot be run: " + std::strerror(error));
  to_ = std::move(to);
  from_ = std::move(from);
  make_nonblocking(to_);
  make_nonblocking(from_);
}

ChildProcess::~ChildProcess() {
  if (process_ < 0) return;
  ::kill(-process_, SIGKILL);
  ::waitpid(process_, nullptr, 0);
}

std::string ChildProcess::exchange(std::string_view input, const std::stop_token& stop) {
  std::string output;
  while (from_.open()) {
    if (stop.stop_requested()) throw Interrupted();
    if (input.empty()) to_.close();
    std::array<pollfd, 2> handles{pollfd{from_.number(), POLLIN, 0}, pollfd{to_.number(), POLLOUT, 0}};
    if (::poll(handles.data(), to_.open() ? 2 : 1, kPollMilliseconds) < 0 && errno != EINTR) {
      throw IoError("\"" + command_ + "\": cannot wait for it: " + std::strerror(errno));
    }
    if (handles[0].revents != 0) drain(output);
    if (to_.open() && handles[1].revents != 0) feed(input);
  }
  to_.close();
  return output;
}

// A program that does not read on closes its side; whether that was right shows in what it answers.
void ChildProcess::feed(std::string_view& input) {
  const ssize_t written = ::write(to_.number(), input.data(), input.size());
  if (written >= 0) {
    input.remove_prefix(static_cast<std::size_t>(written));
  } else if (errno != EAGAIN && errno != EINTR) {
    input = {};
  }
}

void ChildProcess::drain(std::string& output) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(from_.number(), buffer.data(), buffer.size());
  if (count > 0) output.append(buffer.data(), static_cast<std::size_t>(count));
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) from_.close();
}

int ChildProcess::wait(const std::stop_token& stop) {
  int status = 0;
  std::chrono::milliseconds pause{1};
  while (::waitpid(process_, &status, WNOHANG) == 0) {
    if (stop.stop_requested()) throw Interrupted();
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds(kPollMilliseconds));
  }
  process_ = -1;
  return status;
}

}  // namespace cfrules::cli

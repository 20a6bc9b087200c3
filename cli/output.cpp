#include "output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <utility>

#include "cfrules/error.h"

namespace cfrules::cli {
namespace {

constexpr mode_t kMode = 0666;  // the umask takes its share

enum class Found { nothing, file, folder, device };

Found what_is_at(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return Found::nothing;
  if (S_ISDIR(status.st_mode)) return Found::folder;
  return S_ISREG(status.st_mode) ? Found::file : Found::device;
}

// link refuses an existing name, so a file that appeared meanwhile is not overwritten; some file systems cannot link.
bool put_in_place(const std::string& temporary, const std::string& path, bool force) {
  if (!force && ::link(temporary.c_str(), path.c_str()) == 0) return ::unlink(temporary.c_str()) == 0;
  if (!force && errno == EEXIST) return false;
  return ::rename(temporary.c_str(), path.c_str()) == 0;
}

void sync_directory_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int handle = ::open(directory.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) return;
  ::fsync(handle);
  ::close(handle);
}

}  // namespace

Output::Output(const std::string& path, bool force) : path_(path), force_(force) {
  if (path == "-") {
    file_ = STDOUT_FILENO;
    return;
  }
  const Found found = what_is_at(path);
  if (found == Found::folder) throw InputError(path + ": is a directory; the name of a file is needed");
  if (found == Found::file && !force) throw IoError(path + ": exists already; --force overwrites it");
  if (found != Found::device) {
    open_temporary();
    return;
  }
  file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) fail("cannot be opened for writing", errno);
}

Output::Output(Output&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      force_(other.force_),
      file_(std::exchange(other.file_, -1)) {}

Output::~Output() {
  if (file_ > STDERR_FILENO) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Output::open_temporary() {
  // A name nobody can guess, and never an existing file or link: the folder may be open to others.
  std::random_device random;
  std::string name = path_ + "." + std::to_string(random()) + std::to_string(random()) + ".tmp";
  file_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  if (file_ < 0) fail("cannot be written", errno);
  temporary_ = std::move(name);
}

void Output::fail(const char* what, int error) const {
  if (error == EPIPE) throw ClosedPipe();
  throw IoError((path_ == "-" ? "standard output" : path_) + " " + what + ": " + std::strerror(error));
}

void Output::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot be written", errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Output::finish() {
  if (temporary_.empty()) return;
  if (::fsync(file_) != 0) fail("cannot be written", errno);
  if (::close(std::exchange(file_, -1)) != 0) fail("cannot be written", errno);
  if (!put_in_place(temporary_, path_, force_)) fail("cannot be put in place", errno);
  temporary_.clear();
  sync_directory_of(path_);
}

bool Output::terminal() const { return ::isatty(file_) == 1; }

}  // namespace cfrules::cli

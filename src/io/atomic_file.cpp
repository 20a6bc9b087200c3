#include "io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

#include "cfrules/error.h"

namespace cfrules {
namespace {

constexpr mode_t kPermissions = 0777;

[[noreturn]] void fail(const std::string& path) { throw IoError("cannot write " + path + ": " + system_reason()); }

// Not from RandomStream: two processes with the same seed must differ.
std::string temporary_name() {
  std::random_device random;
  return ".cfrules-" + std::to_string(::getpid()) + "-" + std::to_string(random()) + std::to_string(random()) + ".tmp";
}

// Removed when it goes out of scope, unless it was renamed.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& folder, const std::string& target)
      : target_(target),
        path_(folder + temporary_name()),
        descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail(target_);
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  // Best effort: a file of somebody else may refuse, and is replaced all the same.
  void copy_permissions(mode_t mode) const { static_cast<void>(::fchmod(descriptor_, mode & kPermissions)); }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(target_);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (::fsync(descriptor_) != 0) fail(target_);
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(target_);
  }

  void rename_over() {
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail(target_);
    renamed_ = true;
  }

  // False if a file of that name appeared meanwhile. A second name never replaces; where the file system has no second
  // names, looking first is the best there is.
  [[nodiscard]] bool rename_if_free() {
    if (::link(path_.c_str(), target_.c_str()) == 0) return true;
    if (errno == EEXIST || ::access(target_.c_str(), F_OK) == 0) return false;
    rename_over();
    return true;
  }

 private:
  std::string target_;
  std::string path_;
  int descriptor_;
  bool renamed_ = false;
};

void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // a folder one may write to but not read: nothing more can be done
  ::fsync(descriptor);
  ::close(descriptor);
}

[[noreturn]] void refuse_to_overwrite(const std::string& path) {
  throw InputError(path + " already exists; give --force (overwrite) to replace it, or another name");
}

// A link stays a link: what it points to is replaced.
std::string behind_links(const std::string& path) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

}  // namespace

std::string system_reason() { return std::generic_category().message(errno); }

void write_file_atomically(const std::string& path, std::string_view bytes, bool overwrite) {
  struct stat old{};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) throw InputError(path + " is a directory; give the name of a file");
  if (exists && !S_ISREG(old.st_mode)) throw InputError(path + " is not a plain file, so it is not replaced");
  if (exists && !overwrite) refuse_to_overwrite(path);
  const std::string target = exists ? behind_links(path) : path;
  const std::string folder = target.substr(0, target.rfind('/') + 1);
  TemporaryFile file(folder, target);
  if (exists) file.copy_permissions(old.st_mode);
  file.write(bytes);
  if (overwrite)
    file.rename_over();
  else if (!file.rename_if_free())
    refuse_to_overwrite(path);
  sync_folder(folder);
}

}  // namespace cfrules

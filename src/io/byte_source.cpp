#include "io/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "cfrules/error.h"
#include "io/atomic_file.h"

namespace cfrules {

FileSource::FileSource(const std::string& path) : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw IoError("cannot open " + path + ": " + system_reason());
  struct stat about{};
  const bool known = ::fstat(descriptor_, &about) == 0;
  const std::string why = known ? std::string() : system_reason();
  if (known && !S_ISDIR(about.st_mode)) {
    is_pipe_ = !S_ISREG(about.st_mode);
    size_ = static_cast<std::uint64_t>(about.st_size);
    return;
  }
  ::close(descriptor_);
  throw IoError(known ? path + " is a directory, not a file" : "cannot read " + path + ": " + why);
}

FileSource::~FileSource() { ::close(descriptor_); }

std::size_t FileSource::read_some(std::byte* into, std::size_t length, std::uint64_t offset) {
  for (;;) {
    const ssize_t got =
        is_pipe_ ? ::read(descriptor_, into, length) : ::pread(descriptor_, into, length, static_cast<off_t>(offset));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) throw IoError("cannot read " + path_ + ": " + system_reason());
  }
}

std::span<const std::byte> FileSource::bytes(std::uint64_t offset, std::uint64_t length) {
  if (buffer_.size() < length) buffer_.resize(static_cast<std::size_t>(length));
  std::size_t filled = 0;
  while (filled < length) {
    const std::size_t got =
        read_some(buffer_.data() + filled, static_cast<std::size_t>(length) - filled, offset + filled);
    if (got == 0) break;
    filled += got;
  }
  return std::span(buffer_).first(filled);
}

std::vector<std::byte> FileSource::read_all(std::string_view start) {
  std::vector<std::byte> all(std::size_t{1} << 16);
  std::size_t filled = 0;
  for (;;) {
    const std::size_t got = read_some(all.data() + filled, all.size() - filled, filled);
    filled += got;
    const std::size_t judged = std::min(filled, start.size());
    if (got == 0 || std::memcmp(all.data(), start.data(), judged) != 0) break;
    if (filled == all.size()) all.resize(2 * all.size());
  }
  all.resize(filled);
  return all;
}

}  // namespace cfrules

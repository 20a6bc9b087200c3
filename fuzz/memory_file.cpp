#include "memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include "checks.h"

namespace cfrules::fuzz {

MemoryFile::MemoryFile(std::string_view content)
    : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(descriptor_)) {
  const ssize_t written = ::write(descriptor_, content.data(), content.size());
  require(written == static_cast<ssize_t>(content.size()), "a file in memory takes all bytes");
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

}  // namespace cfrules::fuzz

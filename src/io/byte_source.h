// Where a model's bytes come from: memory, or a file read piece by piece, so that a large model is not held twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cfrules {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  [[nodiscard]] virtual std::uint64_t size() const = 0;
  // The bytes from offset on, within size; they stay until the next call. Fewer if the file shrank meanwhile.
  [[nodiscard]] virtual std::span<const std::byte> bytes(std::uint64_t offset, std::uint64_t length) = 0;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::span<const std::byte> all) : all_(all) {}

  [[nodiscard]] std::uint64_t size() const override { return all_.size(); }
  [[nodiscard]] std::span<const std::byte> bytes(std::uint64_t offset, std::uint64_t length) override {
    return all_.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
  }

 private:
  std::span<const std::byte> all_;
};

// An open file. Throws IoError where it cannot be opened or read, or is a directory.
class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path);
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] std::span<const std::byte> bytes(std::uint64_t offset, std::uint64_t length) override;

  // A pipe has no size and no offsets: it can only be read from end to end.
  [[nodiscard]] bool is_pipe() const { return is_pipe_; }
  // Stops early, with what is there, if that does not begin with start: what comes may have no end.
  [[nodiscard]] std::vector<std::byte> read_all(std::string_view start);

 private:
  [[nodiscard]] std::size_t read_some(std::byte* into, std::size_t length, std::uint64_t offset);

  std::string path_;
  int descriptor_ = -1;
  bool is_pipe_ = false;
  std::uint64_t size_ = 0;
  std::vector<std::byte> buffer_;
};

}  // namespace cfrules

// The frame of a model file: header, section table, sections; see docs/model-format.md. It knows nothing of models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_reader.h"
#include "io/byte_source.h"
#include "io/byte_writer.h"

namespace cfrules {

inline constexpr std::string_view kMagic =
    "\x89"
    "CFR\r\n\x1A\n";
inline constexpr std::uint32_t kFormatVersion = 2;

enum class SectionKind : std::uint32_t {
  metadata = 1,
  column = 2,
  outcome = 3,
  weights = 4,
  grid = 5,
  codes = 6,
  forest = 7,
  tree = 8,
  inlier_grid = 9,
  inlier_tree = 10,
  calibration = 11,
  audit = 12,
};

struct Section {
  SectionKind kind = SectionKind::metadata;
  std::uint32_t index = 0;  // among the sections of its kind
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t checksum = 0;
};

class SectionWriter {
 public:
  // count: how many sections will follow. expected_size: of the whole file, roughly.
  SectionWriter(std::uint32_t version, std::size_t count, std::size_t expected_size);

  // The section goes on until the next begin.
  ByteWriter& begin(SectionKind kind, std::size_t index = 0);
  [[nodiscard]] std::string finish();

 private:
  void end();

  std::size_t count_;
  std::vector<Section> sections_;
  ByteWriter out_;
};

// Hands out the sections in the order they stand in, each after its checksum was found right.
class SectionReader {
 public:
  // Throws FormatError naming the source if the frame is not that of a whole model file of a known version.
  SectionReader(ByteSource& bytes, std::string_view source);

  // Throws Flaw if the next section is another. Its bytes stay until the next call.
  [[nodiscard]] ByteReader next(SectionKind kind, std::size_t index = 0);
  void expect_end() const;
  [[nodiscard]] std::uint32_t version() const { return version_; }

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  [[nodiscard]] std::span<const std::byte> read(std::uint64_t offset, std::uint64_t length);
  void check_start();
  std::uint32_t check_header();
  void read_table(std::uint32_t count);

  ByteSource& bytes_;
  std::string source_;
  std::vector<Section> sections_;
  std::size_t next_ = 0;
  std::uint32_t version_ = 0;
};

// Sets all checksums and the file's length to what they should be, so that tests can get past them.
void reseal(std::span<std::byte> file);

}  // namespace cfrules

#include "io/model_sections.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "cfrules/error.h"
#include "io/checksum.h"
#include "io/little_endian.h"

namespace cfrules {
namespace {

// Offsets in the header.
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kCountAt = 12;
constexpr std::size_t kLengthAt = 16;
constexpr std::size_t kTableChecksumAt = 24;
constexpr std::size_t kHeaderChecksumAt = 32;
constexpr std::size_t kHeaderSize = 40;
constexpr std::size_t kEntrySize = 32;

std::string name_of(SectionKind kind) {
  constexpr std::string_view kNames[] = {"metadata", "column", "outcome",     "weights",     "grid",       "codes",
                                         "forest",   "tree",   "inlier grid", "inlier tree", "calibration", "audit"};
  const auto number = static_cast<std::uint32_t>(kind);
  if (number == 0 || number > std::size(kNames)) return "of unknown kind " + std::to_string(number);
  return std::string(kNames[number - 1]);
}

bool comes_in_numbers(SectionKind kind) {
  return kind == SectionKind::column || kind == SectionKind::codes || kind == SectionKind::tree ||
         kind == SectionKind::inlier_tree;
}

std::string name_of(const Section& section) {
  const bool numbered = comes_in_numbers(section.kind) || section.index > 0;
  return name_of(section.kind) + (numbered ? " " + std::to_string(section.index) : "");
}

void store_section(std::byte* at, const Section& section) {
  store_little(at, static_cast<std::uint32_t>(section.kind));
  store_little(at + 4, section.index);
  store_little(at + 8, section.offset);
  store_little(at + 16, section.length);
  store_little(at + 24, section.checksum);
}

Section load_section(const std::byte* at) {
  return {static_cast<SectionKind>(load_little<std::uint32_t>(at)), load_little<std::uint32_t>(at + 4),
          load_little<std::uint64_t>(at + 8), load_little<std::uint64_t>(at + 16), load_little<std::uint64_t>(at + 24)};
}

std::span<std::byte> as_bytes(std::string& text) { return std::as_writable_bytes(std::span(text.data(), text.size())); }

}  // namespace

SectionWriter::SectionWriter(std::uint32_t version, std::size_t count, std::size_t expected_size) : count_(count) {
  out_.reserve(expected_size);
  out_.bytes() += kMagic;
  out_.number(version);
  out_.number(static_cast<std::uint32_t>(count));
  out_.bytes().resize(kHeaderSize + count * kEntrySize);
}

ByteWriter& SectionWriter::begin(SectionKind kind, std::size_t index) {
  end();
  sections_.push_back({kind, static_cast<std::uint32_t>(index), out_.bytes().size(), 0, 0});
  return out_;
}

void SectionWriter::end() {
  out_.align();
  if (!sections_.empty()) sections_.back().length = out_.bytes().size() - sections_.back().offset;
}

std::string SectionWriter::finish() {
  end();
  assert(sections_.size() == count_);
  const std::span<std::byte> file = as_bytes(out_.bytes());
  for (std::size_t i = 0; i < sections_.size(); ++i) store_section(&file[kHeaderSize + i * kEntrySize], sections_[i]);
  reseal(file);
  return std::move(out_.bytes());
}

void reseal(std::span<std::byte> file) {
  if (file.size() < kHeaderSize) return;
  const std::size_t entries = (file.size() - kHeaderSize) / kEntrySize;
  const std::size_t count = std::min<std::size_t>(load_little<std::uint32_t>(&file[kCountAt]), entries);
  const std::span<std::byte> table = file.subspan(kHeaderSize, count * kEntrySize);
  for (std::size_t at = 0; at < table.size(); at += kEntrySize) {
    Section section = load_section(&table[at]);
    if (section.offset > file.size() || section.length > file.size() - section.offset) continue;
    section.checksum = checksum(file.subspan(section.offset, section.length));
    store_section(&table[at], section);
  }
  store_little(&file[kLengthAt], std::uint64_t{file.size()});
  store_little(&file[kTableChecksumAt], checksum(table));
  store_little(&file[kHeaderChecksumAt], checksum(file.first(kHeaderChecksumAt)));
}

SectionReader::SectionReader(ByteSource& bytes, std::string_view source) : bytes_(bytes), source_(source) {
  check_start();
  read_table(check_header());
}

void SectionReader::refuse(const std::string& what) const { throw FormatError(source_ + " " + what); }

std::span<const std::byte> SectionReader::read(std::uint64_t offset, std::uint64_t length) {
  const std::span<const std::byte> got = bytes_.bytes(offset, length);
  if (got.size() < length) refuse("became shorter while it was read");
  return got;
}

void SectionReader::check_start() {
  if (bytes_.size() == 0) refuse("is empty, not a cfrules model");
  const std::size_t judged = static_cast<std::size_t>(std::min<std::uint64_t>(bytes_.size(), kMagic.size()));
  if (std::memcmp(read(0, judged).data(), kMagic.data(), judged) != 0) refuse("is not a cfrules model");
  if (bytes_.size() < kCountAt) refuse("is truncated");
  version_ = load_little<std::uint32_t>(read(kVersionAt, sizeof(std::uint32_t)).data());
  if (version_ > kFormatVersion)
    refuse("was written by a newer version (format " + std::to_string(version_) + "; this program reads up to " +
           std::to_string(kFormatVersion) + ")");
  if (version_ == 0) refuse("is damaged: its format is 0, and formats begin at 1");
  if (bytes_.size() < kHeaderSize) refuse("is truncated");
}

std::uint32_t SectionReader::check_header() {
  const std::span<const std::byte> header = read(0, kHeaderSize);
  if (load_little<std::uint64_t>(&header[kHeaderChecksumAt]) != checksum(header.first(kHeaderChecksumAt)))
    refuse("is damaged: its header does not match its checksum");
  const auto length = load_little<std::uint64_t>(&header[kLengthAt]);
  if (bytes_.size() < length)
    refuse("is truncated: " + std::to_string(bytes_.size()) + " of " + std::to_string(length) + " bytes are there");
  if (bytes_.size() > length)
    refuse("is damaged: " + std::to_string(bytes_.size() - length) + " bytes too many stand at its end");
  const auto count = load_little<std::uint32_t>(&header[kCountAt]);
  if (count > (length - kHeaderSize) / kEntrySize)
    refuse("is damaged: it has no room for a table of " + std::to_string(count) + " sections");
  const auto expected = load_little<std::uint64_t>(&header[kTableChecksumAt]);
  if (expected != checksum(read(kHeaderSize, std::uint64_t{count} * kEntrySize)))
    refuse("is damaged: its section table does not match its checksum");
  return count;
}

void SectionReader::read_table(std::uint32_t count) {
  const std::span<const std::byte> table = read(kHeaderSize, std::uint64_t{count} * kEntrySize);
  std::uint64_t end = kHeaderSize + table.size();
  for (std::size_t at = 0; at + kEntrySize <= table.size(); at += kEntrySize) {
    const Section& section = sections_.emplace_back(load_section(&table[at]));
    const bool fits = section.offset == end && section.length <= bytes_.size() - end;
    if (!fits || section.length % kAlignment != 0)
      refuse("is damaged: section '" + name_of(section) + "' does not lie where it should");
    end += section.length;
  }
  if (end != bytes_.size()) refuse("is damaged: bytes after its last section belong to none");
}

ByteReader SectionReader::next(SectionKind kind, std::size_t index) {
  const std::string wanted = name_of(Section{kind, static_cast<std::uint32_t>(index), 0, 0, 0});
  if (next_ == sections_.size()) throw Flaw("section '" + wanted + "' is missing");
  const Section& section = sections_[next_++];
  if (section.kind != kind || section.index != index)
    throw Flaw("section '" + name_of(section) + "' stands where '" + wanted + "' should");
  const std::span<const std::byte> bytes = read(section.offset, section.length);
  if (checksum(bytes) != section.checksum) throw Flaw("section '" + wanted + "' does not match its checksum");
  return {bytes, wanted};
}

void SectionReader::expect_end() const {
  if (next_ != sections_.size()) throw Flaw("section '" + name_of(sections_[next_]) + "' is one too many");
}

}  // namespace cfrules

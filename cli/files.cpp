#include "files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "cfrules/error.h"

namespace cfrules::cli {
namespace {

std::string all_of(std::istream& in, const std::string& name) {
  std::string text;
  std::array<char, 65536> piece;
  // No text holds a NUL: what follows is not read, since a device may go on for ever.
  while (in && text.find('\0', text.size() - std::min(text.size(), piece.size())) == std::string::npos) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw IoError(name + " cannot be read: " + std::strerror(errno));
  return text;
}

}  // namespace

void require_readable(const std::string& path) {
  if (path == "-") return;
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || ::access(path.c_str(), R_OK) != 0) {
    throw InputError(path + ": cannot be opened: " + std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode)) throw InputError(path + ": is a directory; a file is needed");
}

std::string read_file(const std::string& path) {
  if (path == "-") return all_of(std::cin, "standard input");
  require_readable(path);
  std::ifstream in(path, std::ios::binary);
  if (!in) throw IoError(path + " cannot be opened: " + std::strerror(errno));
  return all_of(in, path);
}

std::string text_or_file(const std::string& argument, const std::string& option, std::string& source) {
  if (!argument.starts_with('@')) {
    source = option;
    return argument;
  }
  source = argument.substr(1);
  return read_file(source);
}

Constraints read_constraints(const std::string& path) {
  const std::string text = read_file(path);
  return path.ends_with(".toml") ? Constraints::parse_toml(text, path) : Constraints::parse(text, path);
}

}  // namespace cfrules::cli

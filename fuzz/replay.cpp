// Feeds files, or all files of folders, to a fuzz target: the corpus as a test, with any compiler.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void replay(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  std::fprintf(stderr, "%s\n", path.c_str());  // the last one named is the one that failed
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int count, char** names) {
  std::size_t files = 0;
  for (int i = 1; i < count; ++i) {
    if (!std::filesystem::exists(names[i])) continue;  // a target without past findings
    if (!std::filesystem::is_directory(names[i])) {
      replay(names[i]);
      ++files;
      continue;
    }
    for (const auto& entry : std::filesystem::directory_iterator(names[i])) {
      replay(entry.path());
      ++files;
    }
  }
  std::fprintf(stderr, "%zu files replayed\n", files);
  return files > 0 ? 0 : 1;
}

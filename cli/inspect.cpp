#include <algorithm>
#include <string_view>

#include "command.h"
#include "people.h"
#include "result_stream.h"

namespace cfrules::cli {
namespace {

// The model describes itself in indented JSON, a key or a value per line; strings hold no line ends.
std::vector<std::string_view> lines_of(std::string_view json) {
  std::vector<std::string_view> lines;
  while (!json.empty()) {
    const std::size_t end = std::min(json.find('\n'), json.size());
    lines.push_back(json.substr(0, end));
    json.remove_prefix(std::min(end + 1, json.size()));
  }
  return lines;
}

std::string on_one_line(std::string_view json) {
  std::string text;
  for (const std::string_view line : lines_of(json))
    text += line.substr(std::min(line.find_first_not_of(' '), line.size()));
  return text;
}

// The same without the punctuation.
std::string outline(std::string_view json) {
  std::string text;
  for (std::string_view line : lines_of(json)) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(indent);
    if (line.ends_with(',')) line.remove_suffix(1);
    if (line.ends_with('{') || line.ends_with('[')) line.remove_suffix(1);
    if (indent == 0 || line == "}" || line == "]") continue;
    std::string words(line.empty() ? "-" : line);
    std::erase(words, '"');
    if (words.ends_with(' ')) words.pop_back();
    text += std::string(indent - 2, ' ') + words + "\n";
  }
  return text;
}

class InspectCommand : public Command {
 public:
  std::string name() const override { return "inspect"; }
  std::string summary() const override { return "What a model is and how it was made."; }
  std::vector<std::string> examples() const override {
    return {"cfrules inspect loans.cfr", "cfrules inspect loans.cfr --format json"};
  }
  void add_options(OptionTable& table) override {
    table.text("MODEL", "FILE", model_, "a fitted model").required = true;
    table.text("-o,--output", "FILE", output_, "where the result goes (standard output)");
  }
  int run(Session& session) override {
    const std::string json = load_model(model_).inspect();
    write_single(session, output_, on_one_line(json), outline(json));
    return kDone;
  }

 private:
  std::string model_;
  std::string output_ = "-";
};

}  // namespace

std::unique_ptr<Command> make_inspect() { return std::make_unique<InspectCommand>(); }

}  // namespace cfrules::cli

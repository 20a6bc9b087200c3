#include "base/json.h"
#include "command.h"
#include "io/json_text.h"
#include "people.h"
#include "result_stream.h"

namespace cfrules::cli {
namespace {

constexpr std::size_t kShortList = 12;

std::string scalar_text(const Json& value) { return value.string() != nullptr ? *value.string() : json_text(value); }

bool is_plain(const Json& value) { return value.object() == nullptr && value.array() == nullptr; }

// One key per line, nested ones indented; long lists are cut, the JSON has them whole.
std::string outline(const Json& value, const std::string& indent) {
  std::string text;
  if (const Json::Object* members = value.object()) {
    for (const auto& [key, member] : *members) {
      text += indent + key + ":" +
              (is_plain(member) ? " " + scalar_text(member) + "\n" : "\n" + outline(member, indent + "  "));
    }
  } else if (const Json::Array* items = value.array()) {
    for (std::size_t i = 0; i < items->size() && i < kShortList; ++i)
      text += indent + "- " + scalar_text((*items)[i]) + "\n";
    if (items->size() > kShortList) text += indent + "... " + std::to_string(items->size() - kShortList) + " more\n";
  } else {
    text = indent + scalar_text(value) + "\n";
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
    const Json description = Json::parse(load_model(model_).inspect(), model_);
    write_single(session, output_, json_text(description), outline(description, ""));
    return kDone;
  }

 private:
  std::string model_;
  std::string output_ = "-";
};

}  // namespace

std::unique_ptr<Command> make_inspect() { return std::make_unique<InspectCommand>(); }

}  // namespace cfrules::cli

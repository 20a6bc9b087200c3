#include "command.h"
#include "people.h"

namespace cfrules::cli {
namespace {

class ValidateCommand : public Command {
 public:
  std::string name() const override { return "validate"; }
  std::string summary() const override { return "Whether a model file is whole and sound."; }
  std::vector<std::string> examples() const override { return {"cfrules validate loans.cfr"}; }
  void add_options(OptionTable& table) override {
    table.text("MODEL", "FILE", model_, "a fitted model").required = true;
  }
  int run(Session& session) override {
    const Explainer model = load_model(model_);
    session.open_output("-").write(model_ + ": sound, " + std::to_string(model.rows().rows()) + " rows, " +
                                   std::to_string(model.schema().size()) + " features, " + model.checksum() + "\n");
    return kDone;
  }

 private:
  std::string model_;
};

}  // namespace

std::unique_ptr<Command> make_validate() { return std::make_unique<ValidateCommand>(); }

}  // namespace cfrules::cli

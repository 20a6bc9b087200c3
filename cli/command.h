// A command: its words for the help page, its options and what it does.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "option_table.h"
#include "session.h"

namespace cfrules::cli {

class Command {
 public:
  virtual ~Command() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string summary() const = 0;
  [[nodiscard]] virtual std::vector<std::string> examples() const = 0;
  virtual void add_options(OptionTable& table) = 0;  // bound to members of the command
  // Returns the exit code.
  [[nodiscard]] virtual int run(Session& session) = 0;
};

[[nodiscard]] std::unique_ptr<Command> make_fit();
[[nodiscard]] std::unique_ptr<Command> make_import();
[[nodiscard]] std::unique_ptr<Command> make_explain();
[[nodiscard]] std::unique_ptr<Command> make_recourse();
[[nodiscard]] std::unique_ptr<Command> make_regions();
[[nodiscard]] std::unique_ptr<Command> make_sufficient();
[[nodiscard]] std::unique_ptr<Command> make_probability();
[[nodiscard]] std::unique_ptr<Command> make_evaluate();
[[nodiscard]] std::unique_ptr<Command> make_inspect();
[[nodiscard]] std::unique_ptr<Command> make_validate();
[[nodiscard]] std::unique_ptr<Command> make_demo();

// In the order people meet them.
[[nodiscard]] std::vector<std::unique_ptr<Command>> all_commands();

}  // namespace cfrules::cli

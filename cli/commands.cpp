#include "command.h"

namespace cfrules::cli {

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(make_demo());
  commands.push_back(make_fit());
  commands.push_back(make_import());
  commands.push_back(make_explain());
  commands.push_back(make_regions());
  commands.push_back(make_recourse());
  commands.push_back(make_sufficient());
  commands.push_back(make_probability());
  commands.push_back(make_evaluate());
  commands.push_back(make_inspect());
  commands.push_back(make_validate());
  return commands;
}

}  // namespace cfrules::cli

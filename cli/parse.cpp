#include "parse.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>

#include "help.h"

namespace cfrules::cli {
namespace {

struct Entry {
  std::unique_ptr<Command> command;
  OptionTable own;
  CLI::App* app = nullptr;
};

void add(CLI::App& app, const OptionTable& table) {
  for (const Option& option : table.options()) {
    CLI::Option* added = nullptr;
    if (option.placeholder.empty()) {
      added = app.add_flag_callback(option.names, [&option] { option.set(""); });
    } else {
      added = app.add_option_function<std::string>(option.names, option.set);
    }
    added->required(option.required);
  }
}

std::vector<std::string> long_names(const OptionTable& table) {
  std::vector<std::string> names;
  for (const Option& option : table.options()) {
    const std::size_t start = option.names.find("--");
    if (start != std::string::npos) names.push_back(option.names.substr(start));
  }
  return names;
}

std::vector<Entry> make_entries(CLI::App& app, const OptionTable& global) {
  std::vector<Entry> entries;
  for (auto& command : all_commands()) entries.push_back({std::move(command), {}, nullptr});
  for (Entry& entry : entries) {
    entry.command->add_options(entry.own);
    entry.app = app.add_subcommand(entry.command->name());
    entry.app->set_help_flag("-h,--help");
    add(*entry.app, entry.own);
    add(*entry.app, global);
  }
  return entries;
}

const Entry* chosen(const std::vector<Entry>& entries) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [](const Entry& entry) { return entry.app->parsed(); });
  return found == entries.end() ? nullptr : &*found;
}

std::vector<std::string> command_names(const std::vector<Entry>& entries) {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.push_back(entry.command->name());
  return names;
}

[[noreturn]] void refuse_extra(const std::string& word, const std::vector<Entry>& entries, const OptionTable& global) {
  const Entry* entry = chosen(entries);
  if (entry == nullptr && word.starts_with('-')) {
    throw UsageError("unknown option " + word + suggestion(word, long_names(global)) + "; see cfrules --help");
  }
  if (entry == nullptr) {
    throw UsageError("unknown command \"" + word + "\"" + suggestion(word, command_names(entries)) +
                     "; see cfrules --help");
  }
  const std::string see = "; see cfrules " + entry->command->name() + " --help";
  if (!word.starts_with('-')) throw UsageError("one argument too many: \"" + word + "\"" + see);
  std::vector<std::string> known = long_names(entry->own);
  const std::vector<std::string> shared = long_names(global);
  known.insert(known.end(), shared.begin(), shared.end());
  throw UsageError("unknown option " + word + suggestion(word, known) + see);
}

// The parser's own words on one line, with the way to the help page.
[[noreturn]] void refuse(const CLI::ParseError& error, const Entry* entry) {
  std::string text = error.what();
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::string page = entry == nullptr ? "" : entry->command->name() + " ";
  throw UsageError(text + "; see cfrules " + page + "--help");
}

std::string help_text(const std::vector<Entry>& entries, const OptionTable& global) {
  if (const Entry* entry = chosen(entries)) return command_help(*entry->command, entry->own, global);
  std::vector<std::unique_ptr<Command>> commands = all_commands();
  return overview(commands);
}

}  // namespace

Parsed parse(int count, const char* const* words, GlobalOptions& global) {
  CLI::App app("cfrules");
  app.set_help_flag("-h,--help");
  app.set_version_flag("--version", version_text());
  OptionTable shared;
  global.add_to(shared);
  add(app, shared);
  std::vector<Entry> entries = make_entries(app, shared);
  try {
    if (count < 2) return {nullptr, help_text(entries, shared)};
    app.parse(count, words);
  } catch (const CLI::CallForVersion&) {
    return {nullptr, version_text()};
  } catch (const CLI::CallForHelp&) {
    return {nullptr, help_text(entries, shared)};
  } catch (const CLI::ExtrasError& error) {
    const std::vector<std::string> extras = app.remaining(true);
    if (extras.empty()) refuse(error, chosen(entries));
    refuse_extra(extras.front(), entries, shared);
  } catch (const CLI::ParseError& error) {
    refuse(error, chosen(entries));
  }
  const Entry* entry = chosen(entries);
  if (entry == nullptr) throw UsageError("a command is needed; see cfrules --help");
  for (Entry& candidate : entries) {
    if (candidate.app == entry->app) return {std::move(candidate.command), ""};
  }
  return {};
}

}  // namespace cfrules::cli

#include "session.h"

#include <unistd.h>

#include <cstdio>

namespace cfrules::cli {

void GlobalOptions::add_to(OptionTable& table) {
  table.choice<Format>(
      "--format", format,
      {{"table", Format::table}, {"json", Format::json}, {"ndjson", Format::ndjson}, {"csv", Format::csv}},
      "form of the results; a table on a terminal, ndjson anywhere else");
  table.seed("--seed", seed, "seed of everything random (0)");
  table.count("--threads", threads, "threads to use; results do not depend on it (0: one per core)");
  table.flag("--force", force, "overwrite existing files");
  table.flag("--quiet", quiet, "only results and errors");
}

void Session::say(std::string_view line) const {
  if (options_.quiet) return;
  std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
}

Format Session::format_for(const Output& output) const {
  return options_.format.value_or(output.terminal() ? Format::table : Format::ndjson);
}

Progress Session::progress(std::string what) const {
  return Progress(std::move(what), !options_.quiet && ::isatty(STDERR_FILENO) == 1);
}

Run Session::run(Progress& progress) const {
  Run run;
  run.threads = static_cast<unsigned>(options_.threads);
  run.stop = interrupt_.token();
  if (progress.shown())
    run.progress = [&progress](std::size_t done, std::size_t total) { progress.update(done, total); };
  return run;
}

}  // namespace cfrules::cli

#include "errors.h"
#include "parse.h"

int main(int count, char** words) {
  namespace cli = cfrules::cli;
  return cli::with_errors_reported([&] {
    cli::Interrupt interrupt;
    cli::GlobalOptions options;
    const cli::Parsed parsed = cli::parse(count, words, options);
    cli::Session session(options, interrupt);
    if (parsed.command) return parsed.command->run(session);
    session.open_output("-").write(parsed.text);
    return cli::kDone;
  });
}

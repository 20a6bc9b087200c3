#include "errors.h"

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "cfrules/error.h"
#include "option_table.h"
#include "output.h"
#include "session.h"

namespace cfrules::cli {
namespace {

// Values from data may hold control characters; a terminal must not obey them and a log must stay one line.
std::string one_line(std::string text) {
  for (char& letter : text) {
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F) letter = ' ';
  }
  return text;
}

int failed(const std::string& text, int code) {
  std::fprintf(stderr, "cfrules: %s\n", one_line(text).c_str());
  return code;
}

}  // namespace

int with_errors_reported(const std::function<int()>& work) {
  try {
    return work();
  } catch (const Interrupted&) {
    return failed("interrupted", kInterrupted);
  } catch (const ClosedPipe&) {
    return kFailed;
  } catch (const UsageError& error) {
    return failed(error.what(), kUsage);
  } catch (const InputError& error) {
    return failed(error.what(), kBadInput);
  } catch (const FormatError& error) {
    return failed(error.what(), kBadInput);
  } catch (const IoError& error) {
    return failed(error.what(), kFailed);
  } catch (const std::bad_alloc&) {
    return failed("not enough memory", kFailed);
  } catch (const std::exception& error) {
    return failed(std::string("internal error: ") + error.what(), kFailed);
  }
}

}  // namespace cfrules::cli

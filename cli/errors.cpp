#include "errors.h"

#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "cfrules/error.h"
#include "option_table.h"
#include "output.h"
#include "session.h"
#include "words.h"

namespace cfrules::cli {
namespace {

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
    return failed("there is not enough memory for this; use fewer rows or columns, or allow more memory", kFailed);
  } catch (const std::length_error&) {
    return failed("there is not enough memory for this; use fewer rows or columns, or allow more memory", kFailed);
  } catch (const std::system_error& error) {
    return failed("the system refuses: " + std::string(error.code().message()), kFailed);
  } catch (const std::exception& error) {
    return failed(std::string("internal error: ") + error.what(), kFailed);
  }
}

}  // namespace cfrules::cli

#include "cfrules/version.h"

namespace cfrules {

std::string_view version() { return CFRULES_VERSION; }

std::string_view build_info() { return CFRULES_BUILD ", " CFRULES_COMPILER; }

}  // namespace cfrules

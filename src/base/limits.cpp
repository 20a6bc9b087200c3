#include "base/limits.h"

#include <string>

#include "cfrules/error.h"

namespace cfrules {

void require_within(const Limit& limit, std::size_t seen, std::string_view who) {
  if (seen <= limit.most) return;
  throw InputError(std::string(who) + " has " + std::to_string(seen) + " " + std::string(limit.what) + "; at most " +
                   std::to_string(limit.most) + " are possible");
}

}  // namespace cfrules

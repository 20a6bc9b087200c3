// One random seed per case; everything else follows from it.
#pragma once

#include <rapidcheck.h>

#include "support/world.h"

namespace cfrules::test {

inline RandomStream any_stream() {
  return test_stream(*rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>())), 0);
}

}  // namespace cfrules::test

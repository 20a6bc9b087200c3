// The one place that asks what the processor can do.
#pragma once

namespace cfrules {

#if defined(__x86_64__) && defined(__GNUC__)
#define CFRULES_HAS_AVX2_PATH 1
[[nodiscard]] inline bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"); }
#else
[[nodiscard]] inline bool has_avx2() { return false; }
#endif

}  // namespace cfrules

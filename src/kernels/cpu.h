// The one place that asks what the processor can do.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#endif

namespace cfrules {

#if defined(__x86_64__) && defined(__GNUC__)
#define CFRULES_HAS_X86_PATHS 1
[[nodiscard]] inline bool has_avx2() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  const bool lzcnt = __get_cpuid(0x80000001, &a, &b, &c, &d) != 0 && (c >> 5 & 1) != 0;  // not known by name everywhere
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && lzcnt;
}
[[nodiscard]] inline bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}
// Not among the names __builtin_cpu_supports knows everywhere: leaf 7 of cpuid, bit 29 of ebx.
[[nodiscard]] inline bool has_sha() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __builtin_cpu_supports("sse4.1") && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b >> 29 & 1) != 0;
}
#else
[[nodiscard]] inline bool has_sha() { return false; }
#endif

}  // namespace cfrules

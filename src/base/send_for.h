// Asks for the line of the cache at an address, which somebody will read a little later. Always inlined, and so must be
// whoever does nothing but call these: to the compiler they have no effect, and it drops calls of functions that have
// none.
#pragma once

namespace cfrules {

[[gnu::always_inline]] inline void send_for(const void* address) { __builtin_prefetch(address); }

// To the second level of the cache only, for much that lies apart: more of it is on its way at the same time.
[[gnu::always_inline]] inline void send_for_early(const void* address) { __builtin_prefetch(address, 0, 1); }

}  // namespace cfrules

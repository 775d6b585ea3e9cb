// Which clone of the marked functions (simd.hpp) the loader picks here, for people who ask.
#pragma once

#include "common/simd.hpp"

namespace hedgerow {

#define HEDGEROW_QUOTE(...) #__VA_ARGS__
#define HEDGEROW_QUOTED(...) HEDGEROW_QUOTE(__VA_ARGS__)

inline const char* instruction_set() {
#if defined(__x86_64__) && defined(__GNUC__)
  constexpr bool has_clones = sizeof(HEDGEROW_QUOTED(HEDGEROW_CLONES)) > 1;
  if (has_clones && __builtin_cpu_supports("avx512f")) return "avx512f";
  if (has_clones && __builtin_cpu_supports("avx2")) return "avx2";
#endif
  return "baseline";
}

#undef HEDGEROW_QUOTED
#undef HEDGEROW_QUOTE

}  // namespace hedgerow

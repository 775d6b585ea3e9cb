// Which of sixteen codes are above a code: a bit each.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "common/simd.hpp"

namespace hedgerow {

inline constexpr int64_t kCodeLanes = 16;

HEDGEROW_INLINE uint32_t above_lanes(const uint8_t* codes, uint32_t last) {
#if defined(__SSE2__)
  const __m128i most = _mm_set1_epi8(static_cast<char>(last));
  const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes));
  const int not_above = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(here, most), most));
  return static_cast<uint32_t>(~not_above) & 0xffffu;
#else
  uint32_t above = 0;
  for (int i = 0; i < kCodeLanes; ++i) above |= static_cast<uint32_t>(codes[i] > last) << i;
  return above;
#endif
}

HEDGEROW_INLINE uint32_t above_lanes(const uint32_t* codes, uint32_t last) {
#if defined(__SSE2__)
  const __m128i sign = _mm_set1_epi32(static_cast<int>(0x80000000u));  // compared as numbers with a sign
  const __m128i most = _mm_xor_si128(_mm_set1_epi32(static_cast<int>(last)), sign);
  auto above = [&](int k) {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + 4 * k));
    return _mm_cmpgt_epi32(_mm_xor_si128(here, sign), most);
  };
  const __m128i first = _mm_packs_epi32(above(0), above(1)), second = _mm_packs_epi32(above(2), above(3));
  return static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(first, second)));
#else
  uint32_t above = 0;
  for (int i = 0; i < kCodeLanes; ++i) above |= static_cast<uint32_t>(codes[i] > last) << i;
  return above;
#endif
}

}  // namespace hedgerow

#include "optimal/bits.hpp"

#include <bit>

#include "common/simd.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define HEDGEROW_PEXT 1
#endif

namespace hedgerow::optimal {
namespace {

template <class Take>
inline void pack_with(Take take, const uint64_t* row, const uint64_t* kept, int64_t words, uint64_t* out) {
  uint64_t filling = 0;
  int filled = 0;
  for (int64_t w = 0; w < words; ++w) {
    const uint64_t taken = take(row[w], kept[w]);
    const int many = std::popcount(kept[w]);
    filling |= taken << filled;
    if (filled + many >= 64) {
      *out++ = filling;
      filling = filled == 0 ? 0 : taken >> (64 - filled);
      filled -= 64;
    }
    filled += many;
  }
  if (filled) *out = filling;
}

struct TakePortable {
  uint64_t operator()(uint64_t word, uint64_t kept) const {
    uint64_t out = 0;
    for (int at = 0; kept; kept &= kept - 1, ++at) out |= ((word >> std::countr_zero(kept)) & 1) << at;
    return out;
  }
};

#ifdef HEDGEROW_PEXT
struct TakeFast {
  __attribute__((target("bmi2,popcnt"))) uint64_t operator()(uint64_t word, uint64_t kept) const {
    return _pext_u64(word, kept);
  }
};

__attribute__((target("bmi2,popcnt"), flatten)) void pack_fast(const uint64_t* row, const uint64_t* kept,
                                                               int64_t words, uint64_t* out) {
  pack_with(TakeFast(), row, kept, words, out);
}
#endif

}  // namespace

void pack(const uint64_t* row, const uint64_t* kept, int64_t words, uint64_t* out) {
#ifdef HEDGEROW_PEXT
  static const bool fast = __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  if (fast) return pack_fast(row, kept, words, out);
#endif
  pack_with(TakePortable(), row, kept, words, out);
}

HEDGEROW_CLONES int64_t count_ones(const uint64_t* bits, int64_t words) {
  int64_t n = 0;
  for (int64_t w = 0; w < words; ++w) n += std::popcount(bits[w]);
  return n;
}

HEDGEROW_CLONES void add_common(const uint64_t* mask, int64_t words, const uint64_t* rows, int64_t n_rows,
                                int64_t stride, int64_t worth, int64_t step, int64_t* sums) {
  for (int64_t j = 0; j < n_rows; ++j) {
    const uint64_t* row = rows + j * stride;
    int64_t common = 0;
    for (int64_t w = 0; w < words; ++w) common += std::popcount(mask[w] & row[w]);
    sums[j * step] += worth * common;
  }
}

}  // namespace hedgerow::optimal

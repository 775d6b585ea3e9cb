// Counting bits, compiled for the processor it runs on.
#pragma once

#include <cstdint>

namespace hedgerow::optimal {

int64_t count_ones(const uint64_t* bits, int64_t words);

// Bits that the words of `mask` and each of the rows have in common, times `worth`, added to every `step`-th
// sum.
void add_common(const uint64_t* mask, int64_t words, const uint64_t* rows, int64_t n_rows, int64_t stride,
                int64_t worth, int64_t step, int64_t* sums);

// The bits of `row` where `kept` is one, one behind the other.
void pack(const uint64_t* row, const uint64_t* kept, int64_t words, uint64_t* out);

// The last word of n bits, without what stands behind them.
inline uint64_t tail_of(int64_t n) { return n % 64 ? (1ull << (n % 64)) - 1 : ~0ull; }

}  // namespace hedgerow::optimal

#include "forest/order.hpp"

#include <algorithm>
#include <bit>

#include "common/simd.hpp"

namespace hedgerow {
namespace {

constexpr int kLanes = 8;
constexpr int64_t kFew = 40;  // up to here keys are ranked directly (benchmarks: where buckets begin to win)
constexpr int64_t kBucketSize = 6;  // keys a bucket, on average
constexpr int64_t kTooMany = 96;    // in a bucket, for ranking

// Equal keys keep their order: those before count as smaller.
template <class Key>
HEDGEROW_INLINE void rank_into(const Key* in, int64_t n, Key* out) {
  for (int64_t block = 0; block < n; block += kLanes) {
    Key mine[kLanes];
    Key rank[kLanes] = {};
    for (int lane = 0; lane < kLanes; ++lane) mine[lane] = in[block + lane];
    for (int64_t j = 0; j < block; ++j)
      for (int lane = 0; lane < kLanes; ++lane) rank[lane] += in[j] <= mine[lane];
    const int64_t end = std::min<int64_t>(n - block, kLanes);
    for (int64_t j = 0; j < end; ++j)
      for (int lane = 0; lane < kLanes; ++lane)
        rank[lane] += (mine[j] < mine[lane]) | ((mine[j] == mine[lane]) & (j < lane));
    for (int64_t j = block + kLanes; j < n; ++j)
      for (int lane = 0; lane < kLanes; ++lane) rank[lane] += in[j] < mine[lane];
    for (int64_t lane = 0; lane < end; ++lane) out[rank[lane]] = mine[lane];
  }
}

HEDGEROW_CLONES
void rank_keys(const uint32_t* in, int64_t n, uint32_t* out) { rank_into(in, n, out); }
HEDGEROW_CLONES
void rank_keys(const uint64_t* in, int64_t n, uint64_t* out) { rank_into(in, n, out); }

// One call for all buckets of a node.
template <class Key>
HEDGEROW_INLINE void rank_buckets_into(const Key* in, const uint32_t* end, int64_t buckets, Key* out) {
  int64_t begin = 0;
  for (int64_t b = 0; b < buckets; ++b) {
    const int64_t n = end[b] - begin;
    if (n == 1)
      out[begin] = in[begin];
    else if (n > kTooMany)
      std::copy(in + begin, in + end[b], out + begin), std::sort(out + begin, out + end[b]);
    else if (n)
      rank_into(in + begin, n, out + begin);
    begin = end[b];
  }
}

HEDGEROW_CLONES
void rank_buckets(const uint32_t* in, const uint32_t* end, int64_t buckets, uint32_t* out) {
  rank_buckets_into(in, end, buckets, out);
}
HEDGEROW_CLONES
void rank_buckets(const uint64_t* in, const uint32_t* end, int64_t buckets, uint64_t* out) {
  rank_buckets_into(in, end, buckets, out);
}

}  // namespace

template <class Key>
Key* KeySorter<Key>::operator()(Key* keys, int64_t n, Key* spare, Key low, Key high, int low_bits) {
  if (n <= kFew) {
    rank_keys(keys, n, spare);
    return spare;
  }
  // One bucket a code, or a power of two of them.
  const auto codes = static_cast<int64_t>((high >> low_bits) - (low >> low_bits)) + 1;
  int shift = low_bits;
  if (codes > 2 * n) shift += std::bit_width(static_cast<uint64_t>(codes * kBucketSize / n));
  const Key first = low >> shift;
  const auto buckets = static_cast<int64_t>((high >> shift) - first) + 1;
  start_.assign(buckets + 1, 0);
  uint32_t* start = start_.data();
  for (int64_t i = 0; i < n; ++i) ++start[(keys[i] >> shift) - first + 1];
  for (int64_t b = 1; b <= buckets; ++b) start[b] += start[b - 1];
  for (int64_t i = 0; i < n; ++i) spare[start[(keys[i] >> shift) - first]++] = keys[i];
  if (shift == low_bits) return spare;
  rank_buckets(spare, start, buckets, keys);  // start[b] is now the end of bucket b
  return keys;
}

template class KeySorter<uint32_t>;
template class KeySorter<uint64_t>;

}  // namespace hedgerow

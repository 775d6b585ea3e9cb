#include "forest/count_scan.hpp"

#include <limits>

#include "common/simd.hpp"

namespace hedgerow {
namespace {

template <class Key>
HEDGEROW_INLINE KeysBeside<Key> beside(const Key* keys, int64_t n, Key bound) {
  Key rows = 0, below = 0, above = std::numeric_limits<Key>::max();
  for (int64_t i = 0; i < n; ++i) {
    const Key key = keys[i], left = key < bound ? ~Key{0} : Key{0};
    rows += left & 1;
    below = (key & left) > below ? key & left : below;
    above = (key | left) < above ? key | left : above;
  }
  return {static_cast<int64_t>(rows), below, above};
}

}  // namespace

HEDGEROW_CLONES
KeysBeside<uint32_t> find_beside(const uint32_t* keys, int64_t n, uint32_t bound) {
  return beside(keys, n, bound);
}
HEDGEROW_CLONES
KeysBeside<uint64_t> find_beside(const uint64_t* keys, int64_t n, uint64_t bound) {
  return beside(keys, n, bound);
}

// As largest_score: asked multiplied out first, divided only where the answer is yes.
HEDGEROW_CLONES
double largest_ratio(const double* left, const double* right, const double* weight, int64_t n, double total,
                     double best) {
  constexpr int kWide = 8;
  double excess[kWide] = {};
  int64_t i = 0;
  for (; i + kWide <= n; i += kWide)
    for (int lane = 0; lane < kWide; ++lane) {
      const double w = weight[i + lane], rest = total - w;
      const double more = left[i + lane] * rest + right[i + lane] * w - best * (w * rest);
      excess[lane] = more > excess[lane] ? more : excess[lane];
    }
  bool any = !(best > -1e300);
  for (; i < n; ++i) {
    const double w = weight[i], rest = total - w;
    any |= left[i] * rest + right[i] * w - best * (w * rest) > 0;
  }
  for (int lane = 0; lane < kWide; ++lane) any |= excess[lane] > 0;
  if (!any) return best;
  for (i = 0; i < n; ++i) {
    const double ratio = left[i] / weight[i] + right[i] / (total - weight[i]);
    best = ratio > best ? ratio : best;
  }
  return best;
}

}  // namespace hedgerow

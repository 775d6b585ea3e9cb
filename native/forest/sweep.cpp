#include "forest/sweep.hpp"

#include <algorithm>
#include <cmath>

#include "common/simd.hpp"

namespace hedgerow {
namespace {

struct Targets {
  int64_t* bucket;
  double *weight, *left, *right, *most_left, *most_right;
};

template <int Width>
HEDGEROW_INLINE int64_t sweep(uint32_t* counts, int64_t buckets, const uint32_t* node, const Targets& out) {
  uint32_t left[Width], whole[Width];
  for (int k = 0; k < Width; ++k) left[k] = whole[k] = node[k];
  for (int64_t b = 0; b < buckets; ++b)
    for (int k = 0; k < Width; ++k) left[k] -= counts[b * Width + k];
  int64_t m = 0, weight = 0;
  for (int k = 0; k < Width; ++k) weight += left[k];
  for (int64_t b = 0; b < buckets; ++b, counts += Width) {
    uint32_t inside = 0, most_left = 0, most_right = 0;
    uint64_t squares = 0, right = 0;
    HEDGEROW_WIDE_LOOP
    for (int k = 0; k < Width; ++k) {
      const uint32_t here = counts[k], before = left[k], after = whole[k] - before - here;
      const uint32_t mask = here ? ~0u : 0u;
      squares += static_cast<uint64_t>(before) * before;
      right += static_cast<uint64_t>(whole[k] - before) * (whole[k] - before);
      most_left = std::max(most_left, before & mask);
      most_right = std::max(most_right, after & mask);
      inside += here;
      counts[k] = before;
      left[k] = before + here;
    }
    out.bucket[m] = b;
    out.weight[m] = static_cast<double>(weight);
    out.left[m] = static_cast<double>(static_cast<int64_t>(squares));
    out.right[m] = static_cast<double>(static_cast<int64_t>(right));
    out.most_left[m] = most_left;
    out.most_right[m] = most_right;
    weight += inside;
    m += inside != 0;
  }
  uint64_t squares = 0;
  for (int k = 0; k < Width; ++k) squares += static_cast<uint64_t>(left[k]) * left[k];
  out.bucket[m] = buckets;
  out.weight[m] = static_cast<double>(weight);
  out.left[m] = static_cast<double>(static_cast<int64_t>(squares));
  out.right[m] = 0;
  return m;
}

HEDGEROW_CLONES
int64_t sweep_4(uint32_t* counts, int64_t buckets, const uint32_t* whole, const Targets& out) {
  return sweep<4>(counts, buckets, whole, out);
}
HEDGEROW_CLONES
int64_t sweep_8(uint32_t* counts, int64_t buckets, const uint32_t* whole, const Targets& out) {
  return sweep<8>(counts, buckets, whole, out);
}
HEDGEROW_CLONES
int64_t sweep_16(uint32_t* counts, int64_t buckets, const uint32_t* whole, const Targets& out) {
  return sweep<16>(counts, buckets, whole, out);
}
HEDGEROW_CLONES
int64_t sweep_32(uint32_t* counts, int64_t buckets, const uint32_t* whole, const Targets& out) {
  return sweep<32>(counts, buckets, whole, out);
}

// Weights are whole. A side without rows has no squares: any weight but zero will do.
HEDGEROW_CLONES
void bound(const double* weight, const double* left, const double* right, const double* most_left,
           const double* most_right, int64_t n, double total, double best, double* excess) {
  for (int64_t i = 0; i < n; ++i) {
    const double before = weight[i], after = weight[i + 1], u = after - before;
    const double rest = total - after, some_rest = rest > 1.0 ? rest : 1.0;
    const double some_before = before > 1.0 ? before : 1.0, rest_and_u = total - before;
    const double all_left = left[i] + 2 * most_left[i] * u + u * u;
    const double all_right = right[i + 1] + 2 * most_right[i] * u + u * u;
    const double one = all_left * some_rest + right[i + 1] * after - best * (after * some_rest);
    const double other = left[i] * rest_and_u + all_right * some_before - best * (some_before * rest_and_u);
    excess[i] = one > other ? one : other;
  }
}

}  // namespace

void Swept::make_room(int64_t buckets) {
  const auto room = static_cast<size_t>(buckets) + 1;
  if (bucket.size() >= room) return;
  bucket.resize(room);
  for (auto* values : {&weight, &left, &right, &most_left, &most_right, &excess}) values->resize(room);
}

void sweep_classes(uint32_t* counts, int64_t buckets, int width, const uint32_t* whole, Swept& out) {
  out.make_room(buckets);
  const Targets to{out.bucket.data(), out.weight.data(),    out.left.data(),
                   out.right.data(),  out.most_left.data(), out.most_right.data()};
  const auto go = width == 4 ? sweep_4 : width == 8 ? sweep_8 : width == 16 ? sweep_16 : sweep_32;
  out.size = go(counts, buckets, whole, to);
}

void bound_within(Swept& swept, double total, double best) {
  const double below = best - std::abs(best) * 4e-15;  // more than rounding can do
  bound(swept.weight.data(), swept.left.data(), swept.right.data(), swept.most_left.data(),
        swept.most_right.data(), swept.size, total, below, swept.excess.data());
}

}  // namespace hedgerow

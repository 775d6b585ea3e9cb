#include "forest/draws.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "common/random.hpp"

namespace hedgerow {
namespace {

constexpr uint64_t kForDrawing = 0xa0761d6478bd642full;  // so that drawing and growing share no numbers
constexpr uint64_t kForGrowing = 0xe7037ed1a0b428dbull;

void bootstrap(const DrawPlan& plan, Random random, uint32_t* counts) {
  if (!plan.line) {
    const auto n = static_cast<double>(plan.n_order);
    for (int64_t i = 0; i < plan.size; ++i) ++counts[plan.order[static_cast<int64_t>(random.unit() * n)]];
    return;
  }
  const double* end = plan.line + plan.n_order;
  const double total = end[-1];
  for (int64_t i = 0; i < plan.size; ++i) {
    const double* stretch = std::upper_bound(plan.line, end, random.unit() * total);
    ++counts[plan.order[std::min(stretch - plan.line, plan.n_order - 1)]];
  }
}

// One row after the other: taken with the chance that as many as still wanted come out of those that are
// left.
void subsample(const DrawPlan& plan, Random random, uint32_t* counts) {
  auto left = static_cast<double>(plan.n_order), wanted = static_cast<double>(plan.size);
  for (int64_t k = 0; k < plan.n_order && wanted > 0; ++k, left -= 1)
    if (random.unit() * left < wanted) {
      counts[plan.order[k]] = 1;
      wanted -= 1;
    }
}

template <class T>
void hash_column(uint64_t* hashes, const T* column, int64_t stride, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(column[i * stride]);
    const double same =
        x != x ? std::numeric_limits<double>::quiet_NaN() : x + 0.0;  // -0 and 0 are one number
    hashes[i] = mix(hashes[i] ^ std::bit_cast<uint64_t>(same));
  }
}

}  // namespace

void draw_counts(const DrawPlan& plan, int64_t tree, uint32_t* counts) {
  std::fill_n(counts, plan.n_rows, 0u);
  const Random random(mix(mix(plan.seed ^ kForDrawing) + static_cast<uint64_t>(tree)));
  if (plan.how == How::kAll)
    for (int64_t k = 0; k < plan.n_order; ++k) counts[plan.order[k]] = 1;
  else if (plan.how == How::kBootstrap)
    bootstrap(plan, random, counts);
  else
    subsample(plan, random, counts);
}

uint64_t tree_seed(uint64_t seed, int64_t tree) {
  return mix(mix(seed ^ kForGrowing) + static_cast<uint64_t>(tree));
}

void hash_more(uint64_t* hashes, const uint64_t* words, int64_t n) {
  for (int64_t i = 0; i < n; ++i) hashes[i] = mix(hashes[i] ^ words[i]);
}

void hash_numbers(uint64_t* hashes, const float* column, int64_t stride, int64_t n) {
  hash_column(hashes, column, stride, n);
}
void hash_numbers(uint64_t* hashes, const double* column, int64_t stride, int64_t n) {
  hash_column(hashes, column, stride, n);
}

}  // namespace hedgerow

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

uint64_t bits_of(double x) {
  const double same = x != x ? std::numeric_limits<double>::quiet_NaN() : x + 0.0;  // -0 and 0 are one number
  return std::bit_cast<uint64_t>(same);
}

template <class T>
void hash_column(uint64_t* hashes, const T* column, int64_t stride, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    hashes[i] = mix(hashes[i] ^ bits_of(static_cast<double>(column[i * stride])));
}

uint64_t with_nonzero(uint64_t hash, double x, int64_t place) {
  return x == 0 ? hash : mix(hash ^ mix(bits_of(x) + static_cast<uint64_t>(place)));
}

template <class T>
void hash_nonzero_of(uint64_t* hashes, const T* column, int64_t stride, int64_t n, int64_t place) {
  for (int64_t i = 0; i < n; ++i)
    hashes[i] = with_nonzero(hashes[i], static_cast<double>(column[i * stride]), place);
}

}  // namespace

void hash_nonzero(uint64_t* hashes, const float* column, int64_t stride, int64_t n, int64_t place) {
  hash_nonzero_of(hashes, column, stride, n, place);
}
void hash_nonzero(uint64_t* hashes, const double* column, int64_t stride, int64_t n, int64_t place) {
  hash_nonzero_of(hashes, column, stride, n, place);
}

template <class T>
void hash_entries(const int64_t* start, const int32_t* column, const T* values, int64_t n_rows,
                  int64_t n_columns, uint64_t* hashes) {
  constexpr int64_t kRows = 8;  // side by side: each step of a hash waits for the one before
  std::vector<uint64_t> cells(n_columns > kWide ? 0 : kRows * n_columns, 0);
  for (int64_t begin = 0; begin < n_rows; begin += kRows) {
    const int64_t end = std::min(n_rows, begin + kRows);
    uint64_t hash[kRows] = {};
    if (n_columns > kWide) {
      for (int64_t i = begin; i < end; ++i)
        for (int64_t e = start[i]; e < start[i + 1]; ++e)
          hash[i - begin] = with_nonzero(hash[i - begin], static_cast<double>(values[e]), column[e]);
    } else {
      for (int64_t i = begin; i < end; ++i)
        for (int64_t e = start[i]; e < start[i + 1]; ++e)
          cells[column[e] * kRows + i - begin] = bits_of(static_cast<double>(values[e]));
      for (int64_t j = 0; j < n_columns; ++j)
        for (int64_t k = 0; k < kRows; ++k) hash[k] = mix(hash[k] ^ cells[j * kRows + k]);
      for (int64_t e = start[begin]; e < start[end]; ++e)
        for (int64_t k = 0; k < kRows; ++k) cells[column[e] * kRows + k] = 0;
    }
    std::copy(hash, hash + (end - begin), hashes + begin);
  }
}

template void hash_entries(const int64_t*, const int32_t*, const float*, int64_t, int64_t, uint64_t*);
template void hash_entries(const int64_t*, const int32_t*, const double*, int64_t, int64_t, uint64_t*);

void draw_counts(const DrawPlan& plan, int64_t tree, uint32_t* counts) {
  std::fill_n(counts, plan.n_rows, 0u);
  const Random random = drawing(plan.seed, tree);
  if (plan.how == How::kAll)
    for (int64_t k = 0; k < plan.n_order; ++k) counts[plan.order[k]] = 1;
  else if (plan.how == How::kGiven)
    std::copy_n(plan.order, plan.n_rows, counts);
  else if (plan.how == How::kBootstrap)
    bootstrap(plan, random, counts);
  else
    subsample(plan, random, counts);
}

Random drawing(uint64_t seed, int64_t tree) {
  return Random(mix(mix(seed ^ kForDrawing) + static_cast<uint64_t>(tree)));
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

#include "forest/random_scan.hpp"

#include <bit>

#include "common/simd.hpp"
#include "forest/above.hpp"
#include "grow/grid.hpp"

namespace hedgerow {

namespace {

template <class Code>
HEDGEROW_INLINE std::pair<Code, Code> range_of(const Code* codes, int64_t n) {
  Code low = codes[0], high = codes[0];
  for (int64_t i = 1; i < n; ++i) {
    low = codes[i] < low ? codes[i] : low;
    high = codes[i] > high ? codes[i] : high;
  }
  return {low, high};
}

template <class Code>
HEDGEROW_INLINE PairBelow pair_below(const Code* codes, const uint32_t* tags, int64_t n, uint32_t last,
                                     TagLayout tag) {
  uint32_t rows = 0, weight = 0, ones = 0;
  const uint32_t counts = (1u << tag.count_bits) - 1;
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t taken = codes[i] <= last ? ~0u : 0u, count = tags[i] & counts & taken;
    rows += taken & 1u;
    weight += count;
    ones += tags[i] > counts ? count : 0u;
  }
  return {rows, weight, ones};
}

template <class Code>
int64_t take_tags_above(const Code* codes, const uint32_t* tags, int64_t n, uint32_t last, TagLayout tag,
                        uint32_t* above, std::vector<double>& moments) {
  int64_t taken = 0;
  for (int64_t i = 0; i < n; ++i) {
    above[taken] = tags[i];
    taken += codes[i] > last;
  }
  for (int64_t i = 0; i < taken; ++i) moments[above[i] >> tag.count_bits] -= tag.count(above[i]);
  return n - taken;
}

}  // namespace

HEDGEROW_CLONES
std::pair<uint32_t, uint32_t> find_range(const uint8_t* codes, int64_t n) { return range_of(codes, n); }
HEDGEROW_CLONES
std::pair<uint32_t, uint32_t> find_range(const uint32_t* codes, int64_t n) { return range_of(codes, n); }
HEDGEROW_CLONES
std::pair<uint64_t, uint64_t> find_range(const uint64_t* codes, int64_t n) { return range_of(codes, n); }

template <class Key>
int64_t keys_above(const uint8_t* codes, const uint64_t* rows, int64_t n, uint32_t last, int tag_bits,
                   Key* to) {
  constexpr int64_t kWord = 64;
  int64_t taken = 0;
  for (int64_t first = 0; first < n; first += kWord) {
    uint64_t above = 0;
    for (int64_t at = 0; at < kWord; at += kCodeLanes)
      above |= static_cast<uint64_t>(above_lanes(codes + first + at, last)) << at;
    if (n - first < kWord) above &= (uint64_t{1} << (n - first)) - 1;
    for (; above; above &= above - 1) {
      const int64_t i = first + std::countr_zero(above);
      to[taken++] = static_cast<Key>(codes[i]) << tag_bits | static_cast<Key>(rows[i] >> 32);
    }
  }
  return taken;
}

template int64_t keys_above(const uint8_t*, const uint64_t*, int64_t, uint32_t, int, uint32_t*);
template int64_t keys_above(const uint8_t*, const uint64_t*, int64_t, uint32_t, int, uint64_t*);

HEDGEROW_CLONES
PairBelow count_pair_below(const uint8_t* codes, const uint32_t* tags, int64_t n, uint32_t last,
                           TagLayout tag) {
  return pair_below(codes, tags, n, last, tag);
}
HEDGEROW_CLONES
PairBelow count_pair_below(const uint32_t* codes, const uint32_t* tags, int64_t n, uint32_t last,
                           TagLayout tag) {
  return pair_below(codes, tags, n, last, tag);
}

int64_t take_above(const uint8_t* codes, const uint32_t* tags, int64_t n, uint32_t last, TagLayout tag,
                   uint32_t* above, std::vector<double>& moments) {
  return take_tags_above(codes, tags, n, last, tag, above, moments);
}
int64_t take_above(const uint32_t* codes, const uint32_t* tags, int64_t n, uint32_t last, TagLayout tag,
                   uint32_t* above, std::vector<double>& moments) {
  return take_tags_above(codes, tags, n, last, tag, above, moments);
}

// Eight sums side by side: one alone waits for itself.
HEDGEROW_CLONES
SumBelow sum_below(const uint32_t* codes, const double* target, const double* weight, double centre,
                   double grid, int64_t n, uint32_t last) {
  constexpr int64_t kLanes = 8;
  double weights[kLanes] = {}, sums[kLanes] = {};
  int64_t rows = 0;
  auto add = [&](int64_t i, int64_t lane) {
    const double taken = codes[i] <= last ? (weight ? weight[i] : 1.0) : 0.0;
    rows += codes[i] <= last;
    weights[lane] += taken;
    sums[lane] += round_to_grid(taken * (target[i] - centre), grid);
  };
  const int64_t whole = n / kLanes * kLanes;
  for (int64_t i = 0; i < whole; i += kLanes)
    for (int64_t lane = 0; lane < kLanes; ++lane) add(i + lane, lane);
  for (int64_t i = whole; i < n; ++i) add(i, i - whole);
  SumBelow all{rows, 0, 0};
  for (int64_t lane = 0; lane < kLanes; ++lane) {
    all.weight += weights[lane];
    all.sum += sums[lane];
  }
  return all;
}

}  // namespace hedgerow

#include "forest/random_scan.hpp"

#include "common/simd.hpp"

namespace hedgerow {

HEDGEROW_CLONES
PairBelow count_pair_below(const uint32_t* codes, const uint32_t* tags, int64_t n, uint32_t last,
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

int64_t count_below(const uint32_t* codes, const uint32_t* tags, int64_t n, uint32_t last, TagLayout tag,
                    std::vector<uint32_t>& scratch, std::vector<double>& left) {
  const size_t classes = left.size();
  scratch.assign(4 * classes, 0);  // [second | first], in turn, so that one sum does not wait for the other
  uint32_t* sums = scratch.data();
  const size_t other = 2 * classes;
  int64_t rows = 0;
  for (int64_t i = 0; i < n; ++i) {
    const size_t below = codes[i] <= last;
    sums[2 * size_t{tags[i] >> tag.count_bits} + below + (i & 1 ? other : 0)] += tag.count(tags[i]);
    rows += static_cast<int64_t>(below);
  }
  for (size_t k = 0; k < classes; ++k)
    left[k] = static_cast<double>(sums[2 * k + 1]) + static_cast<double>(sums[other + 2 * k + 1]);
  return rows;
}

// Eight sums side by side: one alone waits for itself.
HEDGEROW_CLONES
SumBelow sum_below(const uint32_t* codes, const double* target, const double* weight, double centre,
                   int64_t n, uint32_t last) {
  constexpr int64_t kLanes = 8;
  double weights[kLanes] = {}, sums[kLanes] = {};
  int64_t rows = 0;
  auto add = [&](int64_t i, int64_t lane) {
    const double taken = codes[i] <= last ? (weight ? weight[i] : 1.0) : 0.0;
    rows += codes[i] <= last;
    weights[lane] += taken;
    sums[lane] += taken * (target[i] - centre);
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

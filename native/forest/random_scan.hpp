// What is on the left of a random threshold, in no order.
//
// In: the codes of a node's rows in one column, the last code that goes left; for classes of whole weight the
// rows' tags (count_scan.hpp), for numbers their target.
#pragma once

#include "common/random.hpp"
#include "forest/count_scan.hpp"

namespace hedgerow {

inline uint64_t threshold_bits(uint64_t node_key, int32_t column) {
  return Random(mix(node_key ^ (0xd1342543de82ef95ull * static_cast<uint64_t>(column + 1)))).bits();
}

// The random threshold of a column in a node, at least the lowest value and below the highest. False: there
// is none, the column is constant.
inline bool draw_between(uint64_t node_key, int32_t column, double low, double high, double& threshold) {
  if (!(high > low)) return false;
  threshold = low + unit_of(threshold_bits(node_key, column)) * (high - low);
  if (threshold >= high) threshold = low;
  return true;
}

struct PairBelow {
  uint32_t rows, weight, ones;  // rows on the left, their weight, that of the second class
};

PairBelow count_pair_below(const uint32_t* codes, const uint32_t* tags, int64_t n, uint32_t last,
                           TagLayout tag);

// Any number of classes: their weights on the left. `scratch` is kept between calls.
int64_t count_below(const uint32_t* codes, const uint32_t* tags, int64_t n, uint32_t last, TagLayout tag,
                    std::vector<uint32_t>& scratch, std::vector<double>& left);

struct SumBelow {
  int64_t rows;
  double weight, sum;  // of the weights, of weight x (target - centre)
};

// `weight` may be null: all one.
SumBelow sum_below(const uint32_t* codes, const double* target, const double* weight, double centre,
                   int64_t n, uint32_t last);

}  // namespace hedgerow

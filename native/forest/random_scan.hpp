// What is on the left of a random threshold, in no order.
//
// In: the codes of a node's rows in one column, the last code that goes left; for classes of whole weight the
// rows' tags (count_scan.hpp), for numbers their target.
#pragma once

#include <utility>

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

// The lowest and the highest, of codes or of keys.
std::pair<uint32_t, uint32_t> find_range(const uint8_t* codes, int64_t n);
std::pair<uint32_t, uint32_t> find_range(const uint32_t* codes, int64_t n);
std::pair<uint64_t, uint64_t> find_range(const uint64_t* codes, int64_t n);

// The keys (count_scan.hpp) of the rows whose code is above `last`, in their order; how many. `rows` are [tag
// | row]. Codes up to a multiple of 64 are read.
template <class Key>
int64_t keys_above(const uint8_t* codes, const uint64_t* rows, int64_t n, uint32_t last, int tag_bits,
                   Key* to);

struct PairBelow {
  uint32_t rows, weight, ones;  // rows on the left, their weight, that of the second class
};

PairBelow count_pair_below(const uint8_t* codes, const uint32_t* tags, int64_t n, uint32_t last,
                           TagLayout tag);
PairBelow count_pair_below(const uint32_t* codes, const uint32_t* tags, int64_t n, uint32_t last,
                           TagLayout tag);

// Any number of classes: `moments`, the weights of the node's classes, become those on the left; the rows on
// the left. Rows on the right are picked out first and counted then: of pixels and of skewed numbers they are
// few. `above` has room for n.
int64_t take_above(const uint8_t* codes, const uint32_t* tags, int64_t n, uint32_t last, TagLayout tag,
                   uint32_t* above, std::vector<double>& moments);
int64_t take_above(const uint32_t* codes, const uint32_t* tags, int64_t n, uint32_t last, TagLayout tag,
                   uint32_t* above, std::vector<double>& moments);

struct SumBelow {
  int64_t rows;
  double weight, sum;  // of the weights, of weight x (target - centre)
};

// `weight` may be null: all one.
SumBelow sum_below(const uint32_t* codes, const double* target, const double* weight, double centre,
                   double grid, int64_t n, uint32_t last);

}  // namespace hedgerow

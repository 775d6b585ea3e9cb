// What is on the left of a random threshold, in no order.
//
// In: the codes of a node's rows in one column, the last code that goes left; for classes of whole weight the
// rows' tags (count_scan.hpp), for numbers their target.
#pragma once

#include "forest/count_scan.hpp"

namespace hedgerow {

struct PairBelow {
  uint32_t rows, weight, ones;  // rows on the left, their weight, that of the second class
};

PairBelow count_pair_below(const uint32_t* codes, const uint32_t* tags, int64_t n, uint32_t last,
                           TagLayout tag);

// Any number of classes: their weights on the left. `scratch` is kept between calls.
int64_t count_below(const uint32_t* codes, const uint32_t* tags, int64_t n, uint32_t last, TagLayout tag,
                    std::vector<uint32_t>& scratch, std::vector<double>& left);

struct SumBelow {
  double weight, sum;  // of the weights, of weight x (target - centre)
};

// `weight` may be null: all one.
SumBelow sum_below(const uint32_t* codes, const double* target, const double* weight, double centre,
                   int64_t n, uint32_t last);

}  // namespace hedgerow

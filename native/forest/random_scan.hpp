// What is on the left of a random threshold: whole weights, classes, no order.
//
// In: the codes of a node's rows in one column, their tags (count_scan.hpp), the last code that goes left.
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

}  // namespace hedgerow

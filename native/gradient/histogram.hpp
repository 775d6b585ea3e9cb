// Sums of words by bin, over a block of rows.
//
// In: the codes of a group of columns, the words of the rows.   Out: cells[column of the group][code] +=
// word. Whole numbers have no order: blocks may be summed by anyone, in any order.
#pragma once

#include "gradient/binned.hpp"

namespace hedgerow::gradient {

// `rows`: row numbers, or null for begin .. end - 1 themselves. `cells`: of this group, added to.
void add_to_histogram(const BinnedTable& table, const Group& group, const int64_t* words,
                      const uint32_t* rows, int64_t begin, int64_t end, int64_t* cells);

// The usual cells of a sparse group, from the sum over all rows of the node.
void fill_usual(const BinnedTable& table, const Group& group, int64_t total, int64_t* cells);

// larger = parent - smaller, in the parent's place.
void subtract_histogram(int64_t* parent, const int64_t* smaller, int64_t n);

}  // namespace hedgerow::gradient

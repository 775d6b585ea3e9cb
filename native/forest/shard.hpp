// Some rows of a table whose other rows lie elsewhere: what a tree draws of them, and their counts by code.
//
// In: the place of each row among all rows that may be drawn (draws.hpp).   Out: the counts that draw_counts
// gives these rows; sums that add up over all parts of the table.
#pragma once

#include "forest/draws.hpp"
#include "grow/grow.hpp"

namespace hedgerow {

struct PlacePlan {
  How how = How::kAll;
  int64_t n_order = 0, size = 0;  // rows that may be drawn, all parts together; draws a tree
  double line_end = 0;            // the length of the line; 0: all stretches are of length one
  uint64_t seed = 0;
  const int64_t* place = nullptr;                 // ascending, of each row here; not looked at for kAll
  const double *begin = nullptr, *end = nullptr;  // its stretch, where there is a line
  int64_t n = 0;
};

// `counts` has n entries.
void draw_counts_of_places(const PlacePlan& plan, int64_t tree, uint32_t* counts);

// Of the rows at `rows`: cells[code x (classes + 1) + class] the weight, and in the last one the rows.
void count_codes(const CodeColumn& column, const uint32_t* rows, int64_t n, const int32_t* classes,
                 const uint32_t* counts, int n_classes, int64_t* cells);

}  // namespace hedgerow

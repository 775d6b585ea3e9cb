// Some rows of a table whose other rows lie elsewhere: what a tree draws of them, their sums by code; and the
// best split of a column from the sums of all parts of the table.
//
// In: the place of each row among all rows that may be drawn (draws.hpp).   Out: the counts that draw_counts
// gives these rows; sums that add up over all parts, exactly: weights are whole, or on a grid (grid.hpp).
#pragma once

#include <vector>

#include "forest/draws.hpp"
#include "grow/criterion_table.hpp"
#include "grow/grow.hpp"
#include "grow/node.hpp"

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
                 const double* weight, int n_classes, double* cells);

// Numbers: cells[code x kNumberCell ...] weight, rows, sum of the node's terms, lowest and highest target.
inline constexpr int kNumberCell = 5;
void sum_codes(const CodeColumn& column, const uint32_t* rows, int64_t n, const double* target,
               const double* weight, const NodeStats& node, double* cells);

// A column of a node: the cells of all its rows.
struct CellColumn {
  const double* cells = nullptr;  // as above, missing cells last
  int64_t n_codes = 0;
  int32_t n_levels = 0;
  const double* values = nullptr;  // numbers, random splits: the value of each code
};

struct CellSplit {
  double gain = -kInfinity;    // of the best there is; -infinity: there is none
  int64_t last_code = -1;      // numbers: of those up to the threshold; -1: missing cells against all others
  std::vector<uint8_t> first;  // by code: whether it goes to the first child
};

// The split that growers find of the rows that have these cells. `node`: weight, moments and so on; its rows
// are not looked at. `key`: of the node; `number`: of the column.
CellSplit split_of_cells(const CellColumn& column, const NodeStats& node, const CriterionEntry& criterion,
                         const MomentContext& context, const Limits& limits, uint64_t key, int32_t number,
                         Stop& stop);

}  // namespace hedgerow

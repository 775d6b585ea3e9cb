// Sums of trees for many rows: 64 at a time, by masks.
//
// The rows' cells become codes once: the number of the model's own thresholds of that column below the value.
// Codes of 64 rows of a column stand side by side, so that a node asks all of them in a few wide steps. The
// rows of a child are the parent's and (or and not) the answers:
//
//     rows of the node  1 0 1 1      code <= index  1 1 0 1      left  1 0 0 1      right  0 0 1 0
//
// Leaves are numbered from left to right: a row's leaf is the sum of the leaves that it passes on its left,
// those of the left child wherever it goes right. Leaves themselves are never visited.
//
// A row is summed by one thread in the order of the trees: the same bits as walking them one by one.
#pragma once

#include <vector>

#include "common/thread_team.hpp"
#include "walk/walk.hpp"

namespace hedgerow::gradient {

constexpr uint8_t kMissingCode = 255;
constexpr int kMostThresholds = 254;  // of a column
constexpr int kEdges = 384;           // as they are stored: infinity after the last
constexpr int kCells = 256;

// No leaf. Places are in bytes, a block of 64 rows each, and a code stands in all four bytes of its word: as
// the wide steps read them.
struct CodeNode {
  uint32_t place;  // of the codes it asks, two blocks a column; the second: a missing cell goes left
  uint16_t
      left;  // rows of its children, by their numbers among the tree's nodes; of a leaf, after all of them
  uint16_t right;
  uint32_t index;   // codes up to it go left; of a set of levels its number
  uint32_t n_left;  // leaves below the left child
};
static_assert(sizeof(CodeNode) == 16);
constexpr uint32_t kSubset = 1;  // a bit of the place

// Where to look for a number among the thresholds of its column: the range of the thresholds is cut into
// equal cells, and `first` is the number of thresholds in the cells before. Within a cell few are left to
// halve.
struct ColumnCells {
  double low, scale;
  int32_t n_halvings;
  int32_t unused;
  uint8_t first[kCells];
};
static_assert(sizeof(ColumnCells) == 280);

struct CodeTrees {
  const CodeNode* nodes = nullptr;      // parents before children
  const int64_t* start = nullptr;       // first node of each tree, and the end
  const double* value = nullptr;        // of the leaves, from left to right
  const int64_t* leaf_start = nullptr;  // first leaf of each tree
  const int32_t* output = nullptr;
  int64_t n_trees = 0;
  const uint8_t* goes_left = nullptr;  // of each subset 256 codes: 255 or 0
  const int32_t* column = nullptr;     // those that are asked about
  const int32_t* n_levels = nullptr;   // of each; 0: a number
  const double* edges = nullptr;       // kEdges for each: its thresholds, rising, then infinity
  const ColumnCells* cells = nullptr;
  int64_t n_asked = 0;
};

// Of one column's edges.
ColumnCells find_cells(const double* edges);

// out: rows x outputs, added to.
void add_trees_in_blocks(const CodeTrees& trees, const Matrix& rows, int n_outputs, double* out,
                         ThreadTeam& team);

}  // namespace hedgerow::gradient

// Sums of trees for many rows: 64 at a time, by masks.
//
// The rows' cells become codes once: the number of the model's own thresholds of that column below the value.
// Codes of 64 rows of a column stand side by side, so that a node asks all of them in a few wide steps. The
// rows of a child are the parent's and (or and not) the answers:
//
//     rows of the node  1 0 1 1      code <= index  1 1 0 1      left  1 0 0 1      right  0 0 1 0
//
// A row is summed by one thread in the order of the trees: the same bits as walking them one by one.
#pragma once

#include <vector>

#include "common/thread_team.hpp"
#include "walk/walk.hpp"

namespace hedgerow::gradient {

constexpr uint8_t kMissingCode = 255;
constexpr int kMostLeaves = 256;  // of a tree

struct CodeNode {
  double value;
  int64_t subset;  // its number; -1: a threshold
  int32_t child;   // first child, counted from the tree's root; -1: a leaf
  int32_t place;   // of the column among those that are asked about
  uint8_t index;   // codes up to it go left
  uint8_t shift;   // 1: a missing cell goes left. 255 + 1 wraps to 0, which is at most anything
  uint8_t unused[6];
};
static_assert(sizeof(CodeNode) == 32);

struct CodeTrees {
  const CodeNode* nodes = nullptr;
  const int64_t* start = nullptr;  // first node of each tree, and the end
  const int32_t* output = nullptr;
  int64_t n_trees = 0;
  const uint8_t* goes_left = nullptr;  // of each subset 256 codes: 255 or 0
  const int32_t* column = nullptr;     // those that are asked about
  const int32_t* n_levels = nullptr;   // of each; 0: a number
  const double* edges = nullptr;       // 256 for each: its thresholds, rising, then infinity
  int64_t n_asked = 0;
};

// out: rows x outputs, added to.
void add_trees_in_blocks(const CodeTrees& trees, const Matrix& rows, int n_outputs, double* out,
                         ThreadTeam& team);

}  // namespace hedgerow::gradient

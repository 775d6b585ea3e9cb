// One tree of gradient boosting.
//
// In: binned columns, words of gradient and hessian.   Out: nodes, and the rows sorted by leaf.
// Three stages over blocks of rows, each its own function: add_to_histogram, choose_split, part_rows.
// Histograms are made of the smaller child; the larger's is the parent's less that.
#pragma once

#include <memory>
#include <new>

#include "common/thread_team.hpp"
#include "gradient/binned.hpp"
#include "gradient/choose.hpp"
#include "gradient/quantise.hpp"

namespace hedgerow::gradient {

struct GrowOptions {
  SplitOptions split;
  int64_t max_leaves = 31;                         // 0: no limit
  int32_t max_depth = 0;                           // 0: no limit
  bool level_by_level = false;                     // else the leaf with the largest gain first
  int32_t max_features = 0;                        // columns drawn at each node; 0: all
  const uint8_t* used_columns = nullptr;           // of this tree, or null for all
  std::vector<std::vector<int32_t>> interactions;  // columns that may meet in a branch; none: all
  uint64_t seed = 0;
  int64_t block_rows = 1 << 16;  // the answer does not depend on it
};

struct GradientTree {  // parents before children, siblings next to each other, left first
  std::vector<int32_t> column, bin, first_child, depth;
  std::vector<uint8_t> categorical, missing_left;
  std::vector<uint64_t> levels;  // nodes x 4
  std::vector<double> gain;
  std::vector<double> value, hessian;  // of every node, before the learning rate (leaf_values.hpp)
  std::vector<double> low, high;       // bounds of its value and of all values below
  std::vector<int64_t> begin, n_rows;  // its rows in `rows`
  std::vector<uint32_t> rows;
};

// Memory that waits for the next node or the next tree of the same table: fresh memory costs more than a
// small node's sums.
struct FreeCells {
  void operator()(int64_t* cells) const { ::operator delete[](cells, std::align_val_t{64}); }
};
using Cells = std::unique_ptr<int64_t[], FreeCells>;
struct SpareMemory {
  int64_t n_cells = 0;  // of each histogram
  std::vector<Cells> cells;
  std::vector<int64_t> words;     // of gradient and hessian, a row each
  std::vector<uint32_t> parting;  // rows on their way to the right
  std::vector<uint8_t> written;   // codes of a sparse column
  SpareMemory() = default;
  SpareMemory(const SpareMemory&) = delete;
};

GradientTree grow_tree(const BinnedTable& table, const int64_t* words, const Units& units,
                       const uint32_t* rows, int64_t n, const GrowOptions& options, SpareMemory& spare,
                       ThreadTeam& team);

}  // namespace hedgerow::gradient

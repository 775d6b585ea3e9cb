// One random threshold of every column at once: the numbers of a subtree's rows, row after row.
//
//   values   [ a0 a1 a2 .. | b0 b1 b2 .. | ... ]   a row's cells side by side, padded to whole lanes
//   a node   lowest and highest of every column, a threshold each, sums of the rows that are not above it
//
// Trees of numbers look at all columns of small nodes: column by column, what a call costs is most of the
// work; eight columns at a time, a cell costs about one instruction. Nothing is put in order here, so that
// sums have the rows' order: gains are right up to rounding, and the grower puts the chosen column alone in
// order.
#pragma once

#include <vector>

#include "forest/blocks.hpp"
#include "grow/node.hpp"

namespace hedgerow {

class ValueRows {
 public:
  static constexpr int kLevels = Blocks::kLevels;

  ValueRows(const GrowInput& input, const Records& records);

  // Whether the rows of this level have their values here.
  bool has_level(int level) const { return level >= first_level_; }
  // Whether a column has: numbers without missing cells.
  bool has_column(int32_t column) const { return slot_[column] >= 0; }

  // The rows of a level, numbered anew: from their codes, a record each, or from the rows of a level above.
  void read(int level, const uint8_t* codes, int64_t n);
  void copy(int from, int level, const uint64_t* rows, int64_t n);

  struct Node {
    int level;
    const uint64_t* rows;
    const double *target, *weight;  // by place in the node; weight may be null: all one
    uint64_t key;
    const NodeStats& stats;
  };

  // The gain of the random threshold of each column (`gain`): NaN where it is constant, minus infinity
  // where a child is too small.
  void measure(const Node& node, const Limits& limits);
  double gain(int32_t column) const { return gain_[slot_[column]]; }
  double threshold(int32_t column) const { return threshold_[slot_[column]]; }
  double value(int level, uint64_t row, int32_t column) const {
    return values_[level][static_cast<int64_t>(static_cast<uint32_t>(row)) * stride_ + slot_[column]];
  }

 private:
  const GrowInput& input_;
  const Records& records_;
  int first_level_ = kLevels + 1;
  int64_t stride_ = 0;
  std::vector<int32_t> slot_, columns_;  // place of a column, -1: none; column of a place
  std::vector<double> values_[kLevels + 1];
  std::vector<uint64_t> bits_;
  std::vector<double> product_, low_, high_, threshold_, sum_, weight_, rows_, gain_;
};

}  // namespace hedgerow

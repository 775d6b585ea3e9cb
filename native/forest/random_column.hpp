// One random threshold of one column in a node: which rows are above it, and how many of each class.
//
//   rows      r0  r1  r2  r3 ... r63 | r64 ...     64 to a word
//   above      0   1   1   0           one bit a row: its code is above the threshold
//   class k    1   0   1   0           made once a node; bits that both have are counted
//
// No column is put in order, and nothing is looked up by class: a word of rows costs a few steps a class.
// Rows of whole weight, numbers without missing cells.
#pragma once

#include <cstdint>
#include <vector>

#include "forest/count_scan.hpp"

namespace hedgerow {

// The node's rows, [tag | row] each, and the bits of its classes.
class NodeClasses {
 public:
  // `moments`: the weights of the classes, at least one of them above zero.
  void enter(const uint64_t* rows, int64_t n, TagLayout tag, const double* moments, int n_classes);

  const uint64_t* rows() const { return rows_; }
  int64_t size() const { return n_; }
  int64_t words() const { return (n_ + 63) / 64; }
  int count_bits() const { return count_bits_; }
  const std::vector<int32_t>& present() const { return present_; }  // classes that the node has
  // By word: for each class, or all but the last where every row weighs one, a word for each bit of counts.
  const uint64_t* bits() const { return bits_.data(); }
  int bits_of_a_word() const { return stride_; }

 private:
  const uint64_t* rows_ = nullptr;
  int64_t n_ = 0;
  int count_bits_ = 1, stride_ = 0;
  std::vector<int32_t> present_, place_;  // place_: by class, its place among those present
  std::vector<uint64_t> bits_;
};

// Where a column's codes are: that of row r at base + r * stride.
struct CodeSource {
  int32_t column;
  const uint8_t* base;
  int64_t stride;
  int width;             // bytes of a code
  const double* values;  // by code; null: the codes are numbers (ordered.hpp)
};

struct RandomCut {
  bool constant = false;  // all codes are the same: nothing else is known then
  double threshold = 0;
  int64_t rows_above = 0;
  std::vector<uint64_t> above;   // a bit a row
  std::vector<uint32_t> counts;  // by place in present(): weight above the threshold
};

// Columns that are cut together: while the codes of one are on their way, others are asked for.
inline constexpr int kTogether = 4;

struct CodeScratch {
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> wide;
};

// Of each column the threshold that the node's key draws between its lowest and its highest value there. At
// most kTogether of them.
void cut_at_random(const NodeClasses& node, uint64_t key, const CodeSource* columns, int count,
                   CodeScratch& scratch, RandomCut* cuts);

}  // namespace hedgerow

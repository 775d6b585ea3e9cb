// Room that scans use again from column to column.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

#include "common/random.hpp"

namespace hedgerow {

inline constexpr int64_t kBlock = 1024;

template <class Number>
struct Block {
  std::array<Number, kBlock> sum, weight;
};

template <bool Counts>
using BlockOf = Block<std::conditional_t<Counts, int32_t, double>>;

struct ScanScratch {
  std::tuple<BlockOf<true>, BlockOf<false>> blocks;
  std::vector<double> left, right, missing;  // moments
};

// The levels of a category that are present in a node.
struct Groups {
  int64_t size = 0;
  std::vector<double> moments;  // size x n_moments
  std::vector<double> weight;
  std::vector<int64_t> rows;
  std::vector<int64_t> begin;  // size + 1 places in the list

  void clear() {
    size = 0;
    moments.clear();
    weight.clear();
    rows.clear();
    begin.clear();
  }
};

struct SubsetScratch {
  Groups groups;
  std::vector<int32_t> order, orders;  // of the groups; the moments that they are ordered by
  std::vector<double> key, left;
  std::vector<uint8_t> goes_left;  // by group: the answer

  void sort_by_key();  // fills `order`: groups by rising key, ties by number
};

// A random subset: each level present by the toss of a coin, at least one on each side. False: fewer than two
// levels.
bool draw_subset(Random& random, SubsetScratch& t);

}  // namespace hedgerow

// The best threshold of a column by Gini, from its sorted keys: whole weights, classes (count_scan.hpp).
//
//   keys   a a a b b c c c c d        one pass from the highest down: what is on the right of each threshold
//                <---------->         is known; what is on the left is the node's without it
//
// So nothing has to be known of rows of the lowest code, and they may be left out of the keys: most cells of
// pixels and of counts are zero. Sums are whole numbers: they have no order.
#pragma once

#include <array>
#include <vector>

#include "forest/count_scan.hpp"

namespace hedgerow {

// What is on the right of thresholds: sums of squares, of products with the node's counts, weights.
template <class Number>
struct RightSums {
  std::array<Number, kBlock> squares, products, weight;
  std::vector<Number> counts, whole;  // by class: on the right, in the node
};

class GiniScan {
 public:
  // `least`: rows that must be on either side, at least one. As in CountScan.
  template <class Key>
  double largest(const KeyRange<Key>& sorted, const NodeStats& node, TagLayout tag, int64_t least,
                 double floor);
  template <class Key>
  void locate(const KeyRange<Key>& sorted, const NodeStats& node, TagLayout tag, int64_t least, double gain,
              CountCut& cut);

 private:
  struct Pair;
  template <class Number>
  struct Many;
  template <class Key, class Sums>
  double largest_of(const KeyRange<Key>& sorted, TagLayout tag, int64_t least, Sums& sums, double best);
  template <class Key, class Sums>
  int64_t find(const KeyRange<Key>& sorted, TagLayout tag, int64_t least, Sums& sums, double wanted);
  template <class Work>
  auto with_sums(const NodeStats& node, TagLayout tag, Work work);

  RightSums<int32_t> small_;  // squares fit: nearly all nodes
  RightSums<double> large_;
  std::array<int32_t, kBlock> place_;
};

}  // namespace hedgerow

// The best threshold of a column whose rows have whole weights and classes: one pass over its sorted keys.
//
//   key = [code | class | how often drawn]
//
// Sums are whole numbers, so that they are exact in any order. As in scan.hpp, `largest` asks how good the
// best threshold is and `locate` for the first one that good.
#pragma once

#include <array>
#include <cmath>
#include <memory>

#include "grow/node.hpp"
#include "grow/score.hpp"
#include "grow/scratch.hpp"

namespace hedgerow {

struct TagLayout {
  int count_bits = 1, label_bits = 0;

  int bits() const { return count_bits + label_bits; }
  template <class Key>
  uint32_t count(Key key) const {
    return static_cast<uint32_t>(key) & ((1u << count_bits) - 1);
  }
  template <class Key>
  uint32_t label(Key key) const {
    return static_cast<uint32_t>(key >> count_bits) & ((1u << label_bits) - 1);
  }
};

// The keys of a node's rows in one column. Rows of the lowest code may be left out.
template <class Key>
struct KeyRange {
  const Key* keys;
  int64_t n;
  Key low, high;         // no key is below or above
  int64_t left_out = 0;  // rows
  uint32_t lowest = 0;   // their code
};

// The keys below a bound: how many; the largest of them, and the smallest of the others.
template <class Key>
struct KeysBeside {
  int64_t rows;
  Key below, above;
};
KeysBeside<uint32_t> find_beside(const uint32_t* keys, int64_t n, uint32_t bound);
KeysBeside<uint64_t> find_beside(const uint64_t* keys, int64_t n, uint64_t bound);

// Gini. Scans look for the largest merit of the two sides: the score of score.hpp where there are two
// classes, else the sum of what squares of counts are to the weight. Gains are measured from the node's.
inline double gain_of_merit(const NodeStats& node, double merit) {
  return node.moments.size() == 2 ? merit * (2.0 / node.weight) : merit - node.merit;
}
// What must be beaten for a gain above `floor`.
inline double merit_above(const NodeStats& node, double floor) {
  if (!(floor > -kInfinity)) return -1.0;
  return node.moments.size() == 2 ? floor / (2.0 / node.weight) : floor + node.merit;
}
// Just below that of a gain, or of one tied with it, so that whatever reaches it is above.
inline double merit_to_find(const NodeStats& node, double gain) {
  const double merit = merit_above(node, gain - node.tie());
  return merit - std::abs(merit) * 1e-15;
}

// The largest of left / weight + right / (total - weight), or `best`.
double largest_ratio(const double* left, const double* right, const double* weight, int64_t n, double total,
                     double best);

struct CountScratch {
  std::array<double, kBlock> left, right, mass;
  std::vector<int64_t> counts;  // of the classes on the left
  std::vector<double> rest;     // on the right
};

struct CountCut {
  int64_t position = 0;                  // rows on the left; 0: none found
  std::vector<double> left;              // their class weights
  uint32_t low_code = 0, high_code = 0;  // on both sides of the threshold
};

// What a grower asks of a criterion that sums terms of class counts (criterion.hpp: kSumsTerms) other than
// squares, which have scans of their own (gini_scan.hpp, bucket_scan.hpp). No key is left out.
class CountScan {
 public:
  virtual ~CountScan() = default;

  // The gain of the best threshold if it is more than `floor`; else minus infinity.
  virtual double largest(const uint32_t* keys, const NodeStats& node, TagLayout tag, double floor,
                         CountScratch& s) const = 0;
  virtual double largest(const uint64_t* keys, const NodeStats& node, TagLayout tag, double floor,
                         CountScratch& s) const = 0;
  // The first threshold with at least this gain.
  virtual void locate(const uint32_t* keys, const NodeStats& node, TagLayout tag, double gain,
                      CountScratch& s, CountCut& cut) const = 0;
  virtual void locate(const uint64_t* keys, const NodeStats& node, TagLayout tag, double gain,
                      CountScratch& s, CountCut& cut) const = 0;
};

}  // namespace hedgerow

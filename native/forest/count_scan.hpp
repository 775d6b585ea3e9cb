// The best threshold of a column whose rows have whole weights and classes: one pass over its sorted keys.
//
//   key = [code | class | how often drawn]
//
// Sums are whole numbers, so that they are exact in any order. As in scan.hpp, `largest` asks how good the
// best threshold is and `locate` for the first one that good.
#pragma once

#include <array>
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

// The largest of left / weight + right / (total - weight), or `best`.
double largest_ratio(const double* left, const double* right, const double* weight, int64_t n, double total,
                     double best);

struct CountScratch {
  std::array<int32_t, kBlock> sum, weight;
  std::array<double, kBlock> left, right, mass;
  std::vector<int64_t> counts;  // of the classes on the left
  std::vector<double> rest;     // on the right
};

struct CountCut {
  int64_t position = 0;                  // rows on the left; 0: none found
  std::vector<double> left;              // their class weights
  uint32_t low_code = 0, high_code = 0;  // on both sides of the threshold
};

// What a grower asks of a criterion that sums terms of class counts (criterion.hpp: kSumsTerms).
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

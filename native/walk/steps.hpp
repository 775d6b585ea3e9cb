// One step of a row: from a node to its child. A leaf leads to itself.
#pragma once

#include "walk/walk.hpp"

namespace hedgerow {

// NaN is neither <= nor >: it goes to the first child only where the node says so. 0: first child, 1: second.
// `Missing`: x may be NaN. A leaf's NaN or infinity is above nothing.
template <bool Missing, class T>
inline uint32_t second(T x, T threshold, uint32_t missing_first) {
  if constexpr (!Missing) return x > threshold;
  const uint32_t at_most = x <= threshold, above = x > threshold;
  return (at_most | ((above ^ 1u) & missing_first)) ^ 1u;
}

template <bool Subsets, bool Missing = true>
struct WideSteps {
  const WideNode* nodes;
  const uint64_t* words;

  // A row has cells by column: an array, or what reads like one.
  template <class Row>
  uint32_t next(uint32_t at, Row row, int64_t column_stride) const {
    const WideNode node = nodes[at];
    const auto x = static_cast<double>(row[static_cast<int64_t>(node.feature & 0x3fffffffu) * column_stride]);
    if constexpr (Subsets) {
      if (node.feature & 0x40000000u) {
        if (x != x) return node.child + ((node.feature >> 31) ^ 1u);
        const auto level = static_cast<uint64_t>(x);
        const uint64_t word = words[static_cast<uint64_t>(node.threshold) + (level >> 6)];
        return node.child + static_cast<uint32_t>((word >> (level & 63) & 1) ^ 1);
      }
    }
    return node.child + second<Missing>(x, node.threshold, node.feature >> 31);
  }
};

template <bool Missing = true>
struct NarrowSteps {
  const NarrowNode* nodes;
  int feature_bits;

  template <class Row>
  uint32_t next(uint32_t at, Row row, int64_t column_stride) const {
    const NarrowNode node = nodes[at];
    const uint32_t feature = node.word & ((1u << feature_bits) - 1);
    const float x = row[static_cast<int64_t>(feature) * column_stride];
    return (node.word >> (feature_bits + 1)) +
           second<Missing>(x, node.threshold, node.word >> feature_bits & 1u);
  }
};

}  // namespace hedgerow

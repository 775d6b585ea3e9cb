#include "walk.hpp"

#include <algorithm>

namespace hedgerow {
namespace {

constexpr int kLanes = 16;
constexpr int64_t kChunk = 4096;  // rows a task

template <bool Subsets, class T>
inline int32_t step(const PackedTree& tree, const PackedNode& node, const T* row, int64_t column_stride) {
  const auto x = static_cast<double>(row[static_cast<int64_t>(node.feature & kFeatureMask) * column_stride]);
  if constexpr (Subsets) {
    if (node.feature & kSubsetNode) {
      if (x != x) return node.child + !(node.feature & kMissingFirst);
      const auto level = static_cast<uint64_t>(x);
      const uint64_t word = tree.words[static_cast<uint64_t>(node.threshold) + (level >> 6)];
      return node.child + !(word >> (level & 63) & 1);
    }
  }
  // NaN is neither <= nor >: it goes first only where the node says so.
  const uint32_t at_most = x <= node.threshold, above = x > node.threshold;
  const uint32_t first = at_most | ((above ^ 1u) & (node.feature >> 31));
  return node.child + static_cast<int32_t>(first ^ 1u);
}

// Lanes are refilled as rows reach their leaves, so that they stay full to the end of the chunk.
template <bool Subsets, class T, class Emit>
void walk(const PackedTree& tree, const T* data, const Matrix& m, int64_t begin, int64_t end, Emit emit) {
  const PackedNode* nodes = tree.nodes;
  if (nodes[0].child < 0) {
    for (int64_t i = begin; i < end; ++i) emit(i, ~nodes[0].child);
    return;
  }
  struct Lane {
    const T* row;
    int64_t number;
    int32_t node;
  };
  Lane lanes[kLanes];
  int active = 0;
  int64_t next = begin;
  for (; active < kLanes && next < end; ++active, ++next) lanes[active] = {data + next * m.row_stride, next, 0};
  while (active > 0) {
    for (int k = 0; k < active; ++k) {
      Lane& lane = lanes[k];
      lane.node = step<Subsets>(tree, nodes[lane.node], lane.row, m.column_stride);
      const int32_t child = nodes[lane.node].child;
      if (child >= 0) continue;
      emit(lane.number, ~child);
      if (next < end) {
        lane = {data + next * m.row_stride, next, 0};
        ++next;
      } else {
        lane = lanes[--active];
        --k;
      }
    }
  }
}

template <class Emit>
void walk_all(const PackedTree& tree, const Matrix& m, Crew& crew, Emit emit) {
  crew.run((m.n_rows + kChunk - 1) / kChunk, [&](int64_t chunk, int) {
    const int64_t begin = chunk * kChunk, end = std::min(m.n_rows, begin + kChunk);
    auto go = [&](const auto* data) {
      if (tree.any_subset)
        walk<true>(tree, data, m, begin, end, emit);
      else
        walk<false>(tree, data, m, begin, end, emit);
    };
    if (m.wide)
      go(static_cast<const double*>(m.data));
    else
      go(static_cast<const float*>(m.data));
  });
}

}  // namespace

void leaves_of(const PackedTree& tree, const Matrix& rows, int32_t* leaf, Crew& crew) {
  walk_all(tree, rows, crew, [leaf](int64_t i, int32_t node) { leaf[i] = node; });
}

void values_of(const PackedTree& tree, const Matrix& rows, const double* values, int n_outputs, double* out,
               Crew& crew) {
  walk_all(tree, rows, crew, [=](int64_t i, int32_t node) {
    const double* from = values + int64_t{node} * n_outputs;
    double* to = out + i * n_outputs;
    for (int k = 0; k < n_outputs; ++k) to[k] = from[k];
  });
}

}  // namespace hedgerow

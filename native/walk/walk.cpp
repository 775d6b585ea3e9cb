#include "walk/walk.hpp"

#include <algorithm>

#include "walk/steps.hpp"

namespace hedgerow {
namespace {

constexpr int kLanes = 8;
constexpr int kSteps = 4;         // between two looks at whether all lanes have arrived
constexpr int64_t kChunk = 4096;  // rows a task

template <class Steps, class T, class Emit>
void walk(const Steps& steps, const T* data, const Matrix& m, int64_t begin, int64_t end, Emit emit) {
  for (int64_t i = begin; i < end; i += kLanes) {
    const T* row[kLanes];
    uint32_t at[kLanes] = {};
    for (int k = 0; k < kLanes; ++k) row[k] = data + std::min(i + k, end - 1) * m.row_stride;
    for (uint32_t moved = 1; moved;) {
      for (int step = 0; step < kSteps; ++step) {
        moved = 0;
        for (int k = 0; k < kLanes; ++k) {
          const uint32_t next = steps.next(at[k], row[k], m.column_stride);
          moved |= next ^ at[k];
          at[k] = next;
        }
      }
    }
    const int lanes = static_cast<int>(std::min<int64_t>(kLanes, end - i));
    for (int k = 0; k < lanes; ++k) emit(i + k, static_cast<int32_t>(at[k]));
  }
}

template <class Emit>
void walk_all(const PackedTree& tree, const Matrix& m, ThreadTeam& team, Emit emit) {
  const auto* wide = static_cast<const WideNode*>(tree.nodes);
  team.run((m.n_rows + kChunk - 1) / kChunk, [&](int64_t chunk, int) {
    const int64_t begin = chunk * kChunk, end = std::min(m.n_rows, begin + kChunk);
    auto go = [&](const auto* data) {
      if (tree.any_subset)
        walk(WideSteps<true>{wide, tree.words}, data, m, begin, end, emit);
      else
        walk(WideSteps<false>{wide, tree.words}, data, m, begin, end, emit);
    };
    if (tree.feature_bits)
      walk(NarrowSteps<>{static_cast<const NarrowNode*>(tree.nodes), tree.feature_bits},
           static_cast<const float*>(m.data), m, begin, end, emit);
    else if (m.wide)
      go(static_cast<const double*>(m.data));
    else
      go(static_cast<const float*>(m.data));
  });
}

}  // namespace

void leaves_of(const PackedTree& tree, const Matrix& rows, int32_t* leaf, ThreadTeam& team) {
  walk_all(tree, rows, team, [leaf](int64_t i, int32_t node) { leaf[i] = node; });
}

void values_of(const PackedTree& tree, const Matrix& rows, const double* values, int n_outputs, double* out,
               ThreadTeam& team) {
  walk_all(tree, rows, team, [=](int64_t i, int32_t node) {
    const double* from = values + int64_t{node} * n_outputs;
    double* to = out + i * n_outputs;
    for (int k = 0; k < n_outputs; ++k) to[k] = from[k];
  });
}

}  // namespace hedgerow

#include "gradient/predict_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "common/simd.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int kBlock = 64;   // rows, a byte each in a mask
constexpr int kTask = 16;    // blocks
constexpr int kEdges = 256;  // of a column, infinity after the last
constexpr int kCodes = 256;

// All rows take a halving before the next one: while one waits for memory the others move.
template <class T>
void encode_numbers(const T* cells, int64_t stride, int n, const double* edges, uint8_t* codes) {
  double x[kBlock];
  int32_t at[kBlock] = {};
  for (int i = 0; i < n; ++i) x[i] = static_cast<double>(cells[i * stride]);
  std::fill(x + n, x + kBlock, 0.0);
  int half = 128;  // no more halvings than the column's thresholds need
  while (half > 1 && !(edges[half - 1] < HUGE_VAL)) half /= 2;
  for (; half > 0; half /= 2)
    for (int i = 0; i < kBlock; ++i) at[i] += half & -static_cast<int32_t>(edges[at[i] + half - 1] < x[i]);
  for (int i = 0; i < n; ++i) codes[i] = x[i] != x[i] ? kMissingCode : static_cast<uint8_t>(at[i]);
}

template <class T>
void encode_levels(const T* cells, int64_t stride, int n, int32_t n_levels, uint8_t* codes) {
  for (int i = 0; i < n; ++i) {
    const auto x = static_cast<double>(cells[i * stride]);
    codes[i] = x != x                   ? kMissingCode
               : x >= 0 && x < n_levels ? static_cast<uint8_t>(x)
                                        : static_cast<uint8_t>(n_levels);
  }
}

// left and right: the rows of `here` by their answers. Plain loops over bytes: a few wide steps each.
HEDGEROW_INLINE void part_numbers(const uint8_t* __restrict codes, const CodeNode& node,
                                  const uint8_t* __restrict here, uint8_t* __restrict left,
                                  uint8_t* __restrict right) {
  const auto shift = node.shift, most = static_cast<uint8_t>(node.index + node.shift);
  HEDGEROW_WIDE_LOOP
  for (int i = 0; i < kBlock; ++i) {
    const uint8_t yes = static_cast<uint8_t>(codes[i] + shift) <= most ? 255 : 0;
    left[i] = here[i] & yes;
    right[i] = here[i] & ~yes;
  }
}

HEDGEROW_INLINE void part_levels(const uint8_t* __restrict codes, const uint8_t* __restrict goes_left,
                                 const uint8_t* __restrict here, uint8_t* __restrict left,
                                 uint8_t* __restrict right) {
  uint8_t yes[kBlock];
  for (int i = 0; i < kBlock; ++i) yes[i] = goes_left[codes[i]];
  HEDGEROW_WIDE_LOOP
  for (int i = 0; i < kBlock; ++i) {
    left[i] = here[i] & yes[i];
    right[i] = here[i] & ~yes[i];
  }
}

// Leaves are numbered as they come; each row notes the number of its own.
HEDGEROW_CLONES void add_block(const CodeTrees& trees, const uint8_t* codes, int n, int width, double* out,
                               uint8_t* masks) {
  double value[kMostLeaves];
  for (int64_t t = 0; t < trees.n_trees; ++t) {
    const CodeNode* nodes = trees.nodes + trees.start[t];
    const int64_t many = trees.start[t + 1] - trees.start[t];
    uint8_t leaf_of[kBlock] = {};
    int n_leaves = 0;
    std::fill(masks, masks + kBlock, uint8_t{255});
    for (int64_t at = 0; at < many; ++at) {  // parents stand before children
      const CodeNode& node = nodes[at];
      const uint8_t* here = masks + at * kBlock;
      if (node.child < 0) {
        const auto number = static_cast<uint8_t>(n_leaves);
        value[n_leaves++] = node.value;
        HEDGEROW_WIDE_LOOP
        for (int i = 0; i < kBlock; ++i) leaf_of[i] |= here[i] & number;
        continue;
      }
      const uint8_t* own = codes + static_cast<int64_t>(node.place) * kBlock;
      uint8_t* left = masks + static_cast<int64_t>(node.child) * kBlock;
      if (node.subset >= 0)
        part_levels(own, trees.goes_left + node.subset * kCodes, here, left, left + kBlock);
      else
        part_numbers(own, node, here, left, left + kBlock);
    }
    double* to = out + trees.output[t];
    for (int i = 0; i < n; ++i) to[static_cast<int64_t>(i) * width] += value[leaf_of[i]];
  }
}

template <class T>
void add_task(const CodeTrees& trees, const T* data, const Matrix& m, int64_t begin, int64_t end, int width,
              double* out) {
  int64_t largest = 1;
  for (int64_t t = 0; t < trees.n_trees; ++t)
    largest = std::max(largest, trees.start[t + 1] - trees.start[t]);
  std::vector<uint8_t> masks(largest * kBlock);
  std::vector<uint8_t> codes(std::max<int64_t>(1, trees.n_asked) * kBlock);
  for (int64_t row = begin; row < end; row += kBlock) {
    const int n = static_cast<int>(std::min<int64_t>(kBlock, end - row));
    for (int64_t k = 0; k < trees.n_asked; ++k) {
      const T* cells = data + row * m.row_stride + trees.column[k] * m.column_stride;
      uint8_t* own = codes.data() + k * kBlock;
      if (trees.n_levels[k] > 0)
        encode_levels(cells, m.row_stride, n, trees.n_levels[k], own);
      else
        encode_numbers(cells, m.row_stride, n, trees.edges + k * kEdges, own);
    }
    add_block(trees, codes.data(), n, width, out + row * width, masks.data());
  }
}

}  // namespace

void add_trees_in_blocks(const CodeTrees& trees, const Matrix& rows, int n_outputs, double* out,
                         ThreadTeam& team) {
  const int64_t step = static_cast<int64_t>(kTask) * kBlock;
  team.run((rows.n_rows + step - 1) / step, [&](int64_t task, int) {
    const int64_t begin = task * step, end = std::min(rows.n_rows, begin + step);
    if (rows.wide)
      add_task(trees, static_cast<const double*>(rows.data), rows, begin, end, n_outputs, out);
    else
      add_task(trees, static_cast<const float*>(rows.data), rows, begin, end, n_outputs, out);
  });
}

}  // namespace hedgerow::gradient

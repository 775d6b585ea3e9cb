#include "gradient/predict_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/simd.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hedgerow::gradient {
namespace {

constexpr int kBlock = 64;   // rows in a mask
constexpr int kTask = 16;    // blocks
constexpr int kEdges = 256;  // of a column, infinity after the last

template <class T>
void encode_numbers(const T* cells, int64_t stride, int n, const double* edges, uint8_t* codes) {
  int half_of_all = 128;  // no more halvings than the column's thresholds need
  while (half_of_all > 1 && !(edges[half_of_all - 1] < HUGE_VAL)) half_of_all /= 2;
  for (int i = 0; i < n; ++i) {
    const auto x = static_cast<double>(cells[i * stride]);
    int at = 0;
    for (int half = half_of_all; half > 0; half /= 2) at += edges[at + half - 1] < x ? half : 0;
    codes[i] = x != x ? kMissingCode : static_cast<uint8_t>(at);
  }
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

// Bit i: code i, shifted, is at most the index, shifted.
HEDGEROW_INLINE uint64_t at_most(const uint8_t* codes, uint8_t index, uint8_t shift) {
  uint64_t mask = 0;
#if defined(__SSE2__)
  const __m128i added = _mm_set1_epi8(static_cast<char>(shift));
  const __m128i most = _mm_set1_epi8(static_cast<char>(index + shift));
  for (int k = 0; k < kBlock / 16; ++k) {
    const __m128i code =
        _mm_add_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + 16 * k)), added);
    const __m128i yes = _mm_cmpeq_epi8(_mm_min_epu8(code, most), code);
    mask |= static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(yes))) << (16 * k);
  }
#else
  for (int i = 0; i < kBlock; ++i)
    mask |=
        static_cast<uint64_t>(static_cast<uint8_t>(codes[i] + shift) <= static_cast<uint8_t>(index + shift))
        << i;
#endif
  return mask;
}

uint64_t in_subset(const CodeTrees& trees, const CodeNode& node, const uint8_t* codes, uint64_t asked) {
  uint64_t mask = 0;
  for (; asked; asked &= asked - 1) {
    const int i = std::countr_zero(asked);
    const uint8_t code = codes[i];
    const uint64_t left =
        code == kMissingCode ? node.shift : trees.words[node.words + (code >> 6)] >> (code & 63) & 1;
    mask |= left << i;
  }
  return mask;
}

void add_block(const CodeTrees& trees, const uint8_t* codes, uint64_t all, int width, double* out,
               std::vector<uint64_t>& masks) {
  for (int64_t t = 0; t < trees.n_trees; ++t) {
    const CodeNode* nodes = trees.nodes + trees.start[t];
    const int64_t many = trees.start[t + 1] - trees.start[t];
    double* to = out + trees.output[t];
    masks[0] = all;
    for (int64_t at = 0; at < many; ++at) {  // parents stand before children
      const CodeNode& node = nodes[at];
      uint64_t here = masks[at];
      if (node.child >= 0) {
        const uint8_t* own = codes + static_cast<int64_t>(node.place) * kBlock;
        const uint64_t left = here == 0         ? 0
                              : node.words >= 0 ? in_subset(trees, node, own, here)
                                                : at_most(own, node.index, node.shift) & here;
        masks[node.child] = left;
        masks[node.child + 1] = here & ~left;
      } else {
        for (; here; here &= here - 1) to[std::countr_zero(here) * width] += node.value;
      }
    }
  }
}

template <class T>
void add_task(const CodeTrees& trees, const T* data, const Matrix& m, int64_t begin, int64_t end, int width,
              double* out) {
  int64_t largest = 1;
  for (int64_t t = 0; t < trees.n_trees; ++t)
    largest = std::max(largest, trees.start[t + 1] - trees.start[t]);
  std::vector<uint64_t> masks(largest);
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
    const uint64_t all = n == kBlock ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
    add_block(trees, codes.data(), all, width, out + row * width, masks);
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

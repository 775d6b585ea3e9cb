#include "gradient/predict_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/simd.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int kBlock = 64;  // rows, a byte each in a mask
constexpr int kTask = 16;   // blocks
constexpr int kCodes = 256;

using Bytes [[gnu::vector_size(kBlock / 2), gnu::may_alias]] = uint8_t;
using Words [[gnu::vector_size(kBlock / 2)]] = uint32_t;

struct alignas(kBlock) Block {
  Bytes first, second;  // halves, each a register of most machines
  uint8_t* bytes() { return reinterpret_cast<uint8_t*>(this); }
  const uint8_t* bytes() const { return reinterpret_cast<const uint8_t*>(this); }
};

// Rising in x, whatever its rounding: a threshold of an earlier cell is below x, one of a later cell above.
HEDGEROW_INLINE int32_t cell_of(double x, double low, double scale) {
  const double at = (x - low) * scale, above = at > 0.0 ? at : 0.0;
  return static_cast<int32_t>(above < kCells - 1 ? above : kCells - 1);
}

// All rows take a halving before the next one: while one waits for memory the others move.
HEDGEROW_CLONES void encode_numbers(const double* x, const double* edges, const ColumnCells& cells,
                                    uint8_t* missing_right, uint8_t* missing_left) {
  int32_t at[kBlock];
  for (int i = 0; i < kBlock; ++i) at[i] = cell_of(x[i], cells.low, cells.scale);
  for (int i = 0; i < kBlock; ++i) at[i] = cells.first[at[i]];
  for (int half = 1 << cells.n_halvings >> 1; half > 0; half /= 2)
    for (int i = 0; i < kBlock; ++i) at[i] += half & -static_cast<int32_t>(edges[at[i] + half - 1] < x[i]);
  for (int i = 0; i < kBlock; ++i) {
    const bool missing = x[i] != x[i];
    missing_right[i] = missing ? kMissingCode : static_cast<uint8_t>(at[i]);
    missing_left[i] = missing ? 0 : static_cast<uint8_t>(at[i] + 1);
  }
}

void encode_levels(const double* x, int32_t n_levels, uint8_t* codes) {
  for (int i = 0; i < kBlock; ++i)
    codes[i] = x[i] != x[i]                   ? kMissingCode
               : x[i] >= 0 && x[i] < n_levels ? static_cast<uint8_t>(x[i])
                                              : static_cast<uint8_t>(n_levels);
}

HEDGEROW_INLINE void look_up(const uint8_t* goes_left, const Block& codes, Bytes& first, Bytes& second) {
  Block yes;
  for (int i = 0; i < kBlock; ++i) yes.bytes()[i] = goes_left[codes.bytes()[i]];
  first = yes.first;
  second = yes.second;
}

HEDGEROW_INLINE Block* block_at(Block* blocks, uint32_t bytes) {
  return reinterpret_cast<Block*>(reinterpret_cast<char*>(blocks) + bytes);
}

// Halves are named, not looped over: they stay in registers.
HEDGEROW_CLONES void add_block(const CodeTrees& trees, Block* codes, Block* rows_at, double* sums) {
  rows_at[0].first = rows_at[0].second = ~Bytes{};
  for (int64_t t = 0; t < trees.n_trees; ++t) {
    const CodeNode* end = trees.nodes + trees.start[t + 1];
    const Block* here = rows_at;
    Bytes passed_first = {}, passed_second = {};
    for (const CodeNode* node = trees.nodes + trees.start[t]; node < end; ++node, ++here) {
      Bytes yes_first, yes_second;
      if (node->place & kSubset) [[unlikely]] {
        look_up(trees.goes_left + static_cast<int64_t>(node->index) * kCodes,
                *block_at(codes, node->place - kSubset), yes_first, yes_second);
      } else {
        const Block* own = block_at(codes, node->place);
        const Bytes index = reinterpret_cast<Bytes>(Words{} + node->index);
        yes_first = reinterpret_cast<Bytes>(own->first <= index);
        yes_second = reinterpret_cast<Bytes>(own->second <= index);
      }
      const Bytes first = here->first, second = here->second;
      const Bytes right_first = first & ~yes_first, right_second = second & ~yes_second;
      Block* left = block_at(rows_at, node->left);
      Block* right = block_at(rows_at, node->right);
      const Bytes n_left = reinterpret_cast<Bytes>(Words{} + node->n_left);
      passed_first += right_first & n_left;
      passed_second += right_second & n_left;
      left->first = first & yes_first;
      left->second = second & yes_second;
      right->first = right_first;
      right->second = right_second;
    }
    Block leaf;
    leaf.first = passed_first;
    leaf.second = passed_second;
    const double* value = trees.value + trees.leaf_start[t];
    double* to = sums + static_cast<int64_t>(trees.output[t]) * kBlock;
#pragma GCC unroll 8
    for (int i = 0; i < kBlock; ++i) to[i] += value[leaf.bytes()[i]];
  }
}

template <class T>
void read_cells(const T* cells, int64_t stride, int n, double* x) {
  for (int i = 0; i < n; ++i) x[i] = static_cast<double>(cells[i * stride]);
  std::fill(x + n, x + kBlock, 0.0);
}

template <class T>
void add_task(const CodeTrees& trees, const T* data, const Matrix& m, int64_t begin, int64_t end, int width,
              double* out) {
  int64_t most_nodes = 0;
  for (int64_t t = 0; t < trees.n_trees; ++t)
    most_nodes = std::max(most_nodes, trees.start[t + 1] - trees.start[t]);
  std::vector<Block> rows_at(most_nodes + 1), codes(2 * trees.n_asked);
  std::vector<double> sums(static_cast<size_t>(width) * kBlock);
  for (int64_t row = begin; row < end; row += kBlock) {
    const int n = static_cast<int>(std::min<int64_t>(kBlock, end - row));
    for (int64_t k = 0; k < trees.n_asked; ++k) {
      double x[kBlock];
      read_cells(data + row * m.row_stride + trees.column[k] * m.column_stride, m.row_stride, n, x);
      Block* own = codes.data() + 2 * k;
      if (trees.n_levels[k] > 0)
        encode_levels(x, trees.n_levels[k], own[0].bytes());
      else
        encode_numbers(x, trees.edges + k * kEdges, trees.cells[k], own[0].bytes(), own[1].bytes());
    }
    double* to = out + row * width;
    for (int o = 0; o < width; ++o)
      for (int i = 0; i < n; ++i) sums[o * kBlock + i] = to[i * width + o];
    add_block(trees, codes.data(), rows_at.data(), sums.data());
    for (int o = 0; o < width; ++o)
      for (int i = 0; i < n; ++i) to[i * width + o] = sums[o * kBlock + i];
  }
}

// Cells between the thresholds that are `outer` from the ends: far ones would make all cells too wide.
ColumnCells cut_range(const double* edges, int n, int outer) {
  ColumnCells cells = {};
  int count[kCells] = {};
  if (n > 0) {
    const double low = edges[outer], range = edges[n - 1 - outer] - low, scale = (kCells - 1) / range;
    if (std::isfinite(low) && std::isfinite(scale)) cells.low = low, cells.scale = scale;
  }
  for (int k = 0; k < n; ++k) ++count[cell_of(edges[k], cells.low, cells.scale)];
  int before = 0;
  for (int cell = 0; cell < kCells; ++cell) {
    cells.first[cell] = static_cast<uint8_t>(before);
    before += count[cell];
  }
  cells.n_halvings = std::bit_width(static_cast<unsigned>(*std::max_element(count, count + kCells)));
  return cells;
}

}  // namespace

ColumnCells find_cells(const double* edges) {
  const int n = static_cast<int>(std::lower_bound(edges, edges + kMostThresholds, HUGE_VAL) - edges);
  ColumnCells best = cut_range(edges, n, 0);
  for (int outer = 1; 2 * outer < n; outer *= 2) {
    const ColumnCells cells = cut_range(edges, n, outer);
    if (cells.n_halvings < best.n_halvings) best = cells;
  }
  return best;
}

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

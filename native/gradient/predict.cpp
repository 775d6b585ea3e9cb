#include "gradient/predict.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/simd.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRows = 256;  // a task; their cells stay in cache while all trees pass
constexpr int kLanes = 8;       // rows that walk at once: while one waits for memory the others move
constexpr int kTrees = 16;      // that a single row walks through at once
constexpr int kSteps = 3;       // between two looks at whether all lanes have arrived

template <bool Subsets, class T>
HEDGEROW_INLINE uint32_t next_node(const SumTrees& trees, uint32_t at, const T* row, int64_t column_stride) {
  const WideNode node = trees.nodes[at];
  const auto x = static_cast<double>(row[static_cast<int64_t>(node.feature & 0x3fffffffu) * column_stride]);
  const uint32_t missing_first = node.feature >> 31;
  if constexpr (Subsets) {
    if (node.feature & 0x40000000u) {
      if (x != x) return node.child + (missing_first ^ 1u);
      const auto level = static_cast<uint64_t>(x);
      const uint64_t word = trees.words[static_cast<uint64_t>(node.threshold) + (level >> 6)];
      return node.child + static_cast<uint32_t>((word >> (level & 63) & 1) ^ 1);
    }
  }
  const uint32_t at_most = x <= node.threshold, above = x > node.threshold;  // neither: missing
  return node.child + ((at_most | ((above ^ 1u) & missing_first)) ^ 1u);
}

template <bool Subsets, class T>
void add_rows(const SumTrees& trees, const T* data, const Matrix& m, int64_t begin, int64_t end, int width,
              double* out) {
  for (int64_t t = 0; t < trees.n_trees; ++t) {
    const auto root = static_cast<uint32_t>(trees.root[t]);
    const int depth = trees.depth[t];
    double* to = out + trees.output[t];
    for (int64_t i = begin; i < end; i += kLanes) {
      const int lanes = static_cast<int>(std::min<int64_t>(kLanes, end - i));
      const T* row[kLanes];
      uint32_t at[kLanes];
      for (int k = 0; k < kLanes; ++k) {
        row[k] = data + std::min(i + k, end - 1) * m.row_stride;
        at[k] = root;
      }
      for (int gone = 0; gone < depth; gone += kSteps) {
        uint32_t moved = 0;
        for (int step = 0; step < kSteps; ++step) {
          moved = 0;
          for (int k = 0; k < kLanes; ++k) {
            const uint32_t next = next_node<Subsets>(trees, at[k], row[k], m.column_stride);
            moved |= next ^ at[k];
            at[k] = next;
          }
        }
        if (!moved) break;
      }
      for (int k = 0; k < lanes; ++k) to[(i + k) * width] += trees.value[at[k]];
    }
  }
}

// A row as two numbers a cell: what a node asks that sends a missing cell to its second child, and to its
// first.
template <class T>
void write_twice(const T* row, int64_t column_stride, std::vector<double>& cells) {
  for (size_t j = 0; j < cells.size() / 2; ++j) {
    const auto x = static_cast<double>(row[static_cast<int64_t>(j) * column_stride]);
    cells[2 * j] = x != x ? HUGE_VAL : x;
    cells[2 * j + 1] = x != x ? -HUGE_VAL : x;
  }
}

template <bool Subsets>
HEDGEROW_INLINE uint32_t next_node(const SumTrees& trees, uint32_t at, const double* cells) {
  const WideNode& node = trees.nodes[at];
  const uint32_t place = std::rotl(node.feature, 1);
  if constexpr (Subsets) {
    if (place >> 31) {
      const double level = cells[place & 0x7fffffffu];
      if (!(std::fabs(level) < HUGE_VAL)) return node.child + (level > 0.0 ? 1u : 0u);
      const auto code = static_cast<uint64_t>(level);
      const uint64_t word = trees.words[static_cast<uint64_t>(node.threshold) + (code >> 6)];
      return node.child + static_cast<uint32_t>((word >> (code & 63) & 1) ^ 1);
    }
  }
  return node.child + (cells[place] > node.threshold ? 1u : 0u);
}

// Trees that a row walks through, sixteen at once, a few steps each; those that have not arrived go on, so
// that no tree waits for a deeper one.
class Walk {
 public:
  explicit Walk(const SumTrees& trees)
      : trees_(trees), at_(trees.n_trees), walking_(trees.n_trees + kTrees) {}

  // The leaf of each tree.
  template <bool Subsets>
  const uint32_t* leaves(const double* cells) {
    int64_t n = trees_.n_trees;
    for (int64_t t = 0; t < n; ++t) {
      at_[t] = static_cast<uint32_t>(trees_.root[t]);
      walking_[t] = static_cast<uint32_t>(t);
    }
    while (n > 0) n = step<Subsets>(cells, n);
    return at_.data();
  }

 private:
  // How many of the first n trees of walking_ go on; they become its first.
  template <bool Subsets>
  int64_t step(const double* cells, int64_t n) {
    int64_t left = 0;
    std::fill_n(walking_.begin() + n, kTrees, walking_[n - 1]);  // a lane too many walks as the last one does
    for (int64_t first = 0; first < n; first += kTrees) {
      uint32_t tree[kTrees], at[kTrees], moved[kTrees];
      for (int k = 0; k < kTrees; ++k) {
        tree[k] = walking_[first + k];
        at[k] = at_[tree[k]];
      }
      for (int gone = 0; gone < kSteps; ++gone)
#pragma GCC unroll 16
        for (int k = 0; k < kTrees; ++k) {
          const uint32_t next = next_node<Subsets>(trees_, at[k], cells);
          moved[k] = next ^ at[k];
          at[k] = next;
        }
      const auto lanes = static_cast<int>(std::min<int64_t>(kTrees, n - first));
      for (int k = 0; k < lanes; ++k) {
        at_[tree[k]] = at[k];
        walking_[left] = tree[k];
        left += moved[k] != 0;
      }
    }
    return left;
  }

  const SumTrees& trees_;
  std::vector<uint32_t> at_, walking_;
};

// A few rows, one after the other; the values of their leaves are added in the order of the trees.
template <bool Subsets, class T>
void add_few(const SumTrees& trees, const T* data, const Matrix& m, int width, double* out) {
  std::vector<double> cells(2 * trees.n_columns);
  Walk walk(trees);
  for (int64_t i = 0; i < m.n_rows; ++i) {
    write_twice(data + i * m.row_stride, m.column_stride, cells);
    const uint32_t* leaf = walk.leaves<Subsets>(cells.data());
    for (int64_t t = 0; t < trees.n_trees; ++t) out[i * width + trees.output[t]] += trees.value[leaf[t]];
  }
}

template <class T>
void add_all(const SumTrees& trees, const T* data, const Matrix& m, int width, double* out,
             ThreadTeam& team) {
  if (m.n_rows < kLanes)
    return trees.any_subset ? add_few<true>(trees, data, m, width, out)
                            : add_few<false>(trees, data, m, width, out);
  team.run((m.n_rows + kRows - 1) / kRows, [&](int64_t task, int) {
    const int64_t begin = task * kRows, end = std::min(m.n_rows, begin + kRows);
    if (trees.any_subset)
      add_rows<true>(trees, data, m, begin, end, width, out);
    else
      add_rows<false>(trees, data, m, begin, end, width, out);
  });
}

}  // namespace

void add_trees(const SumTrees& trees, const Matrix& rows, int n_outputs, double* out, ThreadTeam& team) {
  if (rows.wide)
    add_all(trees, static_cast<const double*>(rows.data), rows, n_outputs, out, team);
  else
    add_all(trees, static_cast<const float*>(rows.data), rows, n_outputs, out, team);
}

}  // namespace hedgerow::gradient

#include "boost/score.hpp"

#include <algorithm>

namespace hedgerow {
namespace {

constexpr int64_t kRows = 256;  // a task; their cells stay in cache while all tables or trees pass
constexpr int kLanes = 8;
constexpr int kShallow = 8;  // trees no deeper than this are walked to their end without asking
constexpr int kSteps = 4;    // in others, between two looks at whether all lanes have arrived

// The number of ends below x, without a branch that depends on the data.
inline int64_t piece_of(const double* ends, int64_t n, double x) {
  const double* at = ends;
  while (n > 1) {
    const int64_t half = n / 2;
    at = at[half - 1] < x ? at + half : at;
    n -= half;
  }
  return at - ends + (n == 1 && *at < x);
}

template <class T>
void add_table(const ScoreTable& t, const T* data, const Matrix& m, int64_t begin, int64_t end, int width,
               double* out) {
  const T* cell = data + t.column * m.column_stride + begin * m.row_stride;
  const int64_t unseen = t.n_levels > 0 ? t.n_levels : t.n_ends + 1;
  for (int64_t i = begin; i < end; ++i, cell += m.row_stride) {
    const auto x = static_cast<double>(*cell);
    int64_t line;
    if (x != x)
      line = unseen + 1;
    else if (t.n_levels > 0)
      line = x >= 0 && x < t.n_levels ? static_cast<int64_t>(x) : unseen;
    else
      line = piece_of(t.ends, t.n_ends, x);
    const double* from = t.table + line * width;
    double* to = out + i * width;
    for (int k = 0; k < width; ++k) to[k] += from[k];
  }
}

// Missing: some cell of the rows at hand is NaN, which is neither <= nor > and goes where the node says.
template <bool Subsets, bool Missing, class T>
inline uint32_t next_node(const ScoreTrees& trees, uint32_t at, const T* row, int64_t column_stride) {
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
  const uint32_t above = x > node.threshold;
  if constexpr (!Missing) return node.child + above;
  const uint32_t at_most = x <= node.threshold;
  return node.child + ((at_most | ((above ^ 1u) & missing_first)) ^ 1u);
}

template <bool Subsets, bool Missing, class T>
void add_trees(const ScoreTrees& trees, const T* data, const Matrix& m, int64_t begin, int64_t end, int width,
               double* out) {
  for (int64_t t = 0; t < trees.n_trees; ++t) {
    const auto root = static_cast<uint32_t>(trees.root[t]);
    for (int64_t i = begin; i < end; i += kLanes) {
      const int lanes = static_cast<int>(std::min<int64_t>(kLanes, end - i));
      const T* row[kLanes];
      uint32_t at[kLanes];
      for (int k = 0; k < kLanes; ++k) {
        row[k] = data + std::min(i + k, end - 1) * m.row_stride;
        at[k] = root;
      }
      // A leaf leads to itself; whether all have arrived is asked every few steps only.
      const int depth = trees.depth[t];
      if (depth <= kShallow)
        for (int step = 0; step < depth; ++step)
          for (int k = 0; k < kLanes; ++k)
            at[k] = next_node<Subsets, Missing>(trees, at[k], row[k], m.column_stride);
      for (uint32_t moved = depth > kShallow; moved;) {
        for (int step = 0; step < kSteps; ++step) {
          moved = 0;
          for (int k = 0; k < kLanes; ++k) {
            const uint32_t next = next_node<Subsets, Missing>(trees, at[k], row[k], m.column_stride);
            moved |= next ^ at[k];
            at[k] = next;
          }
        }
      }
      for (int k = 0; k < lanes; ++k) out[(i + k) * width + trees.column[at[k]]] += trees.amount[at[k]];
    }
  }
}

template <class T>
bool any_missing(const T* data, const Matrix& m, int64_t n_columns, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i)
    for (int64_t j = 0; j < n_columns; ++j) {
      const T x = data[i * m.row_stride + j * m.column_stride];
      if (x != x) return true;
    }
  return false;
}

template <class Work>
void over_rows(const Matrix& m, ThreadTeam& team, Work work) {
  team.run((m.n_rows + kRows - 1) / kRows, [&](int64_t task, int) {
    const int64_t begin = task * kRows, end = std::min(m.n_rows, begin + kRows);
    if (m.wide)
      work(static_cast<const double*>(m.data), begin, end);
    else
      work(static_cast<const float*>(m.data), begin, end);
  });
}

}  // namespace

void table_scores(const std::vector<ScoreTable>& tables, const Matrix& rows, int width, double* out,
                  ThreadTeam& team) {
  over_rows(rows, team, [&](const auto* data, int64_t begin, int64_t end) {
    std::fill(out + begin * width, out + end * width, 0.0);
    for (const ScoreTable& table : tables) add_table(table, data, rows, begin, end, width, out);
  });
}

void tree_scores(const ScoreTrees& trees, const Matrix& rows, int width, double* out, ThreadTeam& team) {
  over_rows(rows, team, [&](const auto* data, int64_t begin, int64_t end) {
    std::fill(out + begin * width, out + end * width, 0.0);
    if (trees.any_subset)
      add_trees<true, true>(trees, data, rows, begin, end, width, out);
    else if (any_missing(data, rows, trees.n_columns, begin, end))
      add_trees<false, true>(trees, data, rows, begin, end, width, out);
    else
      add_trees<false, false>(trees, data, rows, begin, end, width, out);
  });
}

}  // namespace hedgerow

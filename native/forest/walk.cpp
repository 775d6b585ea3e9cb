// Many rows: blocks of them, copied side by side, go through one tree after the other; several rows walk at
// once. A few rows: several trees at once.
#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>

#include "forest/pack.hpp"
#include "forest/sparse_walk.hpp"
#include "walk/steps.hpp"

namespace hedgerow {
namespace {

constexpr int kLanes = 8;
constexpr int kSteps = 2;  // between two looks at whether all lanes have arrived
constexpr int64_t kMostRows = 8192, kBlockBytes = 1 << 20;  // a task: a tree is fetched once for all its rows
constexpr int64_t kFewRows = 8;
constexpr int64_t kSparseTask = 256, kFewColumns = 1024;  // rows, columns that a lean forest uses

enum class Ends { kNodes, kPlaces };

template <class Node>
const Node* nodes_of(const ForestView& forest, int64_t tree) {
  return static_cast<const Node*>(forest.nodes) + forest.start[tree];
}

// Calls go(steps of tree t) with the forest's kind of node.
template <class T, bool Missing, class Work>
void with_steps(const ForestView& forest, Work work) {
  if constexpr (std::is_same_v<T, float>)
    if (forest.feature_bits) {
      const int bits = forest.feature_bits;
      return work(
          [&forest, bits](int64_t t) { return NarrowSteps<Missing>{nodes_of<NarrowNode>(forest, t), bits}; });
    }
  if (forest.any_subset)
    return work(
        [&](int64_t t) { return WideSteps<true, Missing>{nodes_of<WideNode>(forest, t), forest.words}; });
  return work(
      [&](int64_t t) { return WideSteps<false, Missing>{nodes_of<WideNode>(forest, t), forest.words}; });
}

template <class T>
void copy_rows(const Matrix& m, int64_t begin, int64_t end, int64_t n_columns, T* to) {
  const T* data = static_cast<const T*>(m.data);
  if (m.column_stride == 1) {
    for (int64_t i = begin; i < end; ++i, to += n_columns)
      std::memcpy(to, data + i * m.row_stride, n_columns * sizeof(T));
    return;
  }
  for (int64_t j = 0; j < n_columns; ++j)
    for (int64_t i = begin; i < end; ++i)
      to[(i - begin) * n_columns + j] = data[i * m.row_stride + j * m.column_stride];
}

// What a caller makes of the ends of rows first .. first + n - 1 in a tree: nodes, or their places.
using Emit = std::function<void(int64_t tree, int64_t first, int64_t n, const uint32_t* ends)>;

template <class Steps>
uint32_t end_of(const Steps& steps, uint32_t node, Ends ends) {
  return ends == Ends::kPlaces ? static_cast<uint32_t>(place_of(steps.nodes[node])) : node;
}

// The lanes: rows of one tree.
template <class Steps, class T>
void walk_rows(const Steps& steps, const T* rows, int64_t n, int64_t n_columns, Ends ends, uint32_t* out) {
  for (int64_t i = 0; i < n; i += kLanes) {
    const T* row[kLanes];
    uint32_t at[kLanes] = {};
    for (int k = 0; k < kLanes; ++k) row[k] = rows + std::min(i + k, n - 1) * n_columns;
    for (uint32_t moved = 1; moved;)
      for (int step = 0; step < kSteps; ++step) {
        moved = 0;
        for (int k = 0; k < kLanes; ++k) {
          const uint32_t next = steps.next(at[k], row[k], 1);
          moved |= next ^ at[k];
          at[k] = next;
        }
      }
    const int lanes = static_cast<int>(std::min<int64_t>(kLanes, n - i));
    for (int k = 0; k < lanes; ++k) out[i + k] = end_of(steps, at[k], ends);
  }
}

// The lanes: trees of one row.
template <class StepsOf, class T>
void walk_trees(const StepsOf& steps_of, int64_t n_trees, const T* row, Ends ends, uint32_t* out) {
  for (int64_t t = 0; t < n_trees; t += kLanes) {
    using Steps = decltype(steps_of(0));
    const auto lanes = static_cast<int>(std::min<int64_t>(kLanes, n_trees - t));
    Steps steps[kLanes] = {};
    uint32_t at[kLanes] = {};
    for (int k = 0; k < kLanes; ++k) steps[k] = steps_of(t + std::min(k, lanes - 1));
    for (uint32_t moved = 1; moved;)
      for (int step = 0; step < kSteps; ++step) {
        moved = 0;
        for (int k = 0; k < kLanes; ++k) {
          const uint32_t next = steps[k].next(at[k], row, 1);
          moved |= next ^ at[k];
          at[k] = next;
        }
      }
    for (int k = 0; k < lanes; ++k) out[t + k] = end_of(steps[k], at[k], ends);
  }
}

// A few sparse rows, written out. A bit a cell tells whether it has an entry: the bits of all rows stay in
// the nearest cache, and few of the cells are read at all.
template <class T>
class WrittenRows {
 public:
  struct Row {
    const uint64_t* present;
    const T* cells;

    T operator[](int64_t column) const {
      return present[column >> 6] >> (column & 63) & 1 ? cells[column] : T{0};
    }
  };

  void make_room(int64_t rows, int64_t n_columns) {
    n_columns_ = n_columns;
    n_words_ = (n_columns + 63) / 64;
    if (cells_) return;
    cells_ = std::make_unique_for_overwrite<T[]>(rows * n_columns_);  // read only where present
    present_.resize(rows * n_words_);
  }
  Row operator[](int64_t i) const { return {present_.data() + i * n_words_, cells_.get() + i * n_columns_}; }
  void write(int64_t i, int32_t column, T value) {
    cells_[i * n_columns_ + column] = value;
    present_[i * n_words_ + (column >> 6)] |= uint64_t{1} << (column & 63);
  }
  void wipe(int64_t i, int32_t column) { present_[i * n_words_ + (column >> 6)] = 0; }

 private:
  int64_t n_columns_ = 0, n_words_ = 0;
  std::unique_ptr<T[]> cells_;
  std::vector<uint64_t> present_;
};

// The lanes: any row in any tree; whoever arrives makes room for the next pair. Trees of sparse rows are deep
// and lean: of eight rows the last arrives after twice the steps of the mean.
template <class StepsOf, class T>
void walk_pairs(const StepsOf& steps_of, int64_t n_trees, const WrittenRows<T>& rows, int64_t n, Ends ends,
                uint32_t* out) {
  struct Lane {
    decltype(steps_of(0)) steps;
    typename WrittenRows<T>::Row row;
    int64_t pair;  // tree * n + row
    uint32_t at;
  };
  Lane lanes[kLanes];
  int open = 0;
  int64_t next = 0;
  auto enter = [&](Lane& lane) {
    lane = {steps_of(next / n), rows[next % n], next, 0};
    ++next;
  };
  while (open < kLanes && next < n_trees * n) enter(lanes[open++]);
  while (open)
    for (int k = 0; k < open;) {
      Lane& lane = lanes[k];
      const uint32_t to = lane.steps.next(lane.at, lane.row, 1);
      if (to != lane.at) {
        lane.at = to;
        ++k;
        continue;
      }
      out[lane.pair] = end_of(lane.steps, to, ends);
      if (next < n_trees * n)
        enter(lane);
      else
        lane = lanes[--open];
    }
}

// Steps ask for missing cells only where there are some.
template <class T, class Work>
void with_steps(const ForestView& forest, bool missing, Work work) {
  if (missing)
    with_steps<T, true>(forest, work);
  else
    with_steps<T, false>(forest, work);
}

// Many, but some tasks for each worker.
int64_t rows_a_task(int64_t n_rows, int64_t row_bytes, int workers) {
  const int64_t most = std::clamp<int64_t>(kBlockBytes / row_bytes, 256, kMostRows);
  return workers == 1 ? most : std::clamp<int64_t>(n_rows / (4 * workers), 256, most);
}

// All trees, one after the other, for rows that stand side by side.
template <class T>
void walk_block(const ForestView& forest, const T* rows, int64_t first, int64_t n, int64_t n_columns,
                bool missing, Ends ends, std::vector<uint32_t>& found, const Emit& emit) {
  found.resize(n);
  auto go = [&](auto steps_of) {
    for (int64_t t = 0; t < forest.n_trees; ++t) {
      walk_rows(steps_of(t), rows, n, n_columns, ends, found.data());
      emit(t, first, n, found.data());
    }
  };
  with_steps<T>(forest, missing, go);
}

template <class T>
bool any_missing(const std::vector<T>& cells) {
  bool missing = false;
  for (const T x : cells) missing |= x != x;
  return missing;
}

// Calls emit for every tree; for each row in the order of the trees.
template <class T>
void walk(const ForestView& forest, const Matrix& m, int64_t n_columns, ThreadTeam& team, Ends ends,
          const Emit& emit) {
  if (m.n_rows <= kFewRows) {
    std::vector<T> row(n_columns);
    std::vector<uint32_t> found(forest.n_trees);
    for (int64_t i = 0; i < m.n_rows; ++i) {
      copy_rows(m, i, i + 1, n_columns, row.data());
      with_steps<T>(forest, any_missing(row), [&](auto steps_of) {
        walk_trees(steps_of, forest.n_trees, row.data(), ends, found.data());
      });
      for (int64_t t = 0; t < forest.n_trees; ++t) emit(t, i, 1, &found[t]);
    }
    return;
  }
  std::vector<std::vector<T>> workers_rows(team.size());
  std::vector<std::vector<uint32_t>> workers_found(team.size());
  const int64_t size = rows_a_task(m.n_rows, n_columns * static_cast<int64_t>(sizeof(T)), team.size());
  team.run((m.n_rows + size - 1) / size, [&](int64_t block, int worker) {
    const int64_t begin = block * size, end = std::min(m.n_rows, begin + size);
    std::vector<T>& rows = workers_rows[worker];
    rows.resize((end - begin) * n_columns);
    copy_rows(m, begin, end, n_columns, rows.data());
    walk_block(forest, rows.data(), begin, end - begin, n_columns, any_missing(rows), ends,
               workers_found[worker], emit);
  });
}

// A lean forest uses few columns: the same forest over these alone, numbered as they are met.
class UsedColumns {
 public:
  UsedColumns(const ForestView& forest, int64_t n_columns)
      : forest_(forest),
        used_((n_columns + 63) / 64),
        place_(std::make_unique_for_overwrite<int32_t[]>(n_columns)) {
    if (forest.feature_bits)
      renumber(nodes_of<NarrowNode>(forest, 0), &NarrowNode::word, (1u << forest.feature_bits) - 1);
    else
      renumber(nodes_of<WideNode>(forest, 0), &WideNode::feature, 0x3fffffffu);
  }
  bool has(int32_t column) const { return used_[column >> 6] >> (column & 63) & 1; }
  int32_t place(int32_t column) const { return place_[column]; }
  int64_t size() const { return size_; }
  const ForestView& forest() const { return forest_; }

 private:
  template <class Node>
  void renumber(const Node* nodes, uint32_t Node::* feature, uint32_t mask) {
    const int64_t n_nodes = forest_.start[forest_.n_trees];
    nodes_.resize(n_nodes * sizeof(Node));
    for (int64_t i = 0; i < n_nodes; ++i) {
      Node node = nodes[i];
      const auto column = static_cast<int32_t>(node.*feature & mask);
      if (!has(column)) {
        used_[column >> 6] |= uint64_t{1} << (column & 63);
        place_[column] = size_++;
      }
      node.*feature = (node.*feature & ~mask) | static_cast<uint32_t>(place_[column]);
      std::memcpy(nodes_.data() + i * sizeof(Node), &node, sizeof(Node));
    }
    forest_.nodes = nodes_.data();
  }

  ForestView forest_;
  std::vector<uint64_t> used_;  // a bit a column: all stay in the nearest cache
  std::unique_ptr<int32_t[]> place_;
  std::vector<uint8_t> nodes_;
  int32_t size_ = 0;
};

// Rows written out over the used columns walk like any others.
template <class T>
void walk_lean(const UsedColumns& used, const SparseRows& m, ThreadTeam& team, Ends ends, const Emit& emit) {
  const auto* values = static_cast<const T*>(m.values);
  std::vector<std::vector<T>> workers_rows(team.size());
  std::vector<std::vector<uint32_t>> workers_found(team.size());
  team.run((m.n_rows + kSparseTask - 1) / kSparseTask, [&](int64_t task, int worker) {
    const int64_t begin = task * kSparseTask, end = std::min(m.n_rows, begin + kSparseTask);
    std::vector<T>& rows = workers_rows[worker];
    rows.assign((end - begin) * used.size(), T{0});
    bool missing = false;
    for (int64_t i = begin; i < end; ++i)
      for (int64_t e = m.start[i]; e < m.start[i + 1]; ++e)
        if (used.has(m.column[e])) {
          rows[(i - begin) * used.size() + used.place(m.column[e])] = values[e];
          missing |= values[e] != values[e];
        }
    walk_block(used.forest(), rows.data(), begin, end - begin, used.size(), missing, ends,
               workers_found[worker], emit);
  });
}

template <class T>
void walk(const ForestView& forest, const SparseRows& m, ThreadTeam& team, Ends ends, const Emit& emit) {
  if (forest.start[forest.n_trees] <= m.start[m.n_rows] - m.start[0]) {
    const UsedColumns used(forest, m.n_columns);
    if (used.size() <= kFewColumns) return walk_lean<T>(used, m, team, ends, emit);
  }
  const auto* values = static_cast<const T*>(m.values);
  std::vector<WrittenRows<T>> workers_rows(team.size());
  std::vector<std::vector<uint32_t>> workers_found(team.size());
  team.run((m.n_rows + kSparseTask - 1) / kSparseTask, [&](int64_t task, int worker) {
    WrittenRows<T>& rows = workers_rows[worker];
    rows.make_room(kLanes, m.n_columns);
    const int64_t last = std::min(m.n_rows, (task + 1) * kSparseTask);
    for (int64_t begin = task * kSparseTask; begin < last; begin += kLanes) {
      const int64_t end = std::min(last, begin + kLanes);
      bool missing = false;
      for (int64_t i = begin; i < end; ++i)
        for (int64_t e = m.start[i]; e < m.start[i + 1]; ++e) {
          rows.write(i - begin, m.column[e], values[e]);
          missing |= values[e] != values[e];
        }
      std::vector<uint32_t>& found = workers_found[worker];
      found.resize(forest.n_trees * (end - begin));
      with_steps<T>(forest, missing, [&](auto steps_of) {
        walk_pairs(steps_of, forest.n_trees, rows, end - begin, ends, found.data());
      });
      for (int64_t t = 0; t < forest.n_trees; ++t)
        emit(t, begin, end - begin, found.data() + t * (end - begin));
      for (int64_t i = begin; i < end; ++i)
        for (int64_t e = m.start[i]; e < m.start[i + 1]; ++e) rows.wipe(i - begin, m.column[e]);
    }
  });
}

// Means over the trees, as they are met.
Emit mean_into(const ForestView& forest, const double* table, int n_outputs, double* out) {
  const int64_t n_trees = forest.n_trees;
  return [=](int64_t t, int64_t first, int64_t n, const uint32_t* places) {
    const bool last = t + 1 == n_trees;
    for (int64_t i = 0; i < n; ++i) {
      const double* from = table + static_cast<int64_t>(places[i]) * n_outputs;
      double* to = out + (first + i) * n_outputs;
      for (int k = 0; k < n_outputs; ++k) {
        const double sum = t ? to[k] + from[k] : from[k];
        to[k] = last ? sum / static_cast<double>(n_trees) : sum;
      }
    }
  };
}

Emit leaf_into(const ForestView& forest, int32_t* out) {
  return [out, n_trees = forest.n_trees](int64_t t, int64_t first, int64_t n, const uint32_t* nodes) {
    for (int64_t i = 0; i < n; ++i) out[(first + i) * n_trees + t] = static_cast<int32_t>(nodes[i]);
  };
}

void walk(const ForestView& forest, const Matrix& rows, int64_t n_columns, ThreadTeam& team, Ends ends,
          const Emit& emit) {
  if (rows.wide)
    walk<double>(forest, rows, n_columns, team, ends, emit);
  else
    walk<float>(forest, rows, n_columns, team, ends, emit);
}

void walk(const ForestView& forest, const SparseRows& rows, ThreadTeam& team, Ends ends, const Emit& emit) {
  if (rows.wide)
    walk<double>(forest, rows, team, ends, emit);
  else
    walk<float>(forest, rows, team, ends, emit);
}

}  // namespace

void forest_values(const ForestView& forest, const Matrix& rows, int64_t n_columns, const double* table,
                   int n_outputs, double* out, ThreadTeam& team) {
  walk(forest, rows, n_columns, team, Ends::kPlaces, mean_into(forest, table, n_outputs, out));
}

void forest_values(const ForestView& forest, const SparseRows& rows, const double* table, int n_outputs,
                   double* out, ThreadTeam& team) {
  walk(forest, rows, team, Ends::kPlaces, mean_into(forest, table, n_outputs, out));
}

void forest_leaves(const ForestView& forest, const Matrix& rows, int64_t n_columns, int32_t* out,
                   ThreadTeam& team) {
  walk(forest, rows, n_columns, team, Ends::kNodes, leaf_into(forest, out));
}

void forest_leaves(const ForestView& forest, const SparseRows& rows, int32_t* out, ThreadTeam& team) {
  walk(forest, rows, team, Ends::kNodes, leaf_into(forest, out));
}

}  // namespace hedgerow

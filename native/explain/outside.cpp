#include "explain/outside.hpp"

#include <algorithm>

#include "common/random.hpp"

namespace hedgerow {
namespace {

constexpr int64_t kChunk = 1024;  // rows a task: enough that a tree, once in the cache, is used by many

struct Part {
  int32_t node;
  double share;
};

// The value of a row in a tree: its leaf's, or where it is spread over several leaves, theirs by share.
template <class Cells>
const double* value_of(const FlatTrees& trees, int64_t root, int32_t from, const Cells& cells,
                       std::vector<Part>& parts, std::vector<double>& mixed) {
  const int K = trees.n_outputs;
  int32_t at = from;
  for (;;) {
    const FlatNode& node = trees.nodes[root + at];
    if (node.n_children == 0) return trees.value + (root + at) * K;
    const int32_t place = place_of(trees, node, cells);
    if (place == kToAll) break;
    at = node.first + place;
  }
  mixed.assign(K, 0.0);
  parts.assign(1, {at, 1.0});
  while (!parts.empty()) {
    const Part here = parts.back();
    parts.pop_back();
    const FlatNode& node = trees.nodes[root + here.node];
    if (node.n_children == 0) {
      for (int c = 0; c < K; ++c) mixed[c] += here.share * trees.value[(root + here.node) * K + c];
      continue;
    }
    const int32_t place = place_of(trees, node, cells);
    if (place != kToAll) {
      parts.push_back({node.first + place, here.share});
      continue;
    }
    for (int32_t k = node.n_children; k-- > 0;)
      parts.push_back({node.first + k, here.share * part_of(trees, root, node, node.first + k)});
  }
  return mixed.data();
}

double loss_of(const Truth& truth, int64_t row, const double* value, int K) {
  if (truth.classes) return std::max_element(value, value + K) - value != truth.classes[row];
  const double miss = value[0] - truth.numbers[row];
  return miss * miss;
}

double weight_of(const Truth& truth, int64_t row) { return truth.weight ? truth.weight[row] : 1.0; }

// The columns a row is asked for in a tree, and the node that asks first: above it another cell changes
// nothing.
struct Way {
  std::vector<int32_t> columns, first_node;
  std::vector<char> met;

  explicit Way(int64_t n_columns) : met(n_columns, 0) {}

  void meet(int32_t column, int32_t node) {
    if (met[column]) return;
    met[column] = 1;
    columns.push_back(column);
    first_node.push_back(node);
  }

  template <class Cells>
  void follow(const FlatTrees& trees, int64_t root, const Cells& cells) {
    for (const int32_t column : columns) met[column] = 0;
    columns.clear();
    first_node.clear();
    for (int32_t at = 0; trees.nodes[root + at].n_children > 0;) {
      const FlatNode& node = trees.nodes[root + at];
      meet(node.feature, at);
      for (int32_t s = node.surrogate_begin; s < node.surrogate_end; ++s)
        meet(trees.surrogates[s].feature, at);
      const int32_t place = place_of(trees, node, cells);
      if (place == kToAll) {  // below, several ways at once: any column may matter
        for (size_t j = 0; j < met.size(); ++j) meet(static_cast<int32_t>(j), at);
        return;
      }
      at = node.first + place;
    }
  }
};

}  // namespace

void tally_outside(const FlatTrees& trees, const Matrix& rows, const Truth& truth, const Outside& outside,
                   double* sum, int32_t* many, double* loss, double* counted, ThreadTeam& team) {
  const int K = trees.n_outputs;
  const int64_t n = rows.n_rows, chunks = (n + kChunk - 1) / kChunk, T = trees.n_trees;
  std::vector<double> chunk_loss(chunks * T), chunk_counted(chunks * T);
  team.run(chunks, [&](int64_t chunk, int) {
    const int64_t begin = chunk * kChunk, end = std::min(n, begin + kChunk);
    std::vector<double> now(end - begin, 0.0), mean(K), mixed;
    std::vector<Part> parts;
    auto judged = [&](int64_t i) {
      for (int c = 0; c < K; ++c) mean[c] = sum[i * K + c] / many[i];
      return weight_of(truth, i) * loss_of(truth, i, mean.data(), K);
    };
    for (int64_t i = begin; i < end; ++i)
      if (many[i] > 0) now[i - begin] = judged(i);
    for (int64_t t = 0; t < T; ++t) {
      team.stop().check();
      for (int64_t i = begin; i < end; ++i) {
        if (!outside.has(t, i)) continue;
        const double* value =
            value_of(trees, trees.starts[t], 0, [&](int64_t j) { return cell(rows, i, j); }, parts, mixed);
        for (int c = 0; c < K; ++c) sum[i * K + c] += value[c];
        ++many[i];
        now[i - begin] = judged(i);
      }
      double total = 0, mass = 0;
      for (int64_t i = begin; i < end; ++i)
        if (many[i] > 0) {
          total += now[i - begin];
          mass += weight_of(truth, i);
        }
      chunk_loss[chunk * T + t] = total;
      chunk_counted[chunk * T + t] = mass;
    }
  });
  for (int64_t t = 0; t < T; ++t) {
    loss[t] = counted[t] = 0;
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      loss[t] += chunk_loss[chunk * T + t];
      counted[t] += chunk_counted[chunk * T + t];
    }
  }
}

Rise permuted_rise(const FlatTrees& trees, const Matrix& rows, int64_t n_columns, const Truth& truth,
                   const Outside& outside, uint64_t seed, int repeats, ThreadTeam& team) {
  const int64_t n = rows.n_rows, chunks = (n + kChunk - 1) / kChunk, T = trees.n_trees;
  const int K = trees.n_outputs;
  // The rows outside of each tree, to draw from.
  std::vector<std::vector<uint32_t>> others(T);
  team.run(T, [&](int64_t t, int) {
    for (int64_t i = 0; i < n; ++i)
      if (outside.has(t, i)) others[t].push_back(static_cast<uint32_t>(i));
  });
  std::vector<Rise> rise(chunks);
  team.run(chunks, [&](int64_t chunk, int) {
    const int64_t begin = chunk * kChunk, end = std::min(n, begin + kChunk);
    std::vector<double> row_rise((end - begin) * n_columns, 0.0), own_squares(row_rise.size(), 0.0), mixed;
    std::vector<int64_t> many(end - begin, 0);
    std::vector<Part> parts;
    Way way(n_columns);
    for (int64_t t = 0; t < T; ++t)
      for (int64_t i = begin; i < end; ++i) {
        if (!outside.has(t, i)) continue;
        team.stop().check();
        ++many[i - begin];
        const int64_t root = trees.starts[t];
        auto own = [&](int64_t j) { return cell(rows, i, j); };
        way.follow(trees, root, own);
        const double before = loss_of(truth, i, value_of(trees, root, 0, own, parts, mixed), K);
        for (size_t c = 0; c < way.columns.size(); ++c) {
          const int32_t column = way.columns[c];
          Random random(mix(mix(mix(seed ^ mix(t)) ^ mix(i)) ^ mix(column)));
          double tree_rise = 0;
          for (int repeat = 0; repeat < repeats; ++repeat) {
            const int64_t other = others[t][random.below(static_cast<uint32_t>(others[t].size()))];
            auto cells = [&](int64_t j) { return cell(rows, j == column ? other : i, j); };
            const double* value = value_of(trees, root, way.first_node[c], cells, parts, mixed);
            tree_rise += loss_of(truth, i, value, K) - before;
          }
          tree_rise /= repeats;
          row_rise[(i - begin) * n_columns + column] += tree_rise;
          own_squares[(i - begin) * n_columns + column] += tree_rise * tree_rise;
        }
      }
    Rise& own = rise[chunk];
    own.sum.assign(n_columns, 0.0);
    own.square.assign(n_columns, 0.0);
    own.pairs.assign(n_columns, 0.0);
    for (int64_t i = begin; i < end; ++i) {
      const double weight = weight_of(truth, i);
      if (many[i - begin] == 0 || weight == 0) continue;
      own.mass += weight;
      own.mass_square += weight * weight;
      const double m = static_cast<double>(many[i - begin]);
      for (int64_t j = 0; j < n_columns; ++j) {
        const double total = row_rise[(i - begin) * n_columns + j], mean = total / m;
        own.sum[j] += weight * mean;
        own.square[j] += weight * mean * mean;
        if (m > 1)
          own.pairs[j] += weight * (total * total - own_squares[(i - begin) * n_columns + j]) / (m * (m - 1));
      }
    }
  });
  const std::vector<double> zero(n_columns, 0.0);
  Rise all{zero, zero, zero};
  for (const Rise& own : rise) {
    all.mass += own.mass;
    all.mass_square += own.mass_square;
    for (int64_t j = 0; j < n_columns; ++j) {
      all.sum[j] += own.sum[j];
      all.square[j] += own.square[j];
      all.pairs[j] += own.pairs[j];
    }
  }
  return all;
}

}  // namespace hedgerow

#include "forest/slim.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "forest/places.hpp"
#include "grow/criterion_table.hpp"

namespace hedgerow {

bool can_be_slim(const GrownTree& tree) {
  return tree.subset_bits.empty() && tree.surrogate_node.empty() &&
         std::all_of(tree.kind.begin(), tree.kind.end(), [](uint8_t k) { return k <= kThreshold; }) &&
         std::equal(tree.kind.begin(), tree.kind.end(), tree.missing_branch.begin(),
                    [](uint8_t kind, int32_t branch) { return kind == kLeaf || branch == 0 || branch == 1; });
}

SlimTree slimmed(const GrownTree& tree) {
  SlimTree out;
  const int k = out.n_classes = tree.n_moments;
  const auto leaves = static_cast<size_t>(std::count(tree.kind.begin(), tree.kind.end(), kLeaf));
  const size_t inner = tree.kind.size() - leaves;
  out.first_child.assign(tree.first_child.begin(), tree.first_child.end());
  out.feature.reserve(inner);
  out.threshold.reserve(inner);
  out.n_rows.reserve(leaves);
  out.place.reserve(leaves);
  Places<uint32_t> places(out.table, k);
  std::vector<uint32_t> counts(k);
  for (int64_t node = 0; node < tree.size(); ++node) {
    if (tree.kind[node] == kLeaf) {
      const double* value = tree.value.data() + node * k;
      for (int c = 0; c < k; ++c) counts[c] = static_cast<uint32_t>(value[c]);
      out.place.push_back(places.of(counts.data()));
      out.n_rows.push_back(static_cast<uint32_t>(tree.n_rows[node]));
    } else {
      out.feature.push_back(tree.missing_branch[node] ? ~tree.feature[node] : tree.feature[node]);
      out.threshold.push_back(tree.threshold[node]);
    }
  }
  out.table.shrink_to_fit();
  return out;
}

void check_slim(const SlimView& slim, int64_t n_inner, int64_t n_leaves, int64_t n_places) {
  int64_t inner = 0, next = 1;
  for (int64_t node = 0; node < slim.n_nodes; ++node) {
    const int32_t child = slim.first_child[node];
    if (child < 0) continue;
    ++inner;
    next += 2;
    if (child <= node || child + 1 >= slim.n_nodes)
      throw std::invalid_argument("a child is not after its parent");
  }
  if (slim.n_nodes < 1 || next != slim.n_nodes || inner != n_inner || slim.n_nodes - inner != n_leaves)
    throw std::invalid_argument("the arrays of a slim tree do not agree");
  for (int64_t leaf = 0; leaf < n_leaves; ++leaf)
    if (slim.place[leaf] >= n_places) throw std::invalid_argument("a leaf is not in the table");
}

GrownTree skeleton(const SlimView& slim, bool with_counts) {
  GrownTree tree;
  const int k = tree.n_moments = slim.n_classes;
  const int64_t n = slim.n_nodes;
  tree.feature.assign(n, -1);
  tree.first_child.assign(slim.first_child, slim.first_child + n);
  tree.n_children.assign(n, 0);
  tree.missing_branch.assign(n, -1);
  tree.kind.assign(n, kLeaf);
  tree.threshold.assign(n, std::numeric_limits<double>::quiet_NaN());
  if (with_counts) tree.value.assign(n * k, 0.0);
  tree.n_rows.assign(n, 0);
  for (int64_t node = 0, inner = 0, leaf = 0; node < n; ++node) {
    if (slim.first_child[node] < 0) {
      const uint32_t* counts = slim.table + int64_t{slim.place[leaf]} * k;
      if (with_counts) std::copy(counts, counts + k, tree.value.begin() + node * k);
      tree.n_rows[node] = slim.n_rows[leaf++];
      continue;
    }
    const int32_t column = slim.feature[inner];
    tree.kind[node] = kThreshold;
    tree.n_children[node] = 2;
    tree.feature[node] = column < 0 ? ~column : column;
    tree.missing_branch[node] = column < 0;
    tree.threshold[node] = slim.threshold[inner++];
  }
  for (int64_t node = n - 1; node >= 0; --node)
    if (const int64_t child = tree.first_child[node]; child >= 0)
      for (int64_t c = child; c < child + 2; ++c) {
        for (int j = 0; with_counts && j < k; ++j) tree.value[node * k + j] += tree.value[c * k + j];
        tree.n_rows[node] += tree.n_rows[c];
      }
  return tree;
}

GrownTree made_whole(const SlimView& slim, const std::string& criterion) {
  GrownTree tree = skeleton(slim);
  const auto n = static_cast<size_t>(tree.size());
  tree.low_row.assign(n, 0);
  tree.high_row.assign(n, 0);
  tree.subset_start.assign(n, -1);
  tree.weight.resize(n);
  tree.impurity.resize(n);
  const auto stats_of = find_criterion(criterion).functions.class_stats;
  if (!stats_of) throw std::invalid_argument("criterion '" + criterion + "' has no slim trees");
  const MomentContext context{tree.n_moments, nullptr};
  NodeStats node;
  for (size_t i = 0; i < n; ++i) {
    const auto first = tree.value.begin() + static_cast<int64_t>(i) * tree.n_moments;
    node.moments.assign(first, first + tree.n_moments);
    stats_of(node, context);
    tree.weight[i] = node.weight;
    tree.impurity[i] = node.impurity;
  }
  return tree;
}

}  // namespace hedgerow

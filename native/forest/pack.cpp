#include "forest/pack.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "forest/ordered.hpp"
#include "forest/places.hpp"
#include "grow/grow.hpp"

namespace hedgerow {
namespace {

WideNode wide_node(const TreeArrays& tree, int64_t i, int64_t first_word) {
  const bool subset = tree.kind[i] == kSubset;
  WideNode node;
  node.threshold = subset ? static_cast<double>(tree.subset_start[i] + first_word) : tree.threshold[i];
  node.child = tree.first_child[i];
  node.feature = static_cast<uint32_t>(tree.feature[i]) | (subset ? 0x40000000u : 0u) |
                 (tree.missing_child[i] == tree.first_child[i] ? 0x80000000u : 0u);
  return node;
}

NarrowNode narrow_node(const TreeArrays& tree, int64_t i, int feature_bits) {
  const uint32_t missing = tree.missing_child[i] == tree.first_child[i];
  return {rounded_down(tree.threshold[i]), static_cast<uint32_t>(tree.first_child[i]) << (feature_bits + 1) |
                                               missing << feature_bits |
                                               static_cast<uint32_t>(tree.feature[i])};
}

}  // namespace

PackedForest pack_forest(const std::vector<int64_t>& sizes, bool any_subset, const TreeAt& tree_at,
                         int n_outputs, int n_features, bool narrow) {
  PackedForest out;
  Places<double> places(out.table, n_outputs);
  const int64_t total = std::accumulate(sizes.begin(), sizes.end(), int64_t{0});
  const int64_t most = *std::max_element(sizes.begin(), sizes.end());
  for (int64_t first = 0; const int64_t size : sizes) {
    out.start.push_back(first);
    first += size;
  }
  out.start.push_back(total);
  std::vector<uint32_t> place(total);
  for (size_t t = 0; t < sizes.size(); ++t) {
    const TreeArrays tree = tree_at(t);
    for (int64_t i = 0; i < tree.n_nodes; ++i)
      if (tree.kind[i] == kLeaf)
        place[out.start[t] + i] =
            places.of(tree.value + (tree.value_row ? int64_t{tree.value_row[i]} : i) * n_outputs);
  }

  const int feature_bits =
      std::max(1, static_cast<int>(std::bit_width(static_cast<uint32_t>(n_features - 1))));
  const bool fits = static_cast<int>(std::bit_width(static_cast<uint64_t>(most))) + 1 + feature_bits <= 32 &&
                    out.table.size() / n_outputs < (1u << 22) && !any_subset;
  out.feature_bits = narrow && fits ? feature_bits : 0;
  out.nodes.resize(total * (out.feature_bits ? sizeof(NarrowNode) : sizeof(WideNode)));
  for (size_t t = 0; t < sizes.size(); ++t) {
    const TreeArrays tree = tree_at(t);
    const auto first_word = static_cast<int64_t>(out.words.size());
    out.words.insert(out.words.end(), tree.subset_bits, tree.subset_bits + tree.n_words);
    for (int64_t i = 0; i < tree.n_nodes; ++i) {
      const int64_t at = out.start[t] + i;
      const bool leaf = tree.kind[i] == kLeaf;
      if (out.feature_bits) {
        const NarrowNode node =
            leaf ? NarrowNode{std::bit_cast<float>(kNarrowLeaf | place[at]),
                              static_cast<uint32_t>(i) << (feature_bits + 1) | 1u << feature_bits}
                 : narrow_node(tree, i, feature_bits);
        std::memcpy(out.nodes.data() + at * sizeof(NarrowNode), &node, sizeof(NarrowNode));
      } else {
        const WideNode node = leaf ? WideNode{std::bit_cast<double>(kWideLeaf | place[at]),
                                              static_cast<int32_t>(i), 0x80000000u}
                                   : wide_node(tree, i, first_word);
        std::memcpy(out.nodes.data() + at * sizeof(WideNode), &node, sizeof(WideNode));
      }
    }
  }
  return out;
}

PackedForest pack_forest(const std::vector<TreeArrays>& trees, int n_outputs, int n_features, bool narrow) {
  std::vector<int64_t> sizes;
  bool any_subset = false;
  for (const auto& tree : trees) {
    sizes.push_back(tree.n_nodes);
    any_subset |= tree.n_words > 0;
  }
  return pack_forest(sizes, any_subset, [&](size_t t) { return trees[t]; }, n_outputs, n_features, narrow);
}

}  // namespace hedgerow

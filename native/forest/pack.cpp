#include "forest/pack.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "grow.hpp"
#include "random.hpp"

namespace hedgerow {
namespace {

// The place of a row of numbers in a table without repetitions.
class Places {
 public:
  Places(std::vector<double>& table, int width) : table_(table), width_(width), slots_(1024, kFree) {}

  uint32_t of(const double* row) {
    uint64_t hash = 0;
    for (int k = 0; k < width_; ++k) hash = mix(hash ^ std::bit_cast<uint64_t>(row[k]));
    for (size_t slot = hash & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot] == kFree) return add(row, slot);
      if (std::memcmp(&table_[size_t{slots_[slot]} * width_], row, sizeof(double) * width_) == 0)
        return slots_[slot];
    }
  }

 private:
  static constexpr uint32_t kFree = 0xffffffffu;

  uint32_t add(const double* row, size_t slot) {
    const uint32_t place = size_++;
    table_.insert(table_.end(), row, row + width_);
    slots_[slot] = place;
    if (2 * size_t{size_} > slots_.size()) rehash();
    return place;
  }

  void rehash() {
    slots_.assign(slots_.size() * 4, kFree);
    for (uint32_t place = 0; place < size_; ++place) {
      uint64_t hash = 0;
      for (int k = 0; k < width_; ++k)
        hash = mix(hash ^ std::bit_cast<uint64_t>(table_[size_t{place} * width_ + k]));
      size_t slot = hash & (slots_.size() - 1);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = place;
    }
  }

  std::vector<double>& table_;
  int width_;
  uint32_t size_ = 0;
  std::vector<uint32_t> slots_;
};

float rounded_down(double exact) {
  const auto rounded = static_cast<float>(exact);
  return static_cast<double>(rounded) > exact
             ? std::nextafter(rounded, -std::numeric_limits<float>::infinity())
             : rounded;
}

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

PackedForest pack_forest(const std::vector<TreeArrays>& trees, int n_outputs, int n_features, bool narrow) {
  PackedForest out;
  Places places(out.table, n_outputs);
  int64_t total = 0, most = 0;
  bool any_subset = false;
  for (const auto& tree : trees) {
    out.start.push_back(total);
    total += tree.n_nodes;
    most = std::max(most, tree.n_nodes);
    any_subset |= tree.n_words > 0;
  }
  out.start.push_back(total);
  std::vector<uint32_t> place(total);
  for (size_t t = 0; t < trees.size(); ++t)
    for (int64_t i = 0; i < trees[t].n_nodes; ++i)
      if (trees[t].kind[i] == kLeaf) place[out.start[t] + i] = places.of(trees[t].value + i * n_outputs);

  const int feature_bits =
      std::max(1, static_cast<int>(std::bit_width(static_cast<uint32_t>(n_features - 1))));
  const bool fits = static_cast<int>(std::bit_width(static_cast<uint64_t>(most))) + 1 + feature_bits <= 32 &&
                    out.table.size() / n_outputs < (1u << 22) && !any_subset;
  out.feature_bits = narrow && fits ? feature_bits : 0;
  out.nodes.resize(total * (out.feature_bits ? sizeof(NarrowNode) : sizeof(WideNode)));
  for (size_t t = 0; t < trees.size(); ++t) {
    const TreeArrays& tree = trees[t];
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

}  // namespace hedgerow

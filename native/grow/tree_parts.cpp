#include "grow/tree_parts.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace hedgerow {
namespace {

// The nodes in one order, whatever the order they were grown in: depth-first, siblings adjacent.
std::vector<int32_t> canonical_order(const GrownTree& tree) {
  std::vector<int32_t> order{0}, stack{0};
  order.reserve(tree.size());
  while (!stack.empty()) {
    const int32_t child = tree.first_child[stack.back()], many = tree.n_children[stack.back()];
    stack.pop_back();
    for (int32_t k = 0; k < many; ++k) order.push_back(child + k);
    for (int32_t k = many - 1; k >= 0; --k) stack.push_back(child + k);
  }
  return order;
}

template <class T>
void reorder(std::vector<T>& values, const std::vector<int32_t>& order, int width = 1) {
  std::vector<T> moved(values.size());
  for (size_t i = 0; i < order.size(); ++i)
    std::copy_n(values.begin() + int64_t{order[i]} * width, width,
                moved.begin() + static_cast<int64_t>(i) * width);
  values = std::move(moved);
}

}  // namespace

void into_canonical_order(GrownTree& tree, int n_columns) {
  const auto order = canonical_order(tree);
  std::vector<int32_t> place(order.size());
  for (size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int32_t>(i);
  for (auto& child : tree.first_child)
    if (child >= 0) child = place[child];
  // Subsets follow the order of their nodes.
  std::vector<uint64_t> words;
  words.reserve(tree.subset_bits.size());
  std::vector<int64_t> starts;  // in the old order of words, to know where each subset ends
  for (const int64_t s : tree.subset_start)
    if (s >= 0) starts.push_back(s);
  std::sort(starts.begin(), starts.end());
  starts.push_back(static_cast<int64_t>(tree.subset_bits.size()));
  for (const int32_t node : order) {
    int64_t& start = tree.subset_start[node];
    if (start < 0) continue;
    const int64_t end = *std::upper_bound(starts.begin(), starts.end(), start);
    const auto moved = static_cast<int64_t>(words.size());
    words.insert(words.end(), tree.subset_bits.begin() + start, tree.subset_bits.begin() + end);
    start = moved;
  }
  tree.subset_bits = std::move(words);
  for (auto& node : tree.surrogate_node)
    node = place[node];  // the caller sorts by node; each node's are in order
  reorder(tree.feature, order);
  reorder(tree.first_child, order);
  reorder(tree.kind, order);
  reorder(tree.n_children, order);
  reorder(tree.missing_branch, order);
  reorder(tree.low_row, order);
  reorder(tree.high_row, order);
  reorder(tree.threshold, order);
  reorder(tree.subset_start, order);
  reorder(tree.weight, order);
  reorder(tree.impurity, order);
  reorder(tree.n_rows, order);
  reorder(tree.value, order, tree.n_moments);
  if (!tree.trace_gain.empty()) {
    reorder(tree.trace_gain, order, n_columns);
    if (!tree.trace_ratio.empty()) reorder(tree.trace_ratio, order, n_columns);
    reorder(tree.trace_low, order, n_columns);
    reorder(tree.trace_high, order, n_columns);
  }
}

void graft(GrownTree& tree, int32_t at, const GrownTree& sub) {
  if (sub.size() > std::numeric_limits<int32_t>::max() - tree.size())
    throw std::length_error("a tree of 2^31 nodes");
  const auto shift = static_cast<int32_t>(tree.size()) - 1;  // node k > 0 of the subtree becomes shift + k
  const auto bits = static_cast<int64_t>(tree.subset_bits.size());
  auto child = [&](int64_t k) { return sub.first_child[k] < 0 ? -1 : sub.first_child[k] + shift; };
  auto start = [&](int64_t k) { return sub.subset_start[k] < 0 ? -1 : sub.subset_start[k] + bits; };
  tree.feature[at] = sub.feature[0];
  tree.kind[at] = sub.kind[0];
  tree.first_child[at] = child(0);
  tree.n_children[at] = sub.n_children[0];
  tree.missing_branch[at] = sub.missing_branch[0];
  tree.low_row[at] = sub.low_row[0];
  tree.high_row[at] = sub.high_row[0];
  tree.threshold[at] = sub.threshold[0];
  tree.subset_start[at] = start(0);
  auto append = [](auto& to, const auto& from, int skip = 1) {
    to.insert(to.end(), from.begin() + skip, from.end());
  };
  for (int64_t k = 1; k < sub.size(); ++k) {
    tree.first_child.push_back(child(k));
    tree.subset_start.push_back(start(k));
  }
  append(tree.feature, sub.feature);
  append(tree.kind, sub.kind);
  append(tree.n_children, sub.n_children);
  append(tree.missing_branch, sub.missing_branch);
  append(tree.low_row, sub.low_row);
  append(tree.high_row, sub.high_row);
  append(tree.threshold, sub.threshold);
  append(tree.weight, sub.weight);
  append(tree.impurity, sub.impurity);
  append(tree.n_rows, sub.n_rows);
  append(tree.value, sub.value, sub.n_moments);
  append(tree.subset_bits, sub.subset_bits, 0);
}

void clear(GrownTree& tree) {
  for (auto* whole : {&tree.feature, &tree.first_child, &tree.n_children, &tree.missing_branch,
                      &tree.surrogate_node, &tree.surrogate_feature})
    whole->clear();
  for (auto* rows : {&tree.low_row, &tree.high_row, &tree.trace_low, &tree.trace_high, &tree.surrogate_low,
                     &tree.surrogate_high})
    rows->clear();
  for (auto* numbers : {&tree.threshold, &tree.value, &tree.weight, &tree.impurity, &tree.trace_gain,
                        &tree.trace_ratio, &tree.surrogate_agreement, &tree.surrogate_adjusted})
    numbers->clear();
  for (auto* starts : {&tree.subset_start, &tree.n_rows, &tree.surrogate_subset}) starts->clear();
  for (auto* words : {&tree.subset_bits, &tree.surrogate_bits}) words->clear();
  for (auto* bytes : {&tree.kind, &tree.surrogate_first_below}) bytes->clear();
}

int32_t append_node(GrownTree& tree, double weight, double impurity, int64_t n_rows,
                    const std::vector<double>& value) {
  if (tree.size() >= std::numeric_limits<int32_t>::max() - 2) throw std::length_error("a tree of 2^31 nodes");
  tree.feature.push_back(-1);
  tree.kind.push_back(kLeaf);
  tree.first_child.push_back(-1);
  tree.n_children.push_back(0);
  tree.missing_branch.push_back(-1);
  tree.low_row.push_back(0);
  tree.high_row.push_back(0);
  tree.threshold.push_back(std::numeric_limits<double>::quiet_NaN());
  tree.subset_start.push_back(-1);
  tree.weight.push_back(weight);
  tree.impurity.push_back(impurity);
  tree.n_rows.push_back(n_rows);
  tree.value.insert(tree.value.end(), value.begin(), value.end());
  return static_cast<int32_t>(tree.size() - 1);
}

SubsetWriter::SubsetWriter(GrownTree& tree, int32_t node, int32_t n_levels, bool absent_left) {
  const int64_t n_bits = int64_t{n_levels} + 1, start = static_cast<int64_t>(tree.subset_bits.size());
  tree.subset_start[node] = start;
  tree.subset_bits.resize(start + (n_bits + 63) / 64, 0);
  words_ = tree.subset_bits.data() + start;
  if (absent_left)
    for (int64_t bit = 0; bit < n_bits; ++bit) words_[bit >> 6] |= uint64_t{1} << (bit & 63);
}

void SubsetWriter::set(uint32_t level, bool left) {
  const uint64_t bit = uint64_t{1} << (level & 63);
  words_[level >> 6] = left ? words_[level >> 6] | bit : words_[level >> 6] & ~bit;
}

}  // namespace hedgerow

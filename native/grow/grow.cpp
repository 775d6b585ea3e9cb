#include "grow/grow.hpp"

#include <memory>
#include <stdexcept>

#include "criteria/absolute_error.hpp"
#include "criteria/conditional_entropy.hpp"
#include "criteria/entropy.hpp"
#include "criteria/exponential.hpp"
#include "criteria/gain_ratio.hpp"
#include "criteria/gini.hpp"
#include "criteria/misclassification.hpp"
#include "criteria/poisson.hpp"
#include "criteria/squared_error.hpp"
#include "grow/forker.hpp"
#include "grow/grower.hpp"

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
  for (auto& node : tree.stand_node)
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

// Hangs a subtree, grown on its own, under the leaf of `tree` that stands for its root.
void hang(GrownTree& tree, int32_t at, const GrownTree& sub) {
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

template <class Rule, class Entry>
GrownTree grow_with(const GrowInput& input, Crew& crew) {
  constexpr bool medians = std::string_view(Rule::name) == "absolute_error";
  Patch<Entry> patch = whole_patch<Entry>(input, medians, crew);
  std::unique_ptr<Logs> logs;
  if (std::is_base_of_v<Entropy, Rule> && !input.weight) logs = std::make_unique<Logs>(patch.n);
  const MomentContext context{Rule::of_classes ? input.n_classes : 1, logs.get()};
  const int n_columns = static_cast<int>(input.columns.size());

  Grower<Rule, Entry> grower(input, patch, context, 0.0, &crew, crew.stop());
  OpenNode root = grower.root();
  const double root_weight = root.standing.weight;
  grower.set_root_weight(root_weight);
  if (input.limits.max_leaves > 0) {
    grower.grow_best_first(std::move(root));
  } else if (input.trace) {
    grower.grow_depth_first(std::move(root), [](const OpenNode&) { return false; });
  } else {
    // Subtrees small enough become patches of their own, one task each.
    std::vector<OpenNode> subtrees;
    const int64_t share = crew.size() > 1 ? patch.n / (4 * crew.size()) : patch.n;
    const int64_t limit = std::min(input.patch_rows, std::max<int64_t>(share, 1024));
    grower.grow_depth_first(std::move(root), [&](OpenNode& node) {
      if (node.standing.rows() > limit) return false;
      subtrees.push_back(std::move(node));
      return true;
    });
    std::vector<GrownTree> grown(subtrees.size());
    std::vector<uint32_t> place(patch.n);
    // Largest first, so that no worker is left alone with the largest at the end.
    std::vector<int32_t> order(subtrees.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
      return subtrees[a].standing.rows() > subtrees[b].standing.rows();
    });
    crew.run(static_cast<int64_t>(subtrees.size()), [&](int64_t task, int) {
      OpenNode& node = subtrees[order[task]];
      std::vector<int32_t> columns = node.live;
      if (medians) columns.push_back(n_columns);
      Patch<Entry> own =
          sub_patch<Entry, Entry>(patch, node.standing.begin, node.standing.end, columns, place);
      Grower<Rule, Entry> sub(input, own, context, root_weight, nullptr, crew.stop());
      OpenNode top = std::move(node);
      const int32_t id = top.id;
      top.standing.end = own.n;
      top.standing.begin = 0;
      sub.grow_depth_first(std::move(top), [](const OpenNode&) { return false; });
      node.id = id;
      grown[order[task]] = std::move(sub.tree());
    });
    for (size_t i = 0; i < subtrees.size(); ++i) hang(grower.tree(), subtrees[i].id, grown[i]);
  }
  if (input.trace) resize_trace(grower.tree(), grower.tree().size() * input.columns.size(), false);
  GrownTree tree = std::move(grower.tree());
  into_canonical_order(tree, n_columns);
  return tree;
}

template <class Rule, class Entry>
GrownTree fork_with(const GrowInput& input, Crew& crew) {
  auto patch = std::make_unique<Patch<Entry>>(whole_patch<Entry>(input, false, crew));
  std::unique_ptr<Logs> logs;
  if (Rule::of_classes && Rule::sums_terms && !input.weight) logs = std::make_unique<Logs>(patch->n);
  const MomentContext context{Rule::of_classes ? input.n_classes : 1, logs.get()};
  GrownTree tree = Forker<Rule, Entry>(input, context, crew).grow(std::move(patch));
  into_canonical_order(tree, static_cast<int>(input.columns.size()));
  return tree;
}

template <class Rule>
GrownTree grow_rule(const GrowInput& input, Crew& crew) {
  const int64_t n = input.rows ? input.n_used : input.n_rows;
  const bool small = bits_for(n) + (Rule::of_classes ? bits_for(input.n_classes) : 0) + 2 <= 32;
  constexpr bool medians = std::string_view(Rule::name) == "absolute_error";
  constexpr bool ratio = std::string_view(Rule::name) == "gain_ratio";
  const bool forked = input.multiway || input.fractional || input.surrogates > 0 || ratio;
  if (forked && (medians || input.limits.random_splits || input.limits.max_leaves > 0))
    throw std::invalid_argument(
        "multiway splits, fractional instances and gain ratio do not go with medians, "
        "random splits or a limit of leaves");
  if constexpr (!medians)
    if (forked)
      return small ? fork_with<Rule, uint32_t>(input, crew) : fork_with<Rule, uint64_t>(input, crew);
  if constexpr (!ratio)
    return small ? grow_with<Rule, uint32_t>(input, crew) : grow_with<Rule, uint64_t>(input, crew);
  throw std::logic_error("not reached");
}

}  // namespace

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

GrownTree grow_tree(const GrowInput& input, Crew& crew) {
  if (input.criterion == Gini::name) return grow_rule<Gini>(input, crew);
  if (input.criterion == Entropy::name) return grow_rule<Entropy>(input, crew);
  if (input.criterion == Misclassification::name) return grow_rule<Misclassification>(input, crew);
  if (input.criterion == Exponential::name) return grow_rule<Exponential>(input, crew);
  if (input.criterion == SquaredError::name) return grow_rule<SquaredError>(input, crew);
  if (input.criterion == AbsoluteError::name) return grow_rule<AbsoluteError>(input, crew);
  if (input.criterion == Poisson::name) return grow_rule<Poisson>(input, crew);
  if (input.criterion == GainRatio::name) return grow_rule<GainRatio>(input, crew);
  if (input.criterion == ConditionalEntropy::name) return grow_rule<ConditionalEntropy>(input, crew);
  throw std::invalid_argument("unknown criterion '" + input.criterion + "'");
}

}  // namespace hedgerow

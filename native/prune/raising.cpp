#include "prune/raising.hpp"

#include <cmath>

namespace hedgerow {
namespace {

constexpr double kAlike = 1e-6;  // weights of branches this near are equal

struct Walker {
  uint32_t row;
  double share;
};

using Walkers = std::vector<Walker>;

class Raising {
 public:
  Raising(const RaisingInput& input, Stop& stop)
      : in_(input),
        stop_(stop),
        k_(input.n_classes),
        nodes_(input.tree.nodes, input.tree.nodes + input.tree.n_nodes),
        test_(nodes_.size()),
        moved_(nodes_.size(), 0),
        lost_(nodes_.size(), 0),
        below_(nodes_.size(), 0.0),
        counts_(nodes_.size() * k_, 0.0),
        at_(nodes_.size()),
        sent_(nodes_.size()),
        share_of_(input.rows.n_rows, 0.0) {
    for (size_t t = 0; t < nodes_.size(); ++t) test_[t] = nodes_[t].kind ? static_cast<int32_t>(t) : -1;
  }

  Raised run(ThreadTeam& team) {
    arrive(team);
    judge_all();
    return told();
  }

 private:
  double weight(uint32_t row) const { return in_.weight ? in_.weight[row] : 1.0; }
  double* counts(int32_t t) { return counts_.data() + int64_t{t} * k_; }
  bool is_leaf(int32_t t) const { return nodes_[t].kind == 0; }

  double load(int32_t t) {
    double sum = 0;
    for (int k = 0; k < k_; ++k) sum += counts(t)[k];
    return sum;
  }

  double errors_of(const double* counts) const {
    double sum = 0, most = 0;
    for (int k = 0; k < k_; ++k) sum += counts[k], most = std::max(most, counts[k]);
    return expected_errors(sum, sum - most, in_.log_confidence, in_.z);
  }

  // Every row to its leaves, and what surrogates at each node.
  void arrive(ThreadTeam& team) {
    const Ends ends = multiway_ends(in_.tree, in_.rows, team);
    for (size_t i = 0; i < ends.row.size(); ++i) {
      const auto row = static_cast<uint32_t>(ends.row[i]);
      if (weight(row) > 0) at_[ends.leaf[i]].push_back({row, ends.share[i]});
    }
    for (auto t = static_cast<int32_t>(nodes_.size()); t-- > 0;) add_up(t);
    mark_lost();
  }

  // Counts of a leaf from its rows, of another node from its children.
  void add_up(int32_t t) {
    double* to = counts(t);
    std::fill(to, to + k_, 0.0);
    for (const Walker& w : at_[t]) to[in_.classes[w.row]] += weight(w.row) * w.share;
    for (int32_t c = 0; c < nodes_[t].n_children; ++c) {
      const double* from = counts(nodes_[t].child + c);
      for (int k = 0; k < k_; ++k) to[k] += from[k];
    }
  }

  // A node loses rows when a part of one lies below it; found by the rows themselves.
  void mark_lost() {
    if (std::none_of(nodes_.begin(), nodes_.end(),
                     [](const MultiwayNode& n) { return n.kind && n.missing == kEveryChild; }))
      return;
    std::vector<int32_t> up(nodes_.size(), -1);
    for (size_t t = 0; t < nodes_.size(); ++t)
      for (int32_t c = 0; c < nodes_[t].n_children; ++c) up[nodes_[t].child + c] = static_cast<int32_t>(t);
    for (size_t leaf = 0; leaf < nodes_.size(); ++leaf)
      for (const Walker& w : at_[leaf])
        for (int32_t t = up[leaf]; w.share < 1 && t >= 0; t = up[t])
          if (!lost_[t] && way_of(in_.tree, nodes_[t], test_[t], in_.rows, w.row) == kEveryChild)
            lost_[t] = 1;
  }

  bool loses_below(int32_t t) {
    bool lost = false;
    for_each_below(t, [&](int32_t node) { lost |= lost_[node] != 0; });
    return lost;
  }

  // The node and all below it, parents first.
  template <class Visit>
  void for_each_below(int32_t t, Visit visit) {
    std::vector<int32_t> stack{t};
    while (!stack.empty()) {
      const int32_t node = stack.back();
      stack.pop_back();
      visit(node);
      for (int32_t c = nodes_[node].n_children; c-- > 0;) stack.push_back(nodes_[node].child + c);
    }
  }

  void judge_all() {
    struct Step {
      int32_t node;
      bool children_done;
    };
    std::vector<Step> stack{{0, false}};
    while (!stack.empty()) {
      stop_.check();
      const Step step = stack.back();
      stack.pop_back();
      const int32_t t = step.node;
      if (is_leaf(t)) {
        below_[t] = errors_of(counts(t));
      } else if (!step.children_done) {
        stack.push_back({t, true});
        for (int32_t c = nodes_[t].n_children; c-- > 0;) stack.push_back({nodes_[t].child + c, false});
      } else if (judge(t)) {
        stack.push_back({t, false});
      }
    }
  }

  // Returns whether a branch was raised, so that all has to be judged again from below.
  bool judge(int32_t t) {
    const double own = errors_of(counts(t));
    double as_tree = 0;
    for (int32_t c = 0; c < nodes_[t].n_children; ++c) as_tree += below_[nodes_[t].child + c];
    below_[t] = as_tree;
    const int32_t branch = largest(t);
    const bool all = !is_leaf(branch) && loses_below(branch);
    const double lifted = is_leaf(branch) ? own : lift(t, branch, all);
    if (own <= as_tree + in_.tolerance && own <= lifted + in_.tolerance)
      make_leaf(t, own);
    else if (lifted <= as_tree + in_.tolerance) {
      put_up(t, branch, all);
      return true;
    }
    forget_sent();
    return false;
  }

  // The heaviest child; the last of equal ones.
  int32_t largest(int32_t t) {
    int32_t best = nodes_[t].child;
    for (int32_t c = 1; c < nodes_[t].n_children; ++c)
      if (load(nodes_[t].child + c) >= load(best) - kAlike) best = nodes_[t].child + c;
    return best;
  }

  // The rows below t, the parts of each put together; without those in `but`.
  Walkers gathered(int32_t t, int32_t but) {
    Walkers out;
    std::vector<int32_t> stack{t};
    while (!stack.empty()) {
      const int32_t node = stack.back();
      stack.pop_back();
      if (node == but) continue;
      for (const Walker& w : at_[node]) {
        if (share_of_[w.row] == 0) out.push_back(w);
        share_of_[w.row] += w.share;
      }
      for (int32_t c = nodes_[node].n_children; c-- > 0;) stack.push_back(nodes_[node].child + c);
    }
    for (Walker& w : out) {
      w.share = share_of_[w.row];
      share_of_[w.row] = 0;
    }
    return out;
  }

  // Errors of the branch, given all rows of t. `all`: its own rows are sent too; else they stay where they
  // are.
  double lift(int32_t t, int32_t branch, bool all) {
    newly_lost_.clear();
    send(branch, gathered(t, all ? -1 : branch), !all, [&](int32_t node, const Walkers& w, bool loses) {
      if (loses) newly_lost_.push_back(node);
      if (is_leaf(node)) {
        sent_[node] = w;
        reached_.push_back(node);
      }
    });
    double sum = 0;
    std::vector<double> here(k_);
    for_each_below(branch, [&](int32_t node) {
      if (!is_leaf(node)) return;
      if (sent_[node].empty() && !all) {
        sum += below_[node];
        return;
      }
      std::fill(here.begin(), here.end(), 0.0);
      if (!all) std::copy(counts(node), counts(node) + k_, here.begin());
      for (const Walker& w : sent_[node]) here[in_.classes[w.row]] += weight(w.row) * w.share;
      sum += errors_of(here.data());
    });
    return sum;
  }

  // Rows down from a node. `stay`: the rows that are there already count for the shares of those that are
  // spread. Tells of each node that rows come to: who comes, and whether some of them are spread there.
  template <class Tell>
  void send(int32_t from, Walkers walkers, bool stay, Tell tell) {
    std::vector<std::pair<int32_t, Walkers>> stack;
    stack.emplace_back(from, std::move(walkers));
    while (!stack.empty()) {
      stop_.check();
      auto [t, here] = std::move(stack.back());
      stack.pop_back();
      if (here.empty()) continue;
      const MultiwayNode& node = nodes_[t];
      if (is_leaf(t)) {
        tell(t, here, false);
        continue;
      }
      std::vector<Walkers> to(node.n_children);
      Walkers lost;
      for (const Walker& w : here) {
        const int32_t way = way_of(in_.tree, node, test_[t], in_.rows, w.row);
        (way == kEveryChild ? lost : to[way - node.child]).push_back(w);
      }
      tell(t, here, !lost.empty());
      if (!lost.empty()) share_out(node, lost, stay, to);
      for (int32_t c = node.n_children; c-- > 0;) stack.emplace_back(node.child + c, std::move(to[c]));
    }
  }

  void share_out(const MultiwayNode& node, const Walkers& lost, bool stay, std::vector<Walkers>& to) {
    std::vector<double> part(node.n_children, 0.0);
    double total = 0;
    for (int32_t c = 0; c < node.n_children; ++c) {
      if (stay) part[c] = load(node.child + c);
      for (const Walker& w : to[c]) part[c] += weight(w.row) * w.share;
      total += part[c];
    }
    for (int32_t c = 0; c < node.n_children; ++c) {
      const double of_it = total > 0 ? part[c] / total : 1.0 / node.n_children;
      for (const Walker& w : lost)
        if (of_it > 0) to[c].push_back({w.row, w.share * of_it});
    }
  }

  void make_leaf(int32_t t, double own) {
    Walkers all = gathered(t, -1);
    for_each_below(t, [&](int32_t node) { at_[node] = {}; });
    at_[t] = std::move(all);
    nodes_[t].kind = 0;
    nodes_[t].n_children = 0;
    test_[t] = -1;
    lost_[t] = 0;
    below_[t] = own;
  }

  void put_up(int32_t t, int32_t branch, bool all) {
    for_each_below(t, [&](int32_t node) { moved_[node] = 1; });
    for (int32_t c = 0; c < nodes_[t].n_children; ++c) {
      const int32_t child = nodes_[t].child + c;
      if (child != branch) for_each_below(child, [&](int32_t node) { at_[node] = {}; });
    }
    if (all)
      for_each_below(branch, [&](int32_t node) {
        at_[node].clear();
        lost_[node] = 0;
      });
    for (const int32_t node : newly_lost_) lost_[node] = 1;
    for (const int32_t leaf : reached_) {
      at_[leaf].insert(at_[leaf].end(), sent_[leaf].begin(), sent_[leaf].end());
      sent_[leaf].clear();
    }
    reached_.clear();
    nodes_[t] = nodes_[branch];
    test_[t] = test_[branch];
    lost_[t] = lost_[branch];
    std::vector<int32_t> order;
    for_each_below(t, [&](int32_t node) { order.push_back(node); });
    for (auto node = order.rbegin(); node != order.rend(); ++node) add_up(*node);
  }

  void forget_sent() {
    for (const int32_t leaf : reached_) sent_[leaf].clear();
    reached_.clear();
  }

  Raised told() {
    Raised out;
    out.counts.assign(counts_.size(), 0.0);
    out.n_rows.assign(nodes_.size(), 0);
    if (std::any_of(moved_.begin(), moved_.end(), [](uint8_t moved) { return moved != 0; })) {
      Walkers everyone;
      for (int64_t row = 0; row < in_.rows.n_rows; ++row)
        if (weight(static_cast<uint32_t>(row)) > 0) everyone.push_back({static_cast<uint32_t>(row), 1.0});
      send(0, std::move(everyone), false, [&](int32_t t, const Walkers& here, bool) {
        out.n_rows[t] = static_cast<int64_t>(here.size());
        for (const Walker& w : here)
          out.counts[int64_t{t} * k_ + in_.classes[w.row]] += weight(w.row) * w.share;
      });
    }
    out.test = std::move(test_);
    out.moved = std::move(moved_);
    return out;
  }

  const RaisingInput& in_;
  Stop& stop_;
  const int k_;
  std::vector<MultiwayNode> nodes_;
  std::vector<int32_t> test_;
  std::vector<uint8_t> moved_, lost_;  // lost: some rows are spread at the node
  std::vector<double> below_;          // expected errors of the subtree
  std::vector<double> counts_;         // nodes x classes
  std::vector<Walkers> at_, sent_;     // rows at leaves; rows sent there on trial
  std::vector<int32_t> reached_, newly_lost_;
  std::vector<double> share_of_;  // by row, scratch: all zero between uses
};

}  // namespace

double expected_errors(double rows, double wrong, double log_confidence, double z) {
  if (!(rows > 0)) return 0;
  auto many = [&](double e) {
    if (e + 0.5 >= rows) return std::max(0.0, rows - e);
    const double share = (e + 0.5) / rows;
    const double spread = std::sqrt(std::max(0.0, share * (1 - share) / rows + z * z / (4 * rows * rows)));
    return (share + z * z / (2 * rows) + z * spread) / (1 + z * z / rows) * rows - e;
  };
  if (wrong >= 1) return wrong + many(wrong);
  const double none = rows * -std::expm1(log_confidence / rows);
  return wrong + none + wrong * (many(1.0) - none);
}

Raised raise_branches(const RaisingInput& input, ThreadTeam& team) {
  return Raising(input, team.stop()).run(team);
}

}  // namespace hedgerow

#include "prune/weakest_link.hpp"

#include <algorithm>
#include <limits>
#include <queue>

namespace hedgerow {

Cuts weakest_links(const int32_t* parent, const double* risk, int64_t n_nodes) {
  std::vector<double> below(n_nodes, 0.0);  // risk of the leaves below
  std::vector<int64_t> leaves(n_nodes, 0);
  std::vector<uint8_t> inner(n_nodes, 0), gone(n_nodes, 0);
  std::vector<int32_t> first(n_nodes, -1), sibling(n_nodes, -1);  // children as linked lists
  for (int64_t t = n_nodes - 1; t > 0; --t) {
    inner[parent[t]] = 1;
    sibling[t] = first[parent[t]];
    first[parent[t]] = static_cast<int32_t>(t);
  }
  for (int64_t t = n_nodes - 1; t >= 0; --t) {
    if (!inner[t]) {
      below[t] = risk[t];
      leaves[t] = 1;
    }
    if (t > 0) {
      below[parent[t]] += below[t];
      leaves[parent[t]] += leaves[t];
    }
  }
  auto link = [&](int64_t t) { return (risk[t] - below[t]) / static_cast<double>(leaves[t] - 1); };
  struct Entry {
    double strength;
    int32_t node;
    int64_t leaves;  // the entry is stale when the node has another number of leaves now
  };
  auto stronger = [](const Entry& a, const Entry& b) {
    return a.strength != b.strength ? a.strength > b.strength : a.node > b.node;
  };
  std::priority_queue<Entry, std::vector<Entry>, decltype(stronger)> queue(stronger);
  for (int64_t t = 0; t < n_nodes; ++t)
    if (inner[t]) queue.push({link(t), static_cast<int32_t>(t), leaves[t]});

  Cuts cuts;
  cuts.alpha.assign(n_nodes, std::numeric_limits<double>::infinity());
  std::vector<int32_t> stack;
  while (!queue.empty()) {
    const Entry weakest = queue.top();
    queue.pop();
    const int32_t t = weakest.node;
    if (gone[t] || weakest.leaves != leaves[t]) continue;
    cuts.alpha[t] = weakest.strength;
    cuts.order.push_back(t);
    stack.assign(1, t);  // everything below disappears
    while (!stack.empty()) {
      const int32_t node = stack.back();
      stack.pop_back();
      gone[node] = 1;
      for (int32_t child = first[node]; child >= 0; child = sibling[child])
        if (!gone[child]) stack.push_back(child);
    }
    const double more_risk = risk[t] - below[t];
    const int64_t fewer = leaves[t] - 1;
    for (int32_t up = t; up >= 0; up = up > 0 ? parent[up] : -1) {
      below[up] += more_risk;
      leaves[up] -= fewer;
      if (up != t) queue.push({link(up), up, leaves[up]});
    }
    cuts.risk.push_back(below[0]);
  }
  return cuts;
}

}  // namespace hedgerow

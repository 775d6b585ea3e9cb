#include "gradient/grow.hpp"

#include <atomic>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>

#include "common/random.hpp"
#include "gradient/histogram.hpp"
#include "gradient/partition.hpp"
#include "gradient/sparse.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kWorthSharing = 1 << 13;  // rows of a node: below, a group of columns has one task
constexpr int64_t kWorthParting = 1 << 15;  // rows: below, one thread parts them
constexpr int64_t kFewHistograms = 4;       // are kept in any case

struct Node {
  int64_t begin = 0;
  NodeSums sums;
  int32_t depth = 0;
  uint64_t key = 0;               // of its random numbers
  std::vector<uint8_t> together;  // interaction groups still possible; empty: no constraint
  Cells cells;
  Split split;
  int32_t left = -1, right = -1;
};

using Urgency = std::tuple<double, double, int32_t>;
using Open = std::pair<Urgency, int32_t>;

class Grower {
 public:
  Grower(const BinnedTable& table, const int64_t* words, const Units& units, const uint32_t* rows, int64_t n,
         const GrowOptions& options, SpareMemory& spare, ThreadTeam& team)
      : table_(table),
        words_(words),
        units_(units),
        options_(options),
        team_(team),
        scratch_(spare.parting),
        written_(spare.written),
        spare_(spare.cells) {
    if (spare.n_cells != table.groups.n_cells) spare.cells.clear();
    spare.n_cells = table.groups.n_cells;
    scratch_.resize(n);
    identity_ = rows == nullptr;
    tree_.rows.resize(n);
    if (rows) std::copy(rows, rows + n, tree_.rows.begin());
    partial_.resize(team.size());
    locks_ = std::vector<std::mutex>(table.groups.groups.size());
    most_kept_ = most_histograms();
    n_groups_ = useful_groups();
    Node root;
    root.sums.n_rows = n;
    root.sums.total = sum_of_words(rows, n);
    root.sums.set_least_gain(options.split, units);
    root.key = root_key(options.seed);
    root.together.assign(options.interactions.size(), 1);
    nodes_.push_back(std::move(root));
  }

  GradientTree grow() {
    if (can_split(nodes_[0])) {
      nodes_[0].cells = new_cells();
      build_and_choose(0, -1, true);
      offer(0);
    }
    while (!open_.empty() && (options_.max_leaves == 0 || n_leaves_ < options_.max_leaves)) {
      const auto first = std::prev(open_.end());
      const int32_t at = first->second;
      kept_.erase(*first);
      open_.erase(first);
      expand(at);
    }
    if (identity_)
      for (size_t i = 0; i < tree_.rows.size(); ++i) tree_.rows[i] = static_cast<uint32_t>(i);
    write_tree();
    for (Node& node : nodes_)
      if (node.cells) spare_.push_back(std::move(node.cells));
    return std::move(tree_);
  }

 private:
  int64_t sum_of_words(const uint32_t* rows, int64_t n) const {
    std::vector<int64_t> parts((n + kWorthSharing - 1) / kWorthSharing);
    team_.run(static_cast<int64_t>(parts.size()), [&](int64_t task, int) {
      int64_t sum = 0;
      for (int64_t k = task * kWorthSharing; k < std::min(n, (task + 1) * kWorthSharing); ++k)
        sum += words_[rows ? rows[k] : k];
      parts[task] = sum;
    });
    return std::accumulate(parts.begin(), parts.end(), int64_t{0});
  }

  // Open leaves keep their histograms as far as these have no more bytes than what they are made of.
  int64_t most_histograms() const {
    int64_t read = 0;
    for (const Group& group : table_.groups.groups)
      read += group.sparse() ? 0 : table_.n_rows * static_cast<int64_t>(group.columns.size());
    if (table_.groups.n_sparse() > 0)
      read += 2 * table_.entry_start[table_.groups.n_sparse() * (table_.n_rows + 1) - 1];
    return std::max(kFewHistograms, read / (8 * std::max<int64_t>(1, table_.groups.n_cells)));
  }

  // Without the last ones, if too few rows have other codes for a side of any split.
  int64_t useful_groups() const {
    const Groups& all = table_.groups;
    size_t n = all.groups.size();
    while (n > all.n_dense && !may_suffice(all.groups[n - 1].most_others, options_.split, units_)) --n;
    return static_cast<int64_t>(n);
  }

  bool can_split(const Node& node) const {
    return node.sums.n_rows >= 2 * options_.split.min_rows && node.sums.n_rows >= 2 &&
           (options_.max_depth == 0 || node.depth < options_.max_depth);
  }

  Cells new_cells() {
    if (spare_.empty()) return Cells(new (std::align_val_t{64}) int64_t[table_.groups.n_cells]);
    Cells cells = std::move(spare_.back());
    spare_.pop_back();
    return cells;
  }

  // Without a limit of leaves every leaf that can be split is split, in whatever order: the latest first
  // keeps few histograms. Else the largest gain first, within a level if the tree grows level by level.
  void offer(int32_t at) {
    Node& node = nodes_[at];
    if (node.split.column < 0) return release(node);
    std::pair<double, double> urgency{0.0, node.split.gain};
    if (options_.max_leaves == 0)
      urgency = {0.0, static_cast<double>(at)};
    else if (options_.level_by_level)
      urgency.first = -node.depth;
    const Open own{{urgency.first, urgency.second, -at}, at};
    open_.insert(own);
    kept_.insert(own);
    if (options_.max_leaves > 0 && static_cast<int64_t>(open_.size()) > options_.max_leaves - n_leaves_) {
      drop_histogram(*open_.begin());  // its turn would not come
      open_.erase(open_.begin());
    }
    if (static_cast<int64_t>(kept_.size()) > most_kept_) drop_histogram(*kept_.begin());
  }

  // The gain below which the turn of a leaf would not come.
  double least_wanted() const {
    const bool full = options_.max_leaves > 0 &&
                      static_cast<int64_t>(open_.size()) >= options_.max_leaves - n_leaves_ && !open_.empty();
    return full && !options_.level_by_level ? nodes_[open_.begin()->second].split.gain : 0.0;
  }

  void drop_histogram(Open of) {
    if (kept_.erase(of)) release(nodes_[of.second]);
  }

  void release(Node& node) { spare_.push_back(std::move(node.cells)); }

  void expand(int32_t at) {
    const Split split = nodes_[at].split;
    const int64_t begin = nodes_[at].begin, n = nodes_[at].sums.n_rows;
    uint8_t goes_left[kMaxCodes];
    fill_goes_left(split, table_.columns[split.column], goes_left);
    const int64_t fair = (n + team_.size() - 1) / team_.size();
    const int64_t block =
        std::min(options_.block_rows, n < kWorthParting ? n : std::max(fair, kWorthParting / 4));
    const int64_t n_left = part_rows(codes_of(split.column, nodes_[at]), goes_left, tree_.rows.data() + begin,
                                     n, identity_, scratch_.data(), block, team_);
    identity_ = false;
    const auto left = static_cast<int32_t>(nodes_.size()), right = left + 1;
    nodes_.push_back(child_of(at, 0, n_left));
    nodes_.push_back(child_of(at, 1, n_left));
    nodes_[at].left = left;
    nodes_[at].right = right;
    ++n_leaves_;
    const bool more = options_.max_leaves == 0 || n_leaves_ < options_.max_leaves;
    const bool left_smaller = n_left <= n - n_left;
    const int32_t smaller = left_smaller ? left : right, larger = left_smaller ? right : left;
    if (more && can_split(nodes_[larger])) {
      const bool whole =
          nodes_[at].cells == nullptr;  // the histogram of the larger is built, not what is left
      nodes_[larger].cells = whole ? new_cells() : std::move(nodes_[at].cells);
      if (whole) build_and_choose(larger, -1, true);
      if (!whole || can_split(nodes_[smaller])) {
        nodes_[smaller].cells = new_cells();
        build_and_choose(smaller, whole ? -1 : larger, can_split(nodes_[smaller]));
        offer(smaller);
      }
      offer(larger);
    } else if (nodes_[at].cells) {
      release(nodes_[at]);
    }
  }

  Node child_of(int32_t at, int which, int64_t n_left) const {
    const Node& parent = nodes_[at];
    const Split& split = parent.split;
    Node child;
    child.depth = parent.depth + 1;
    child.key = child_key(parent.key, which);
    child.begin = parent.begin + (which ? n_left : 0);
    child.sums.n_rows = which ? parent.sums.n_rows - n_left : n_left;
    child.sums.total = which ? parent.sums.total - split.left : split.left;
    child.sums.set_least_gain(options_.split, units_);
    child.sums.low = parent.sums.low;
    child.sums.high = parent.sums.high;
    if (const int8_t way = table_.columns[split.column].monotone; way != 0) {
      // Both sides keep to their side of the middle, so that nothing below breaks the order.
      const double vl = leaf_value(split.left, parent.sums, options_.split, units_);
      const double vr = leaf_value(parent.sums.total - split.left, parent.sums, options_.split, units_);
      const double middle = 0.5 * (vl + vr);
      ((which == 0) == (way > 0) ? child.sums.high : child.sums.low) = middle;
    }
    child.together = parent.together;
    for (size_t k = 0; k < child.together.size(); ++k) {
      const auto& columns = options_.interactions[k];
      child.together[k] &= std::find(columns.begin(), columns.end(), split.column) != columns.end();
    }
    return child;
  }

  std::vector<uint8_t> allowed(const Node& node) const {
    const size_t d = table_.columns.size();
    std::vector<uint8_t> mask(d, 1);
    if (options_.used_columns) std::copy(options_.used_columns, options_.used_columns + d, mask.begin());
    if (!node.together.empty()) {
      std::vector<uint8_t> meet(d, 0);
      for (size_t k = 0; k < node.together.size(); ++k)
        if (node.together[k])
          for (int32_t j : options_.interactions[k]) meet[j] = 1;
      for (size_t j = 0; j < d; ++j) mask[j] &= meet[j];
    }
    if (options_.max_features > 0) draw(node.key, mask);
    return mask;
  }

  void draw(uint64_t key, std::vector<uint8_t>& mask) const {
    std::vector<int32_t> columns;
    for (size_t j = 0; j < mask.size(); ++j)
      if (mask[j]) columns.push_back(static_cast<int32_t>(j));
    Random random(key);
    const size_t many = std::min<size_t>(columns.size(), options_.max_features);
    for (size_t k = 0; k < many; ++k)
      std::swap(columns[k], columns[k + random.below(static_cast<uint32_t>(columns.size() - k))]);
    std::fill(mask.begin(), mask.end(), 0);
    for (size_t k = 0; k < many; ++k) mask[columns[k]] = 1;
  }

  // The histogram of `built`, that of `rest` (or -1) by subtraction, and the best split of both.
  void build_and_choose(int32_t built, int32_t rest, bool choose_built) {
    const size_t d = table_.columns.size();
    const std::vector<uint8_t> mask_built =
        choose_built ? allowed(nodes_[built]) : std::vector<uint8_t>(d, 0);
    const std::vector<uint8_t> mask_rest = rest >= 0 ? allowed(nodes_[rest]) : std::vector<uint8_t>(d, 0);
    const auto& groups = table_.groups.groups;
    for (auto& found : found_) {
      found.resize(groups.size());
      for (auto& own : found) own.clear();
    }
    // Only splits that gain less are left out: than the least leaf that is wanted, and than the largest gain
    // of a sure split so far, whichever thread found it.
    const double least = least_wanted();
    std::atomic<double> bars[2] = {least, least};
    auto ask = [&](int side, int32_t node, int64_t g, int32_t j) {
      double bar = bars[side].load(std::memory_order_relaxed);
      const Split split = choose(nodes_[node], j, nullptr, bar);
      if (split.column < 0) return;
      found_[side][g].push_back(split);
      while (split.sure && split.gain > bar && !bars[side].compare_exchange_weak(bar, split.gain)) {
      }
    };
    auto finish = [&](int64_t g) {
      const Group& group = groups[g];
      if (group.sparse())
        fill_usual(table_, group, nodes_[built].sums.total, nodes_[built].cells.get() + group.cells_start);
      if (rest >= 0)
        subtract_histogram(nodes_[rest].cells.get() + group.cells_start,
                           nodes_[built].cells.get() + group.cells_start, group.n_cells);
      for (int32_t j : group.columns) {
        if (mask_built[j]) ask(0, built, g, j);
        if (mask_rest[j]) ask(1, rest, g, j);
      }
    };
    const int64_t n = nodes_[built].sums.n_rows;
    const bool shared =
        n > options_.block_rows || (team_.size() > 1 && n_groups_ % team_.size() != 0 && n >= kWorthSharing);
    if (shared) {
      build_in_blocks(nodes_[built]);
      team_.run(n_groups_, [&](int64_t g, int) { finish(g); });
    } else {
      const bool small = n * static_cast<int64_t>(d) < 20000;  // to wake a thread takes longer
      auto task = [&](int64_t g, int) {
        build_group(nodes_[built], groups[g]);
        finish(g);
      };
      if (small)
        for (int64_t g = 0; g < n_groups_; ++g) task(g, 0);
      else
        team_.run(n_groups_, task);
    }
    if (choose_built) settle_node(nodes_[built], found_[0]);
    if (rest >= 0) settle_node(nodes_[rest], found_[1]);
  }

  const uint32_t* rows_of(const Node& node) const {
    return identity_ ? nullptr : tree_.rows.data() + node.begin;
  }

  // A column's codes, of the node's rows at least.
  const uint8_t* codes_of(int32_t j, const Node& node) {
    if (table_.columns[j].dense()) return table_.column(j);
    written_.resize(table_.n_rows);
    if (const uint32_t* rows = rows_of(node))
      write_codes_of(table_, j, rows, node.sums.n_rows, written_.data());
    else
      write_codes(table_, j, 0, table_.n_rows, written_.data());
    return written_.data();
  }

  static int64_t* clear(Node& node, const Group& group) {
    int64_t* cells = node.cells.get() + group.cells_start;
    std::fill(cells, cells + group.n_cells, 0);
    return cells;
  }

  void build_group(Node& node, const Group& group) {
    int64_t* cells = clear(node, group);
    add_to_histogram(table_, group, words_, rows_of(node), 0, node.sums.n_rows, cells);
  }

  // Blocks of rows in any order, by anyone: each is summed apart and added.
  void build_in_blocks(Node& node) {
    const auto& groups = table_.groups.groups;
    const int64_t n = node.sums.n_rows;
    const int64_t fair = (n + 2 * team_.size() - 1) / (2 * team_.size());
    const int64_t block =
        std::max<int64_t>(1, std::min(options_.block_rows, std::max(fair, kWorthSharing / 2)));
    const int64_t blocks = (n + block - 1) / block;
    for (int64_t g = 0; g < n_groups_; ++g) clear(node, groups[g]);
    team_.run(blocks * n_groups_, [&](int64_t task, int worker) {
      const int64_t g = task / blocks, b = task % blocks;
      const Group& group = groups[g];
      auto& own = partial_[worker];
      own.assign(group.n_cells, 0);
      add_to_histogram(table_, group, words_, rows_of(node), b * block, std::min(n, (b + 1) * block),
                       own.data());
      std::lock_guard lock(locks_[g]);
      int64_t* cells = node.cells.get() + group.cells_start;
      for (int64_t k = 0; k < group.n_cells; ++k) cells[k] += own[k];
    });
  }

  Split choose(const Node& node, int32_t j, const uint32_t* counts, double bar) const {
    return choose_split(table_.columns[j], j, node.cells.get() + table_.groups.cells_of[j], counts, node.sums,
                        options_.split, units_, bar);
  }

  void settle_node(Node& node, const std::vector<std::vector<Split>>& found) {
    std::vector<Split> all;
    for (const auto& own : found) all.insert(all.end(), own.begin(), own.end());
    node.split = settle(all, [&](int32_t j) {
      uint32_t counts[kMaxCodes] = {};
      const uint8_t* codes = codes_of(j, node);
      const uint32_t* rows = rows_of(node);
      for (int64_t k = 0; k < node.sums.n_rows; ++k) ++counts[codes[rows ? rows[k] : k]];
      return choose(node, j, counts, 0.0);
    });
  }

  void write_tree() {
    std::vector<int32_t> order{0}, place(nodes_.size(), -1);  // breadth first
    for (size_t k = 0; k < order.size(); ++k) {
      place[order[k]] = static_cast<int32_t>(k);
      if (nodes_[order[k]].left < 0) continue;
      order.push_back(nodes_[order[k]].left);
      order.push_back(nodes_[order[k]].right);
    }
    for (int32_t at : order) {
      const Node& node = nodes_[at];
      const bool inner = node.left >= 0;
      const Split& split = node.split;
      tree_.column.push_back(inner ? split.column : -1);
      tree_.bin.push_back(inner && !split.categorical ? split.bin : -1);
      tree_.categorical.push_back(inner && split.categorical);
      tree_.missing_left.push_back(inner && missing_goes_left(node));
      for (uint64_t word : split.levels) tree_.levels.push_back(inner ? word : 0);
      tree_.first_child.push_back(inner ? place[node.left] : -1);
      tree_.depth.push_back(node.depth);
      tree_.gain.push_back(inner ? split.gain : 0.0);
      tree_.low.push_back(node.sums.low);
      tree_.high.push_back(node.sums.high);
      tree_.begin.push_back(node.begin);
      tree_.n_rows.push_back(node.sums.n_rows);
    }
  }

  // Where training had no missing cell in the column, one goes with most rows.
  bool missing_goes_left(const Node& node) const {
    if (table_.columns[node.split.column].has_missing) return node.split.missing_left;
    return nodes_[node.left].sums.n_rows >= nodes_[node.right].sums.n_rows;
  }

  const BinnedTable& table_;
  const int64_t* words_;
  const Units& units_;
  const GrowOptions& options_;
  ThreadTeam& team_;
  std::vector<uint32_t>& scratch_;
  std::vector<uint8_t>& written_;
  bool identity_ = false;  // rows are 0, 1, 2, ... and not written yet
  GradientTree tree_;
  std::vector<Node> nodes_;
  std::vector<Cells>& spare_;
  std::vector<std::vector<Split>> found_[2];   // per group: splits of the built node, of the rest
  std::vector<std::vector<int64_t>> partial_;  // per worker
  std::vector<std::mutex> locks_;              // per group
  int64_t n_leaves_ = 1;
  std::set<Open> open_, kept_;  // leaves by urgency; those that have their histogram
  int64_t most_kept_ = 0;
  int64_t n_groups_ = 0;  // of which some column may be split
};

}  // namespace

GradientTree grow_tree(const BinnedTable& table, const int64_t* words, const Units& units,
                       const uint32_t* rows, int64_t n, const GrowOptions& options, SpareMemory& spare,
                       ThreadTeam& team) {
  return Grower(table, words, units, rows, n, options, spare, team).grow();
}

}  // namespace hedgerow::gradient

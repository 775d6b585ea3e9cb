// The grower of one row_set: which nodes are open, which split each gets, what becomes of the rows.
#pragma once

#include <memory>
#include <optional>
#include <queue>

#include "common/random.hpp"
#include "grow/criterion_table.hpp"
#include "grow/growing.hpp"
#include "grow/joint_median_scan.hpp"
#include "grow/joint_scan.hpp"
#include "grow/node.hpp"
#include "grow/partition.hpp"
#include "grow/scan_absolute.hpp"
#include "grow/stop_rules.hpp"

namespace hedgerow {

struct OpenNode {
  int32_t id = 0;
  int32_t depth = 0;
  uint64_t key = 0;
  NodeStats stats;
  std::vector<int32_t> live;      // columns not known to be constant here
  std::vector<uint8_t> distinct;  // by column: no two rows here have the same value (0: not known)
};

template <class Entry>
struct Worker {
  ScanScratch scan;
  SubsetScratch subset;
  MedianScratch median;
  std::vector<Entry> spare;
};

template <class Entry>
class Grower {
 public:
  Grower(const GrowInput& input, RowSet<Entry>& row_set, const CriterionEntry& criterion,
         const MomentContext& context, double root_weight, ThreadTeam* team, Stop& stop)
      : input_(input),
        limits_(input.limits),
        row_set_(row_set),
        of_classes_(criterion.traits.of_classes),
        median_(criterion.traits.median && !input.outputs),
        root_weight_(root_weight),
        team_(team),
        stop_(stop),
        rule_(make_scan(criterion, context)),
        absolute_(row_set, input.limits),
        workers_(team ? team->size() : 1) {
    tree_.n_moments = context.n_moments;
  }

  GrownTree& tree() { return tree_; }
  void set_root_weight(double weight) { root_weight_ = weight; }

  OpenNode root() {
    OpenNode node;
    node.key = root_key(input_.seed);
    node.stats.end = row_set_.n;
    node.live.resize(input_.columns.size());
    std::iota(node.live.begin(), node.live.end(), 0);
    node.distinct.assign(node.live.size(), 0);
    rule_->measure(measured_list(0), node.stats);
    return node;
  }

  // Depth-first. `hand_over` may take a node away (to be grown elsewhere): then it returns true.
  template <class HandOver>
  void grow_depth_first(OpenNode top, HandOver hand_over) {
    std::vector<OpenNode> stack;
    top.id = add_node(top.stats);
    stack.push_back(std::move(top));
    while (!stack.empty()) {
      stop_.check();
      OpenNode node = std::move(stack.back());
      stack.pop_back();
      if (is_leaf(node) || hand_over(node)) continue;
      const Candidate split = choose(node);
      if (!acceptable(split)) continue;
      auto children = apply(node, split);
      if (!children) continue;
      stack.push_back(std::move(children->second));
      stack.push_back(std::move(children->first));
    }
  }

  // Best-first: the open node whose split gains most is split next, until there are enough leaves.
  void grow_best_first(OpenNode top) {
    struct Waiting {
      OpenNode node;
      Candidate split;
    };
    auto later = [](const std::unique_ptr<Waiting>& a, const std::unique_ptr<Waiting>& b) {
      return a->split.gain != b->split.gain ? a->split.gain < b->split.gain : a->node.id > b->node.id;
    };
    std::vector<std::unique_ptr<Waiting>> heap;
    auto offer = [&](OpenNode node) {
      stop_.check();
      if (is_leaf(node)) return;
      const Candidate split = choose(node);
      if (!acceptable(split)) return;
      heap.push_back(std::make_unique<Waiting>(Waiting{std::move(node), split}));
      std::push_heap(heap.begin(), heap.end(), later);
    };
    top.id = add_node(top.stats);
    offer(std::move(top));
    for (int64_t leaves = 1; leaves < limits_.max_leaves && !heap.empty(); ++leaves) {
      std::pop_heap(heap.begin(), heap.end(), later);
      std::unique_ptr<Waiting> best = std::move(heap.back());
      heap.pop_back();
      auto children = apply(best->node, best->split, leaves + 1 >= limits_.max_leaves);
      if (!children || leaves + 1 >= limits_.max_leaves) break;
      offer(std::move(children->first));
      offer(std::move(children->second));
    }
  }

  bool is_leaf(const OpenNode& node) const {
    return must_be_leaf(limits_, node.stats, node.depth) ||
           LeafPrice(limits_, root_weight_).too_high_for(node.stats);
  }

 private:
  const Entry* list(int32_t column, const NodeStats& s) const {
    return row_set_.lists[column].data() + s.begin;
  }
  Entry* list(int32_t column, const NodeStats& s) { return row_set_.lists[column].data() + s.begin; }
  std::unique_ptr<RuleScan<Entry>> make_scan(const CriterionEntry& criterion,
                                             const MomentContext& context) const {
    if (input_.outputs && criterion.traits.median)
      return std::make_unique<JointMedianScan<Entry>>(*input_.outputs, row_set_, limits_, stop_);
    if (input_.outputs)
      return std::make_unique<JointScan<Entry>>(*input_.outputs, criterion, row_set_, limits_, stop_);
    return scan_maker<Entry>(criterion)(row_set_, limits_, context, stop_);
  }

  int32_t target_list() const { return static_cast<int32_t>(input_.columns.size()); }
  const Entry* measured_list(int64_t begin) const {
    return row_set_.lists[median_ ? target_list() : 0].data() + begin;
  }

  bool acceptable(const Candidate& split) const {
    return split.found() && gains_enough(limits_, split.gain, root_weight_);
  }

  // --- choosing

  // Columns are looked at in a random order when only some may be; columns found constant count, but at least
  // one that is not is looked at (limits.redraw).
  std::vector<int32_t> drawn_columns(const OpenNode& node) const {
    const auto d = static_cast<int32_t>(input_.columns.size());
    if (limits_.max_features >= d) return node.live;
    std::vector<int32_t> all(d);
    std::iota(all.begin(), all.end(), 0);
    shuffle(all, node.key);
    std::vector<int32_t> drawn;
    for (int32_t i = 0; i < d && (i < limits_.max_features || (limits_.redraw && drawn.empty())); ++i)
      if (std::binary_search(node.live.begin(), node.live.end(), all[i]) && !is_constant(all[i], node.stats))
        drawn.push_back(all[i]);
    return drawn;
  }

  bool is_constant(int32_t column, const NodeStats& s) const {
    return hedgerow::is_constant(list(column, s), s.rows());
  }

  Candidate choose(OpenNode& node) {
    const std::vector<int32_t> columns = drawn_columns(node);
    if (median_) absolute_.prepare(list(target_list(), node.stats), node.stats, board_);
    std::vector<Candidate> found(columns.size());
    if (team_ && team_->size() > 1 &&
        node.stats.rows() * static_cast<int64_t>(columns.size()) > kWorthSharing) {
      team_->run(static_cast<int64_t>(columns.size()), [&](int64_t c, int worker) {
        found[c] = look_at(columns[c], node, -kInfinity, workers_[worker]);
      });
      const double perfect = node.stats.weight * node.stats.impurity - node.stats.tie();
      for (size_t c = 0; c < found.size() && !input_.trace; ++c)
        if (found[c].gain >= perfect) found.resize(c + 1);
    } else {
      const double perfect = node.stats.weight * node.stats.impurity - node.stats.tie();
      double top = -kInfinity;  // a later column counts only if it is better than all before it
      for (size_t c = 0; c < columns.size() && (top < perfect || input_.trace); ++c) {
        stop_.check();
        found[c] = look_at(columns[c], node, input_.trace ? -kInfinity : top, workers_[0]);
        top = std::max(top, found[c].gain);
      }
    }
    if (input_.trace) keep_trace(node, columns, found);
    const int64_t first =
        first_of_the_best(found, node.stats.tie(), [](const Candidate& c) { return c.gain; });
    return first < 0 ? Candidate{} : settle(node, found[first]);
  }

  // A threshold's place is asked for only once its column has won.
  Candidate settle(const OpenNode& node, Candidate best) {
    if (!best.found() || best.position > 0 || input_.columns[best.column].n_levels) return best;
    const int32_t column = best.column;
    best = rule_->locate(list(column, node.stats), node.stats, guard_of(column, node.stats), best.gain,
                         workers_[0].scan);
    if (best.found()) best.column = column;
    return best;
  }

  Guard guard_of(int32_t column, const NodeStats& s) const {
    return {input_.columns[column].monotone, s.lower, s.upper};
  }

  // The best this column offers, if it gains more than `floor`.
  Candidate look_at(int32_t column, OpenNode& node, double floor, Worker<Entry>& worker) const {
    const NodeStats& s = node.stats;
    const Entry* entries = list(column, s);
    const Guard guard = guard_of(column, s);
    Candidate best;
    if (limits_.random_splits)
      best = random_split(column, entries, node, guard, worker);
    else if (median_)
      best = best_by_median(column, entries, s, guard, worker);
    else if (input_.columns[column].n_levels)
      best = rule_->best_subset(entries, s, guard, worker.scan, worker.subset);
    else
      best.gain = rule_->largest(entries, s, guard, floor, worker.scan, node.distinct[column]);
    if (best.gain > floor) best.column = column;
    return best;
  }

  Candidate best_by_median(int32_t column, const Entry* entries, const NodeStats& s, const Guard& guard,
                           Worker<Entry>& worker) const {
    const int64_t last = present_entries(entries, s.rows());
    if (!input_.columns[column].n_levels)
      return absolute_.best(entries, last, s, guard, board_, worker.median, stop_);
    order_by_median(entries, last, s, worker);
    Candidate best = absolute_.best(worker.spare.data(), last, s, guard, board_, worker.median, stop_);
    mark_groups_before(best.position, worker.subset);
    return best;
  }

  // Categories under absolute error: levels in the order of their medians, as if that were a number.
  void order_by_median(const Entry* entries, int64_t last, const NodeStats& s, Worker<Entry>& worker) const {
    SubsetScratch& t = worker.subset;
    rule_->gather(entries, last, s, t.groups);
    t.key.resize(t.groups.size);
    std::vector<std::pair<uint32_t, double>> ranked;
    for (int64_t g = 0; g < t.groups.size; ++g) {
      ranked.clear();
      for (int64_t i = t.groups.begin[g]; i < t.groups.begin[g + 1]; ++i) {
        const uint32_t row = row_set_.row(entries[i]);
        ranked.emplace_back(board_.rank[row], absolute_.weight(row));
      }
      std::sort(ranked.begin(), ranked.end());
      double below = 0;
      for (const auto& [rank, weight] : ranked) {
        below += weight;
        t.key[g] = board_.target[rank];
        if (below >= t.groups.weight[g] / 2) break;
      }
    }
    t.sort_by_key();
    write_in_order(entries, last, s, worker);
  }

  // The list with its levels in the given order, into `spare`.
  static void write_in_order(const Entry* entries, int64_t last, const NodeStats& s, Worker<Entry>& worker) {
    const SubsetScratch& t = worker.subset;
    worker.spare.resize(std::max<size_t>(worker.spare.size(), s.rows()));
    int64_t place = 0;
    for (const int32_t g : t.order)
      for (int64_t i = t.groups.begin[g]; i < t.groups.begin[g + 1]; ++i, ++place) {
        worker.spare[place] = entries[i] & ~RowSet<Entry>::kBoundary;
        if (i == t.groups.begin[g]) worker.spare[place] |= RowSet<Entry>::kBoundary;
      }
    std::copy(entries + last, entries + s.rows(), worker.spare.begin() + last);
  }

  static void mark_groups_before(int64_t position, SubsetScratch& t) {
    t.goes_left.assign(t.groups.size, 0);
    int64_t place = 0;
    for (const int32_t g : t.order) {
      if (place < position) t.goes_left[g] = 1;
      place += t.groups.rows[g];
    }
  }

  // One threshold drawn between the lowest and the highest value (or one random subset of the levels).
  Candidate random_split(int32_t column, const Entry* entries, const OpenNode& node, const Guard& guard,
                         Worker<Entry>& worker) const {
    Random random(mix(node.key ^ (0xd1342543de82ef95ull * (column + 1))));
    const NodeStats& s = node.stats;
    const int64_t n = s.rows(), last = present_entries(entries, n);
    if (input_.columns[column].n_levels) {
      if (median_)
        return random_by_median(entries, last, s, guard, random, worker);
      else
        return rule_->random_subset(entries, s, guard, random, worker.scan, worker.subset);
    }
    if (last < 1) return {};
    const double low = value_of(column, entries[0]), high = value_of(column, entries[last - 1]);
    if (!(high > low)) return {};
    double threshold = low + random.unit() * (high - low);
    if (threshold >= high) threshold = low;
    const Entry* cut = std::partition_point(entries, entries + last,
                                            [&](Entry e) { return value_of(column, e) <= threshold; });
    // The list with that one boundary only, for the scan that knows the rules.
    worker.spare.resize(std::max<size_t>(worker.spare.size(), n));
    for (int64_t i = 0; i < n; ++i) worker.spare[i] = entries[i] & ~RowSet<Entry>::kBoundary;
    worker.spare[cut - entries] |= RowSet<Entry>::kBoundary;
    Candidate best;
    if (median_) {
      best = absolute_.best(worker.spare.data(), last, s, guard, board_, worker.median, stop_);
    } else {
      uint8_t distinct = 0;
      best.gain = rule_->largest(worker.spare.data(), s, guard, -kInfinity, worker.scan, distinct);
      if (best.gain == -kInfinity) return {};
      best = rule_->locate(worker.spare.data(), s, guard, best.gain, worker.scan);
    }
    best.threshold = best.position == last ? kInfinity : threshold;
    return best;
  }

  Candidate random_by_median(const Entry* entries, int64_t last, const NodeStats& s, const Guard& guard,
                             Random& random, Worker<Entry>& worker) const {
    SubsetScratch& t = worker.subset;
    rule_->gather(entries, last, s, t.groups);
    if (!draw_subset(random, t)) return {};
    t.order.resize(t.groups.size);
    std::iota(t.order.begin(), t.order.end(), 0);
    std::stable_partition(t.order.begin(), t.order.end(), [&](int32_t g) { return t.goes_left[g] != 0; });
    write_in_order(entries, last, s, worker);
    int64_t cut = 0;
    for (int64_t g = 0; g < t.groups.size; ++g) cut += t.goes_left[g] ? t.groups.rows[g] : 0;
    for (int64_t i = 0; i < last; ++i) worker.spare[i] &= ~RowSet<Entry>::kBoundary;
    worker.spare[cut] |= RowSet<Entry>::kBoundary;
    const Candidate best = absolute_.best(worker.spare.data(), last, s, guard, board_, worker.median, stop_);
    mark_groups_before(best.position, t);  // it may be all levels against missing
    return best;
  }

  double value_of(int32_t column, Entry e) const {
    const auto& c = input_.columns[column];
    return c.values[code_at(c, row_set_.source(row_set_.row(e)))];
  }

  // --- applying

  using Children = std::pair<OpenNode, OpenNode>;

  // None where the split would not be worth the price of its leaves.
  std::optional<Children> apply(OpenNode& node, const Candidate& split, bool last = false) {
    const NodeStats& s = node.stats;
    const int64_t n_first = mark_sides(node, split);
    OpenNode first = child(node, 0, s.begin, s.begin + n_first);
    OpenNode second = child(node, 1, s.begin + n_first, s.end);

    part(split.column, s);
    if (median_) part(target_list(), s);
    const int32_t measured = median_ ? target_list() : split.column;
    rule_->measure(list(measured, first.stats), first.stats);
    rule_->measure(list(measured, second.stats), second.stats);
    if (LeafPrice(limits_, root_weight_).too_high_for(s, first.stats, second.stats)) return {};
    set_bounds(split, first.stats, second.stats, s);

    first.id = add_node(first.stats);
    second.id = add_node(second.stats);
    record(node, split, first, second);

    const bool first_ends = last || is_leaf(first), second_ends = last || is_leaf(second);
    if (first_ends && second_ends) return Children{std::move(first), std::move(second)};
    std::vector<int32_t> live;
    for (const int32_t column : node.live)
      if (column == split.column || !is_constant(column, s)) live.push_back(column);
    part_columns(node, live, split.column, first_ends, second_ends, n_first);
    first.distinct = second.distinct = std::move(node.distinct);
    first.live = live;
    second.live = std::move(live);
    return Children{std::move(first), std::move(second)};
  }

  OpenNode child(const OpenNode& node, int which, int64_t begin, int64_t end) const {
    OpenNode child;
    child.depth = node.depth + 1;
    child.key = child_key(node.key, which);
    child.stats.begin = begin;
    child.stats.end = end;
    return child;
  }

  int64_t mark_sides(OpenNode& node, const Candidate& split) {
    const NodeStats& s = node.stats;
    const Entry* entries = list(split.column, s);
    const int64_t n = s.rows(), last = present_entries(entries, n);
    int64_t n_first = 0;
    auto mark = [&](int64_t begin, int64_t end, bool second) {
      for (int64_t i = begin; i < end; ++i) row_set_.set_side(row_set_.row(entries[i]), second);
      if (!second) n_first += end - begin;
    };
    if (input_.columns[split.column].n_levels) {
      // Once more, for its subset; other nodes may have been looked at in between.
      if (median_) absolute_.prepare(list(target_list(), s), s, board_);
      look_at(split.column, node, -kInfinity, workers_[0]);
      const SubsetScratch& t = workers_[0].subset;
      for (int64_t g = 0; g < t.groups.size; ++g)
        mark(t.groups.begin[g], t.groups.begin[g + 1], !t.goes_left[g]);
    } else {
      mark(0, split.position, false);
      mark(split.position, last, true);
    }
    mark(last, n, !split.missing_left);
    return n_first;
  }

  void part(int32_t column, const NodeStats& s) {
    auto& spare = workers_[0].spare;
    spare.resize(std::max<size_t>(spare.size(), s.rows()));
    part_both(row_set_, list(column, s), s.rows(), spare.data());
  }

  void part_columns(const OpenNode& node, const std::vector<int32_t>& live, int32_t done, bool first_ends,
                    bool second_ends, int64_t n_first) {
    const NodeStats& s = node.stats;
    const int64_t n = s.rows();
    auto one = [&](int32_t column, Worker<Entry>& worker) {
      if (column == done) return;
      Entry* entries = list(column, s);
      if (first_ends) return part_one(row_set_, entries, n, Entry{1}, n - n_first);
      if (second_ends) return part_one(row_set_, entries, n, Entry{0}, n_first);
      worker.spare.resize(std::max<size_t>(worker.spare.size(), n));
      if (node.distinct[column])
        part_both_distinct(row_set_, entries, n, worker.spare.data());
      else
        part_both(row_set_, entries, n, worker.spare.data());
    };
    if (team_ && team_->size() > 1 && n * static_cast<int64_t>(live.size()) > kWorthSharing)
      team_->run(static_cast<int64_t>(live.size()), [&](int64_t c, int w) { one(live[c], workers_[w]); });
    else
      for (const int32_t column : live) one(column, workers_[0]);
  }

  void set_bounds(const Candidate& split, NodeStats& first, NodeStats& second, const NodeStats& s) const {
    first.lower = second.lower = s.lower;
    first.upper = second.upper = s.upper;
    const int direction = input_.columns[split.column].monotone;
    if (direction == 0) return;
    const double middle = std::clamp((published(first) + published(second)) / 2, s.lower, s.upper);
    (direction > 0 ? first.upper : first.lower) = middle;
    (direction > 0 ? second.lower : second.upper) = middle;
  }

  double published(const NodeStats& s) const { return of_classes_ ? s.moments[1] / s.weight : s.moments[0]; }

  // --- recording

  int32_t add_node(const NodeStats& s) {
    const int32_t id = append_node(tree_, s.weight, s.impurity, s.rows(), s.moments);
    if (s.lower > -kInfinity || s.upper < kInfinity) clip_last_value(s);
    return id;
  }

  void clip_last_value(const NodeStats& s) {
    double* value = &tree_.value[tree_.value.size() - s.moments.size()];
    const double clipped = std::clamp(published(s), s.lower, s.upper);
    if (of_classes_) {
      value[0] = (1 - clipped) * s.weight;
      value[1] = clipped * s.weight;
    } else {
      value[0] = clipped;
    }
  }

  // The rows on the two sides of a threshold. Taken before the split column is parted would be simplest, but
  // the parted list holds them too: the last present entry of the first child and the first of the second.
  void record(const OpenNode& node, const Candidate& split, const OpenNode& first, const OpenNode& second) {
    const bool category = input_.columns[split.column].n_levels > 0;
    const bool first_is_heavier = first.stats.weight > second.stats.weight;
    const Entry* a = list(split.column, first.stats);
    const Entry* b = list(split.column, second.stats);
    const int64_t a_last = present_entries(a, first.stats.rows());
    const int64_t b_last = present_entries(b, second.stats.rows());
    const bool any_missing = a_last < first.stats.rows() || b_last < second.stats.rows();
    tree_.feature[node.id] = split.column;
    tree_.first_child[node.id] = first.id;
    tree_.n_children[node.id] = 2;
    tree_.missing_branch[node.id] = (any_missing ? split.missing_left : first_is_heavier) ? 0 : 1;
    if (category) {
      tree_.kind[node.id] = kSubset;
      add_subset(node.id, split.column, a, a_last, b, b_last, first_is_heavier);
      return;
    }
    tree_.kind[node.id] = kThreshold;
    tree_.threshold[node.id] = b_last > 0 ? split.threshold : kInfinity;
    tree_.low_row[node.id] = row_set_.source(row_set_.row(a[a_last - 1]));
    tree_.high_row[node.id] = b_last > 0 ? row_set_.source(row_set_.row(b[0])) : tree_.low_row[node.id];
  }

  void add_subset(int32_t id, int32_t column, const Entry* a, int64_t a_last, const Entry* b, int64_t b_last,
                  bool absent_left) {
    const CodeColumn& c = input_.columns[column];
    SubsetWriter writer(tree_, id, c.n_levels, absent_left);
    auto set = [&](const Entry* entries, int64_t n, bool left) {
      for (int64_t i = 0; i < n; ++i)
        if (i == 0 || (entries[i] & RowSet<Entry>::kBoundary))
          writer.set(code_at(c, row_set_.source(row_set_.row(entries[i]))), left);
    };
    set(a, a_last, true);
    set(b, b_last, false);
  }

  void keep_trace(const OpenNode& node, const std::vector<int32_t>& columns,
                  const std::vector<Candidate>& found) {
    const size_t d = input_.columns.size();
    const size_t needed = (static_cast<size_t>(node.id) + 1) * d;
    if (tree_.trace_gain.size() < needed) resize_trace(tree_, needed, false);
    for (size_t c = 0; c < columns.size(); ++c) {
      if (!found[c].found()) continue;
      const size_t at = node.id * d + columns[c];
      tree_.trace_gain[at] = found[c].gain;
      if (input_.columns[columns[c]].n_levels) continue;
      const Entry* entries = list(columns[c], node.stats);
      const int64_t last = present_entries(entries, node.stats.rows()),
                    place = settle(node, found[c]).position;
      if (place < 1) continue;
      tree_.trace_low[at] = row_set_.source(row_set_.row(entries[place - 1]));
      tree_.trace_high[at] =
          place < last ? row_set_.source(row_set_.row(entries[place])) : tree_.trace_low[at];
    }
  }

  const GrowInput& input_;
  const Limits& limits_;
  RowSet<Entry>& row_set_;
  const bool of_classes_, median_;
  double root_weight_;
  ThreadTeam* team_;
  Stop& stop_;
  std::unique_ptr<RuleScan<Entry>> rule_;
  AbsoluteScan<Entry> absolute_;
  std::vector<Worker<Entry>> workers_;
  MedianBoard board_;
  GrownTree tree_;
};

}  // namespace hedgerow

// The grower of trees with multiway splits or fractional instances (see branches.hpp): ID3 and C4.5 among
// them.
#pragma once

#include "grow/branches.hpp"
#include "grow/criterion_table.hpp"
#include "grow/stop_rules.hpp"
#include "grow/surrogates.hpp"

namespace hedgerow {

template <class Entry>
class MultiwayGrower {
 public:
  MultiwayGrower(const GrowInput& input, const CriterionEntry& criterion, const MomentContext& context,
                 ThreadTeam& team)
      : input_(input),
        limits_(input.limits),
        ratio_(criterion.traits.ratio),
        make_scan_(scan_maker<Entry>(criterion)),
        context_(context),
        team_(team),
        stop_(team.stop()),
        desks_(team.size()) {
    tree_.n_moments = context.n_moments;
  }

  GrownTree grow(std::unique_ptr<RowSet<Entry>> whole) {
    std::vector<Open> stack;
    Open root;
    root.row_set = std::move(whole);
    root.key = root_key(input_.seed);
    root.live.resize(input_.columns.size());
    std::iota(root.live.begin(), root.live.end(), 0);
    root.stats.end = root.row_set->n;
    root.rule = rule_for(*root.row_set);
    root.rule->measure(root.row_set->lists[0].data(), root.stats);
    root_weight_ = root.stats.weight;
    root.id = add_node(root.stats);
    stack.push_back(std::move(root));
    while (!stack.empty()) {
      stop_.check();
      Open node = std::move(stack.back());
      stack.pop_back();
      if (is_leaf(node)) continue;
      const Offer best = choose(node);
      if (!best.found()) continue;
      std::vector<Open> children = apply(node, best);
      for (auto child = children.rbegin(); child != children.rend(); ++child)
        stack.push_back(std::move(*child));
    }
    if (input_.trace) resize_trace(tree_, tree_.size() * input_.columns.size(), true);
    return std::move(tree_);
  }

 private:
  struct Open {
    std::unique_ptr<RowSet<Entry>> row_set;
    std::unique_ptr<RuleScan<Entry>> rule;  // of this row_set
    NodeStats stats;
    std::vector<int32_t> live;
    uint64_t key = 0;
    int32_t id = 0, depth = 0;
  };

  // Where one thread looks at a column.
  struct Desk {
    ScanScratch scan;
    SubsetScratch subset;
  };

  struct Offer {
    Candidate split;
    double ratio = 0;
    uint32_t missing_like = 0;  // multiway, learned direction: missing rows take the branch of this row
    bool found() const { return split.found(); }
  };

  // Sums over whole numbers come from the table; fractions do not.
  MomentContext context_of(const RowSet<Entry>& row_set) const {
    return {context_.n_moments, row_set.weight ? nullptr : context_.logs};
  }

  std::unique_ptr<RuleScan<Entry>> rule_for(const RowSet<Entry>& row_set) const {
    return make_scan_(row_set, limits_, context_of(row_set), stop_);
  }

  bool is_leaf(const Open& node) const {
    return must_be_leaf(limits_, node.stats, node.depth, cases(node.stats)) ||
           LeafPrice(limits_, root_weight_).too_high_for(node.stats);
  }

  // With fractional instances a case is a unit of weight: half a row counts half.
  bool known_only() const { return input_.fractional || input_.surrogates > 0 || input_.stops; }
  double cases(const NodeStats& s) const {
    return input_.fractional ? s.weight : static_cast<double>(s.rows());
  }

  bool is_multiway(int32_t column) const { return input_.multiway && input_.columns[column].n_levels > 0; }

  // --- choosing

  std::vector<int32_t> drawn_columns(const Open& node) const {
    const auto d = static_cast<int32_t>(input_.columns.size());
    if (limits_.max_features >= d) return node.live;
    std::vector<int32_t> all(node.live);
    shuffle(all, node.key);
    all.resize(std::min<size_t>(all.size(), limits_.max_features));
    return all;
  }

  Offer choose(const Open& node) {
    const std::vector<int32_t> columns = drawn_columns(node);
    const auto d = static_cast<int64_t>(columns.size());
    std::vector<Offer> offers(d);
    if (team_.size() > 1 && node.row_set->n * d > kWorthSharing) {
      team_.run(d, [&](int64_t c, int worker) { offers[c] = look_at(columns[c], node, desks_[worker]); });
    } else {
      for (int64_t c = 0; c < d; ++c) {
        stop_.check();
        offers[c] = look_at(columns[c], node, desks_[0]);
      }
    }
    if (input_.trace) keep_trace(node, columns, offers);
    return ratio_ ? best_ratio(node, offers) : best_gain(node, offers);
  }

  Offer best_gain(const Open& node, const std::vector<Offer>& offers) const {
    const int64_t first =
        first_of_the_best(offers, node.stats.tie(), [](const Offer& o) { return o.split.gain; });
    return first < 0 ? Offer{} : acceptable(offers[first]);
  }

  // C4.5: of the splits with at least average gain, the first with the best ratio. Categories with very many
  // levels do not count for the average, unless there is nothing else.
  Offer best_ratio(const Open& node, const std::vector<Offer>& offers) const {
    double sum = 0;
    int64_t counted = 0;
    for (const bool all : {false, true}) {
      if (counted) break;
      for (const auto& offer : offers)
        if (offer.found() && (all || !has_many_levels(offer.split.column)))
          sum += offer.split.gain, ++counted;
    }
    if (!counted) return {};
    const double average = sum / static_cast<double>(counted) - 1e-3 * node.stats.weight;
    const double nothing = kCaseSlack * node.stats.weight;  // a gain that is only rounding is none
    Offer best;
    for (const auto& offer : offers)
      if (offer.found() && offer.split.gain >= average && offer.split.gain > nothing &&
          offer.ratio > best.ratio * (1 + kTie))
        best = offer;
    return acceptable(best);
  }

  bool has_many_levels(int32_t column) const { return input_.columns[column].n_levels >= 0.3 * root_weight_; }

  Offer acceptable(const Offer& offer) const {
    return offer.found() && gains_enough(limits_, offer.split.gain, root_weight_) ? offer : Offer{};
  }

  Offer look_at(int32_t column, const Open& node, Desk& desk) const {
    const RowSet<Entry>& row_set = *node.row_set;
    const Entry* list = row_set.lists[column].data();
    const int64_t last = present_entries(list, row_set.n);
    if (last == 0) return {};
    NodeStats known = node.stats;  // what the split is judged on: the rows that answer, unless a side for
                                   // the others is learned
    const bool number_by_ratio = ratio_ && input_.columns[column].n_levels == 0;
    if ((known_only() || number_by_ratio) && last < row_set.n) {
      known.end = last;
      node.rule->measure(list, known);
    }
    Offer offer;
    if (is_multiway(column))
      offer = multiway(list, last, known, node, desk);
    else if (input_.columns[column].n_levels)
      offer = subset(list, last, known, node, desk);
    else
      offer = ratio_ ? ratio_threshold(list, last, known, node) : threshold(list, known, node, desk);
    if (offer.found()) offer.split.column = column;
    return offer;
  }

  Offer threshold(const Entry* list, const NodeStats& known, const Open& node, Desk& desk) const {
    Offer offer;
    uint8_t distinct = 0;
    const double gain = node.rule->largest(list, known, Guard{}, -kInfinity, desk.scan, distinct);
    if (gain > -kInfinity) offer.split = node.rule->locate(list, known, Guard{}, gain, desk.scan);
    return offer;
  }

  // C4.5's thresholds: only rows that answer, branches that are large enough, the cost of choosing taken off.
  Offer ratio_threshold(const Entry* list, int64_t last, const NodeStats& known, const Open& node) const {
    const double minimum = static_cast<double>(std::max<int64_t>(1, limits_.min_rows_leaf));
    Offer offer;
    double left_weight = 0;
    offer.split = node.rule->ratio_threshold(list, last, known, minimum, left_weight);
    if (!offer.found()) return offer;
    if (offer.split.gain <= 0) return {};
    if (!known_only() && last < node.row_set->n) learn_side(list, last, known, node, offer);
    offer.ratio = ratio(offer.split.gain, {left_weight, known.weight - left_weight}, node);
    return offer;
  }

  // Where the rows that do not answer do least harm.
  void learn_side(const Entry* list, int64_t last, const NodeStats& known, const Open& node,
                  Offer& offer) const {
    std::vector<double> left(context_.n_moments, 0.0), right(left), missing(left);
    double left_weight = 0, right_weight = 0, missing_weight = 0;
    const int64_t cut = offer.split.position;
    node.rule->add(list, cut, known, left.data(), left_weight);
    node.rule->add(list + cut, last - cut, known, right.data(), right_weight);
    node.rule->add(list + last, node.row_set->n - last, known, missing.data(), missing_weight);
    auto merit_with = [&](const std::vector<double>& a, double weight, bool join) {
      std::vector<double> sum(a);
      for (int k = 0; join && k < context_.n_moments; ++k) sum[k] += missing[k];
      return node.rule->merit(sum.data(), weight + (join ? missing_weight : 0.0));
    };
    const double to_left = merit_with(left, left_weight, true) + merit_with(right, right_weight, false);
    const double to_right = merit_with(left, left_weight, false) + merit_with(right, right_weight, true);
    offer.split.missing_left = to_left > to_right + node.stats.tie();
  }

  // Information of the split counts the rows that do not answer as a branch of their own.
  static double ratio(double gain, const std::vector<double>& branches, const Open& node) {
    const double whole = node.stats.weight;
    const double known = std::accumulate(branches.begin(), branches.end(), 0.0);
    const double information = node.rule->split_information(branches, std::max(0.0, whole - known), whole);
    return information > kTie * whole ? gain / information : 0.0;
  }

  Offer subset(const Entry* list, int64_t last, const NodeStats& known, const Open& node, Desk& desk) const {
    Offer offer;
    offer.split = node.rule->best_subset(list, known, Guard{}, desk.scan, desk.subset);
    if (!ratio_ || !offer.found()) return offer;
    const SubsetScratch& found = desk.subset;
    double left = 0;
    for (int64_t g = 0; g < found.groups.size; ++g) left += found.goes_left[g] ? found.groups.weight[g] : 0.0;
    offer.ratio = ratio(offer.split.gain, {left, known.weight - left}, node);
    return last == 0 || offer.split.gain <= 0 ? Offer{} : offer;
  }

  // A branch for each level. At least two branches must have enough cases.
  Offer multiway(const Entry* list, int64_t last, const NodeStats& known, const Open& node,
                 Desk& desk) const {
    Groups& groups = desk.subset.groups;
    node.rule->gather(list, last, known, groups);
    const int m = context_.n_moments;
    int64_t large = 0;
    double sum = 0;
    for (int64_t g = 0; g < groups.size; ++g) {
      const double cases = input_.fractional ? groups.weight[g] : static_cast<double>(groups.rows[g]);
      large += cases >= static_cast<double>(limits_.min_rows_leaf) - kCaseSlack &&
               groups.weight[g] >= limits_.min_weight_leaf;
      sum += node.rule->merit(&groups.moments[g * m], groups.weight[g]);
    }
    Offer offer;
    if (large < 2) return offer;
    offer.split.column = 0;
    if (known_only() || last == node.row_set->n) {
      offer.split.gain = sum - known.merit;
      offer.missing_like = heaviest(groups, list, node);
    } else {
      with_missing(list, last, sum, groups, node, offer);
    }
    if (!(offer.split.gain > -kInfinity))
      return {};  // an impossible branch, such as a mean of zero under Poisson
    if (ratio_) offer.ratio = ratio(offer.split.gain, groups.weight, node);
    return offer;
  }

  // A row of the input with this group's level.
  static uint32_t row_of(const Groups& groups, const Entry* list, int64_t group, const Open& node) {
    return node.row_set->source(node.row_set->row(list[groups.begin[group]]));
  }

  uint32_t heaviest(const Groups& groups, const Entry* list, const Open& node) const {
    const auto g = std::max_element(groups.weight.begin(), groups.weight.end()) - groups.weight.begin();
    return row_of(groups, list, g, node);
  }

  // Learned direction: the missing rows join the branch where they do least harm.
  void with_missing(const Entry* list, int64_t last, double sum, const Groups& groups, const Open& node,
                    Offer& offer) const {
    const int m = context_.n_moments;
    std::vector<double> missing(m, 0.0), joined(m);
    double weight = 0;
    node.rule->add(list + last, node.row_set->n - last, node.stats, missing.data(), weight);
    for (int64_t g = 0; g < groups.size; ++g) {
      for (int k = 0; k < m; ++k) joined[k] = groups.moments[g * m + k] + missing[k];
      const double gain = sum - node.rule->merit(&groups.moments[g * m], groups.weight[g]) +
                          node.rule->merit(joined.data(), groups.weight[g] + weight) - node.stats.merit;
      if (!(gain > offer.split.gain + (g ? node.stats.tie() : 0.0))) continue;
      offer.split.gain = gain;
      offer.missing_like = row_of(groups, list, g, node);
    }
  }

  // --- applying

  std::vector<Open> apply(const Open& node, const Offer& offer) {
    const RowSet<Entry>& row_set = *node.row_set;
    const int32_t column = offer.split.column;
    Branches branches = branches_of(node, offer);
    int32_t majority = -1;
    if (input_.surrogates > 0) majority = find_surrogates(node, column, branches);
    std::vector<double> known(branches.n_branches, 0.0);
    double total = 0;
    for (int64_t row = 0; row < row_set.n; ++row) {
      if (branches.branch[row] == kAllBranches) continue;
      const double w = row_set.weight ? row_set.weight[row] : 1.0;
      known[branches.branch[row]] += w;
      total += w;
    }
    std::vector<double> share(known);
    for (double& s : share) s /= total;

    std::vector<int32_t> live;
    for (const int32_t j : node.live)
      if (!(branches.multiway && j == column) && !is_constant(row_set.lists[j].data(), row_set.n))
        live.push_back(j);
    std::vector<int32_t> copied(live);
    if (copied.empty()) copied.push_back(column);  // a child is measured on a list
    auto row_sets = branch_row_sets(row_set, branches, copied, share, team_);

    const int64_t ways = input_.stops ? kStop : branches.n_branches;
    const auto heaviest =
        static_cast<int32_t>(std::max_element(known.begin(), known.begin() + ways) - known.begin());
    record(node, offer, branches, majority >= 0 ? majority : heaviest);
    std::vector<Open> children;
    for (int64_t b = 0; b < branches.n_branches; ++b) {
      if (input_.stops && b == kStop) {
        add_stop(node.stats, known[b], row_sets[b] ? row_sets[b]->n : 0);
        continue;
      }
      if (!row_sets[b]) {
        add_empty(node.stats);
        continue;
      }
      Open child;
      child.row_set = std::move(row_sets[b]);
      child.stats.end = child.row_set->n;
      child.rule = rule_for(*child.row_set);
      child.rule->measure(child.row_set->lists[copied.front()].data(), child.stats);
      child.live = live;
      child.depth = node.depth + 1;
      child.key = child_key(node.key, static_cast<int>(b));
      child.id = add_node(child.stats);
      children.push_back(std::move(child));
    }
    return children;
  }

  Branches branches_of(const Open& node, const Offer& offer) {
    const RowSet<Entry>& row_set = *node.row_set;
    const CodeColumn& column = input_.columns[offer.split.column];
    const Entry* list = row_set.lists[offer.split.column].data();
    Branches branches;
    branches.split = offer.split;
    branches.multiway = is_multiway(offer.split.column);
    branches.n_branches = branches.multiway ? column.n_levels : input_.stops ? kStop + 1 : 2;
    branches.branch.resize(row_set.n);
    const int64_t last = present_entries(list, row_set.n);
    if (!branches.multiway && column.n_levels)
      look_at(offer.split.column, node, desks_[0]);  // once more, for its subset
    int64_t group = -1;
    for (int64_t i = 0; i < last; ++i) {
      const uint32_t row = row_set.row(list[i]);
      group += i == 0 || (list[i] & RowSet<Entry>::kBoundary);
      if (branches.multiway)
        branches.branch[row] = static_cast<int32_t>(code_at(column, row_set.source(row)));
      else if (column.n_levels)
        branches.branch[row] = !desks_[0].subset.goes_left[group];
      else
        branches.branch[row] = i >= offer.split.position;
    }
    const int32_t learned = branches.multiway ? static_cast<int32_t>(code_at(column, offer.missing_like))
                                              : static_cast<int32_t>(!offer.split.missing_left);
    for (int64_t i = last; i < row_set.n; ++i)
      branches.branch[row_set.row(list[i])] = input_.stops ? kStop : known_only() ? kAllBranches : learned;
    return branches;
  }

  // Finds the node's surrogates, records them and sends the rows with a missing cell their way. Returns the
  // branch of the majority, which is for rows that no surrogate can help.
  int32_t find_surrogates(const Open& node, int32_t column, Branches& branches) {
    const SurrogateSearch<Entry> search(input_, *node.row_set, branches.branch);
    const std::vector<Surrogate> found = search.best(node.live, column, input_.surrogates);
    std::vector<int32_t> branch(branches.branch);
    for (int64_t row = 0; row < node.row_set->n; ++row)
      if (branch[row] == kAllBranches) branch[row] = search.route(static_cast<uint32_t>(row), found);
    for (const Surrogate& s : found) add_surrogate(node.id, s, search);
    branches.branch = std::move(branch);
    return search.majority();
  }

  void add_surrogate(int32_t id, const Surrogate& s, const SurrogateSearch<Entry>& search) {
    const double agreement = search.share(s.matched), majority = search.majority_share();
    tree_.surrogate_node.push_back(id);
    tree_.surrogate_feature.push_back(s.column);
    tree_.surrogate_first_below.push_back(s.first_below);
    tree_.surrogate_low.push_back(s.low_row);
    tree_.surrogate_high.push_back(s.high_row);
    tree_.surrogate_agreement.push_back(agreement);
    tree_.surrogate_adjusted.push_back((agreement - majority) / (1 - majority));
    const auto levels = static_cast<int64_t>(s.goes_first.size()),
               start = static_cast<int64_t>(tree_.surrogate_bits.size());
    tree_.surrogate_subset.push_back(levels ? start : -1);
    tree_.surrogate_bits.resize(start + (levels + 63) / 64, 0);
    for (int64_t k = 0; k < levels; ++k)
      if (s.goes_first[k]) tree_.surrogate_bits[start + (k >> 6)] |= uint64_t{1} << (k & 63);
  }

  // --- recording

  int32_t add_node(const NodeStats& s) {
    return append_node(tree_, s.weight, s.impurity, s.rows(), s.moments);
  }

  // A level without rows: what its parent says.
  void add_empty(const NodeStats& parent) { append_node(tree_, 0.0, 0.0, 0, parent.moments); }

  // Rows that stop at their parent: what it says, with their own weight.
  void add_stop(const NodeStats& parent, double weight, int64_t rows) {
    append_node(tree_, weight, parent.impurity, rows, parent.moments);
  }

  void record(const Open& node, const Offer& offer, const Branches& branches, int32_t heaviest) {
    const int32_t id = node.id, column = offer.split.column;
    const RowSet<Entry>& row_set = *node.row_set;
    const Entry* list = row_set.lists[column].data();
    const int64_t last = present_entries(list, row_set.n);
    tree_.feature[id] = column;
    tree_.first_child[id] = static_cast<int32_t>(tree_.size());
    tree_.n_children[id] = static_cast<int32_t>(branches.n_branches);
    if (input_.fractional)
      tree_.missing_branch[id] = kAllBranches;
    else if (input_.stops)
      tree_.missing_branch[id] = kStop;
    else if (input_.surrogates > 0)
      tree_.missing_branch[id] = heaviest;
    else
      tree_.missing_branch[id] = last < row_set.n ? branches.branch[row_set.row(list[last])] : heaviest;
    if (branches.multiway) {
      tree_.kind[id] = kMultiway;
    } else if (input_.columns[column].n_levels) {
      tree_.kind[id] = kSubset;
      add_subset(id, row_set, input_.columns[column], list, last, branches, heaviest == 0);
    } else {
      tree_.kind[id] = kThreshold;
      const int64_t at = offer.split.position;
      tree_.low_row[id] = row_set.source(row_set.row(list[at - 1]));
      tree_.high_row[id] = at < last ? row_set.source(row_set.row(list[at])) : tree_.low_row[id];
      if (at == last) tree_.threshold[id] = kInfinity;
    }
  }

  void add_subset(int32_t id, const RowSet<Entry>& row_set, const CodeColumn& column, const Entry* list,
                  int64_t last, const Branches& branches, bool absent_left) {
    SubsetWriter writer(tree_, id, column.n_levels, absent_left);
    for (int64_t i = 0; i < last; ++i) {
      if (i && !(list[i] & RowSet<Entry>::kBoundary)) continue;
      const uint32_t row = row_set.row(list[i]);
      writer.set(code_at(column, row_set.source(row)), branches.branch[row] == 0);
    }
  }

  void keep_trace(const Open& node, const std::vector<int32_t>& columns, const std::vector<Offer>& offers) {
    const size_t d = input_.columns.size();
    resize_trace(tree_, std::max(tree_.trace_gain.size(), (static_cast<size_t>(node.id) + 1) * d), true);
    for (size_t c = 0; c < columns.size(); ++c) {
      if (!offers[c].found()) continue;
      const size_t at = node.id * d + columns[c];
      tree_.trace_gain[at] = offers[c].split.gain;
      tree_.trace_ratio[at] = offers[c].ratio;
      if (input_.columns[columns[c]].n_levels) continue;
      const Entry* list = node.row_set->lists[columns[c]].data();
      const int64_t place = offers[c].split.position;
      const bool among_missing = place >= node.row_set->n || (list[place] & RowSet<Entry>::kMissing);
      tree_.trace_low[at] = node.row_set->source(node.row_set->row(list[place - 1]));
      tree_.trace_high[at] =
          among_missing ? tree_.trace_low[at] : node.row_set->source(node.row_set->row(list[place]));
    }
  }

  const GrowInput& input_;
  const Limits& limits_;
  const bool ratio_;
  const MakeRuleScan<Entry> make_scan_;
  const MomentContext context_;
  ThreadTeam& team_;
  Stop& stop_;
  double root_weight_ = 0;
  std::vector<Desk> desks_;
  GrownTree tree_;
};

}  // namespace hedgerow

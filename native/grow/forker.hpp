// The grower of trees with multiway splits or fractional instances (see forked.hpp): ID3 and C4.5 among them.
#pragma once

#include "grow/forked.hpp"
#include "grow/surrogates.hpp"

namespace hedgerow {

template <Criterion Rule, class Entry>
class Forker {
 public:
  static constexpr bool kRatio = Rule::kRatio;
  static constexpr double kSlack = 1e-6;  // of a case: shares of rows do not add up to the last digit

  Forker(const GrowInput& input, const MomentContext& context, Crew& crew)
      : input_(input),
        limits_(input.limits),
        context_(context),
        crew_(crew),
        stop_(crew.stop()),
        desks_(crew.size()) {
    tree_.n_moments = context.n_moments;
  }

  GrownTree grow(std::unique_ptr<Patch<Entry>> whole) {
    std::vector<Open> stack;
    Open root;
    root.patch = std::move(whole);
    root.key = root_key(input_.seed);
    root.live.resize(input_.columns.size());
    std::iota(root.live.begin(), root.live.end(), 0);
    root.standing.end = root.patch->n;
    measure(*root.patch, root.patch->lists[0].data(), root.standing);
    root_weight_ = root.standing.weight;
    root.id = add_node(root.standing);
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
    std::unique_ptr<Patch<Entry>> patch;
    Standing standing;
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
  MomentContext context_of(const Patch<Entry>& patch) const {
    return {context_.n_moments, patch.weight ? nullptr : context_.logs};
  }

  void measure(const Patch<Entry>& patch, const Entry* list, Standing& node) const {
    const MomentContext context = context_of(patch);
    Measure<Rule, Entry>(patch, context)(list, node);
  }

  bool is_leaf(const Open& node) const {
    const Standing& s = node.standing;
    return s.pure || node.depth >= limits_.max_depth || s.rows() < limits_.min_rows_split ||
           s.weight < 2 * limits_.min_weight_leaf ||
           cases(s) < 2.0 * static_cast<double>(limits_.min_rows_leaf) ||
           LeafPrice(limits_, root_weight_).too_high_for(s);
  }

  // With fractional instances a case is a unit of weight: half a row counts half.
  bool known_only() const { return input_.fractional || input_.surrogates > 0; }
  double cases(const Standing& s) const {
    return input_.fractional ? s.weight : static_cast<double>(s.rows());
  }

  bool is_multiway(int32_t column) const { return input_.multiway && input_.columns[column].n_levels > 0; }

  // --- choosing
  // -------------------------------------------------------------------------------------------------
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
    if (crew_.size() > 1 && node.patch->n * d > kWorthSharing) {
      crew_.run(d, [&](int64_t c, int worker) { offers[c] = look_at(columns[c], node, desks_[worker]); });
    } else {
      for (int64_t c = 0; c < d; ++c) {
        stop_.check();
        offers[c] = look_at(columns[c], node, desks_[0]);
      }
    }
    if (input_.trace) keep_trace(node, columns, offers);
    if constexpr (kRatio)
      return best_ratio(node, offers);
    else
      return best_gain(node, offers);
  }

  Offer best_gain(const Open& node, const std::vector<Offer>& offers) const {
    double top = -kInfinity;
    for (const auto& offer : offers) top = std::max(top, offer.split.gain);
    for (const auto& offer : offers)
      if (offer.found() && offer.split.gain >= top - node.standing.tie()) return acceptable(offer);
    return {};
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
    const double average = sum / static_cast<double>(counted) - 1e-3 * node.standing.weight;
    const double nothing = kSlack * node.standing.weight;  // a gain that is only rounding is none
    Offer best;
    for (const auto& offer : offers)
      if (offer.found() && offer.split.gain >= average && offer.split.gain > nothing &&
          offer.ratio > best.ratio * (1 + kTie))
        best = offer;
    return acceptable(best);
  }

  bool has_many_levels(int32_t column) const { return input_.columns[column].n_levels >= 0.3 * root_weight_; }

  Offer acceptable(const Offer& offer) const {
    const bool enough =
        std::max(0.0, offer.split.gain) / root_weight_ + std::numeric_limits<double>::epsilon() >=
        limits_.min_decrease;
    return offer.found() && enough ? offer : Offer{};
  }

  Offer look_at(int32_t column, const Open& node, Desk& desk) const {
    const Patch<Entry>& patch = *node.patch;
    const MomentContext context = context_of(patch);
    const Scan<Rule, Entry> scan(patch, limits_, context, stop_);
    const Entry* list = patch.lists[column].data();
    const int64_t last = scan.present(list, patch.n);
    if (last == 0) return {};
    Standing known = node.standing;  // what the split is judged on: the rows that answer, unless a side for
                                     // the others is learned
    const bool number_by_ratio = kRatio && input_.columns[column].n_levels == 0;
    if ((known_only() || number_by_ratio) && last < patch.n) {
      known.end = last;
      measure(patch, list, known);
    }
    Offer offer;
    if (is_multiway(column))
      offer = multiway(list, last, known, node, scan, context, desk);
    else if (input_.columns[column].n_levels)
      offer = subset(list, last, known, node, scan, context, desk);
    else
      offer = threshold(list, last, known, node, scan, desk);
    if (offer.found()) offer.split.column = column;
    return offer;
  }

  Offer threshold(const Entry* list, int64_t last, const Standing& known, const Open& node,
                  const Scan<Rule, Entry>& scan, Desk& desk) const {
    Offer offer;
    if constexpr (kRatio) {
      offer = ratio_threshold(list, last, known, node, scan);
    } else {
      uint8_t distinct = 0;
      const double gain = scan.largest(list, known, Guard{}, -kInfinity, desk.scan, distinct);
      if (gain > -kInfinity) offer.split = scan.locate(list, known, Guard{}, gain, desk.scan);
    }
    return offer;
  }

  // C4.5's thresholds: only rows that answer, branches that are large enough, the cost of choosing taken off.
  Offer ratio_threshold(const Entry* list, int64_t last, const Standing& known, const Open& node,
                        const Scan<Rule, Entry>& scan) const {
    const double minimum = static_cast<double>(std::max<int64_t>(1, limits_.min_rows_leaf));
    const double least = Rule::least_branch(known.weight, context_.n_moments, minimum);
    Offer offer;
    if (known.weight < 2 * least - kSlack) return offer;
    std::vector<double> left(context_.n_moments, 0.0), right(context_.n_moments);
    double weight = 0, left_weight = 0, top = 0;
    int64_t tried = 0;
    for (int64_t i = 0; i < last; ++i) {
      if (i && (list[i] & Patch<Entry>::kBoundary) && weight >= least - kSlack &&
          known.weight - weight >= least - kSlack) {
        const double gain = scan.gain(left.data(), weight, known, right.data());
        ++tried;
        if (gain > top + known.tie()) {
          top = gain;
          left_weight = weight;
          offer.split.column = 0;
          offer.split.position = i;
        }
      }
      scan.add(list[i], known, left.data(), weight);
    }
    if (!offer.found()) return offer;
    offer.split.gain = top - Rule::threshold_cost(tried);
    if (offer.split.gain <= 0) return {};
    if (!known_only() && last < node.patch->n) learn_side(list, last, known, node, scan, offer);
    offer.ratio = ratio(offer.split.gain, {left_weight, known.weight - left_weight}, node.standing);
    return offer;
  }

  // Where the rows that do not answer do least harm.
  void learn_side(const Entry* list, int64_t last, const Standing& known, const Open& node,
                  const Scan<Rule, Entry>& scan, Offer& offer) const {
    std::vector<double> left(context_.n_moments, 0.0), right(left), missing(left);
    double weights[3] = {0, 0, 0};
    for (int64_t i = 0; i < node.patch->n; ++i) {
      auto& to = i >= last ? missing : i < offer.split.position ? left : right;
      scan.add(list[i], known, to.data(), weights[i >= last ? 2 : i < offer.split.position ? 0 : 1]);
    }
    auto merit_with = [&](const std::vector<double>& a, double weight, bool join) {
      std::vector<double> sum(a);
      for (int k = 0; join && k < context_.n_moments; ++k) sum[k] += missing[k];
      return Rule::merit(sum.data(), weight + (join ? weights[2] : 0.0), context_of(*node.patch));
    };
    const double to_left = merit_with(left, weights[0], true) + merit_with(right, weights[1], false);
    const double to_right = merit_with(left, weights[0], false) + merit_with(right, weights[1], true);
    offer.split.missing_left = to_left > to_right + node.standing.tie();
  }

  // Information of the split counts the rows that do not answer as a branch of their own.
  static double ratio(double gain, const std::vector<double>& branches, const Standing& node) {
    const double known = std::accumulate(branches.begin(), branches.end(), 0.0);
    const double information =
        Rule::split_information(branches, std::max(0.0, node.weight - known), node.weight);
    return information > kTie * node.weight ? gain / information : 0.0;
  }

  Offer subset(const Entry* list, int64_t last, const Standing& known, const Open& node,
               const Scan<Rule, Entry>& scan, const MomentContext& context, Desk& desk) const {
    Offer offer;
    offer.split = SubsetScan<Rule, Entry>(scan, context).best(list, known, Guard{}, desk.scan, desk.subset);
    if constexpr (kRatio) {
      if (!offer.found()) return offer;
      const SubsetScratch& found = desk.subset;
      double left = 0;
      for (int64_t g = 0; g < found.groups.size; ++g)
        left += found.goes_left[g] ? found.groups.weight[g] : 0.0;
      offer.ratio = ratio(offer.split.gain, {left, known.weight - left}, node.standing);
      if (last == 0 || offer.split.gain <= 0) return {};
    }
    return offer;
  }

  // A branch for each level. At least two branches must have enough cases.
  Offer multiway(const Entry* list, int64_t last, const Standing& known, const Open& node,
                 const Scan<Rule, Entry>& scan, const MomentContext& context, Desk& desk) const {
    Groups& groups = desk.subset.groups;
    SubsetScan<Rule, Entry>(scan, context).gather(list, last, known, groups);
    const int m = context_.n_moments;
    int64_t large = 0;
    double sum = 0;
    for (int64_t g = 0; g < groups.size; ++g) {
      const double cases = input_.fractional ? groups.weight[g] : static_cast<double>(groups.rows[g]);
      large += cases >= static_cast<double>(limits_.min_rows_leaf) - kSlack &&
               groups.weight[g] >= limits_.min_weight_leaf;
      sum += Rule::merit(&groups.moments[g * m], groups.weight[g], context);
    }
    Offer offer;
    if (large < 2) return offer;
    offer.split.column = 0;
    if (known_only() || last == node.patch->n) {
      offer.split.gain = sum - known.merit;
      offer.missing_like = heaviest(groups, list, node);
    } else {
      with_missing(list, last, sum, groups, node, scan, context, offer);
    }
    if (!(offer.split.gain > -kInfinity))
      return {};  // an impossible branch, such as a mean of zero under Poisson
    if constexpr (kRatio) offer.ratio = ratio(offer.split.gain, groups.weight, node.standing);
    return offer;
  }

  // A row of the input with this group's level.
  static uint32_t row_of(const Groups& groups, const Entry* list, int64_t group, const Open& node) {
    return node.patch->source(node.patch->row(list[groups.begin[group]]));
  }

  uint32_t heaviest(const Groups& groups, const Entry* list, const Open& node) const {
    const auto g = std::max_element(groups.weight.begin(), groups.weight.end()) - groups.weight.begin();
    return row_of(groups, list, g, node);
  }

  // Learned direction: the missing rows join the branch where they do least harm.
  void with_missing(const Entry* list, int64_t last, double sum, const Groups& groups, const Open& node,
                    const Scan<Rule, Entry>& scan, const MomentContext& context, Offer& offer) const {
    const int m = context_.n_moments;
    std::vector<double> missing(m, 0.0), joined(m);
    double weight = 0;
    for (int64_t i = last; i < node.patch->n; ++i) scan.add(list[i], node.standing, missing.data(), weight);
    for (int64_t g = 0; g < groups.size; ++g) {
      for (int k = 0; k < m; ++k) joined[k] = groups.moments[g * m + k] + missing[k];
      const double gain = sum - Rule::merit(&groups.moments[g * m], groups.weight[g], context) +
                          Rule::merit(joined.data(), groups.weight[g] + weight, context) -
                          node.standing.merit;
      if (!(gain > offer.split.gain + (g ? node.standing.tie() : 0.0))) continue;
      offer.split.gain = gain;
      offer.missing_like = row_of(groups, list, g, node);
    }
  }

  // --- applying
  // -------------------------------------------------------------------------------------------------
  std::vector<Open> apply(const Open& node, const Offer& offer) {
    const Patch<Entry>& patch = *node.patch;
    const int32_t column = offer.split.column;
    Fork fork = fork_of(node, offer);
    int32_t majority = -1;
    if (input_.surrogates > 0) majority = stand_in(node, column, fork);
    std::vector<double> known(fork.n_branches, 0.0);
    double total = 0;
    for (int64_t row = 0; row < patch.n; ++row) {
      if (fork.branch[row] == kAllBranches) continue;
      const double w = patch.weight ? patch.weight[row] : 1.0;
      known[fork.branch[row]] += w;
      total += w;
    }
    std::vector<double> share(known);
    for (double& s : share) s /= total;

    std::vector<int32_t> live;
    for (const int32_t j : node.live)
      if (!(fork.multiway && j == column) && !is_constant(patch.lists[j].data(), patch.n)) live.push_back(j);
    std::vector<int32_t> copied(live);
    if (copied.empty()) copied.push_back(column);  // a child is measured on a list
    auto patches = fork_patch(patch, fork, copied, share, crew_);

    const auto heaviest = static_cast<int32_t>(std::max_element(known.begin(), known.end()) - known.begin());
    record(node, offer, fork, majority >= 0 ? majority : heaviest);
    std::vector<Open> children;
    for (int64_t b = 0; b < fork.n_branches; ++b) {
      if (!patches[b]) {
        add_empty(node.standing);
        continue;
      }
      Open child;
      child.patch = std::move(patches[b]);
      child.standing.end = child.patch->n;
      measure(*child.patch, child.patch->lists[copied.front()].data(), child.standing);
      child.live = live;
      child.depth = node.depth + 1;
      child.key = child_key(node.key, static_cast<int>(b));
      child.id = add_node(child.standing);
      children.push_back(std::move(child));
    }
    return children;
  }

  Fork fork_of(const Open& node, const Offer& offer) {
    const Patch<Entry>& patch = *node.patch;
    const CodeColumn& column = input_.columns[offer.split.column];
    const Entry* list = patch.lists[offer.split.column].data();
    Fork fork;
    fork.split = offer.split;
    fork.multiway = is_multiway(offer.split.column);
    fork.n_branches = fork.multiway ? column.n_levels : 2;
    fork.branch.resize(patch.n);
    const MomentContext context = context_of(patch);
    const Scan<Rule, Entry> scan(patch, limits_, context, stop_);
    const int64_t last = scan.present(list, patch.n);
    if (!fork.multiway && column.n_levels)
      look_at(offer.split.column, node, desks_[0]);  // once more, for its subset
    int64_t group = -1;
    for (int64_t i = 0; i < last; ++i) {
      const uint32_t row = patch.row(list[i]);
      group += i == 0 || (list[i] & Patch<Entry>::kBoundary);
      if (fork.multiway)
        fork.branch[row] = static_cast<int32_t>(code_at(column, patch.source(row)));
      else if (column.n_levels)
        fork.branch[row] = !desks_[0].subset.goes_left[group];
      else
        fork.branch[row] = i >= offer.split.position;
    }
    const int32_t learned = fork.multiway ? static_cast<int32_t>(code_at(column, offer.missing_like))
                                          : static_cast<int32_t>(!offer.split.missing_left);
    for (int64_t i = last; i < patch.n; ++i)
      fork.branch[patch.row(list[i])] = known_only() ? kAllBranches : learned;
    return fork;
  }

  // Finds the node's surrogates, records them and sends the rows with a missing cell their way. Returns the
  // branch of the majority, which is for rows that no surrogate can help.
  int32_t stand_in(const Open& node, int32_t column, Fork& fork) {
    const SurrogateSearch<Entry> search(input_, *node.patch, fork.branch);
    const std::vector<Surrogate> found = search.best(node.live, column, input_.surrogates);
    std::vector<int32_t> branch(fork.branch);
    for (int64_t row = 0; row < node.patch->n; ++row)
      if (branch[row] == kAllBranches) branch[row] = search.route(static_cast<uint32_t>(row), found);
    for (const Surrogate& s : found) add_surrogate(node.id, s, search);
    fork.branch = std::move(branch);
    return search.majority();
  }

  void add_surrogate(int32_t id, const Surrogate& s, const SurrogateSearch<Entry>& search) {
    const double agreement = search.share(s.matched), majority = search.majority_share();
    tree_.stand_node.push_back(id);
    tree_.stand_feature.push_back(s.column);
    tree_.stand_first_below.push_back(s.first_below);
    tree_.stand_low.push_back(s.low_row);
    tree_.stand_high.push_back(s.high_row);
    tree_.stand_agreement.push_back(agreement);
    tree_.stand_adjusted.push_back((agreement - majority) / (1 - majority));
    const auto levels = static_cast<int64_t>(s.goes_first.size()),
               start = static_cast<int64_t>(tree_.stand_bits.size());
    tree_.stand_subset.push_back(levels ? start : -1);
    tree_.stand_bits.resize(start + (levels + 63) / 64, 0);
    for (int64_t k = 0; k < levels; ++k)
      if (s.goes_first[k]) tree_.stand_bits[start + (k >> 6)] |= uint64_t{1} << (k & 63);
  }

  // --- recording
  // ------------------------------------------------------------------------------------------------
  int32_t add_node(const Standing& s) {
    return append_node(tree_, s.weight, s.impurity, s.rows(), s.moments);
  }

  // A level without rows: what its parent says.
  void add_empty(const Standing& parent) { append_node(tree_, 0.0, 0.0, 0, parent.moments); }

  void record(const Open& node, const Offer& offer, const Fork& fork, int32_t heaviest) {
    const int32_t id = node.id, column = offer.split.column;
    const Patch<Entry>& patch = *node.patch;
    const Entry* list = patch.lists[column].data();
    const MomentContext context = context_of(patch);
    const int64_t last = Scan<Rule, Entry>(patch, limits_, context, stop_).present(list, patch.n);
    tree_.feature[id] = column;
    tree_.first_child[id] = static_cast<int32_t>(tree_.size());
    tree_.n_children[id] = static_cast<int32_t>(fork.n_branches);
    if (input_.fractional)
      tree_.missing_branch[id] = kAllBranches;
    else if (input_.surrogates > 0)
      tree_.missing_branch[id] = heaviest;
    else
      tree_.missing_branch[id] = last < patch.n ? fork.branch[patch.row(list[last])] : heaviest;
    if (fork.multiway) {
      tree_.kind[id] = kMultiway;
    } else if (input_.columns[column].n_levels) {
      tree_.kind[id] = kSubset;
      add_subset(id, patch, input_.columns[column], list, last, fork, heaviest == 0);
    } else {
      tree_.kind[id] = kThreshold;
      const int64_t at = offer.split.position;
      tree_.low_row[id] = patch.source(patch.row(list[at - 1]));
      tree_.high_row[id] = at < last ? patch.source(patch.row(list[at])) : tree_.low_row[id];
      if (at == last) tree_.threshold[id] = kInfinity;
    }
  }

  void add_subset(int32_t id, const Patch<Entry>& patch, const CodeColumn& column, const Entry* list,
                  int64_t last, const Fork& fork, bool absent_left) {
    SubsetWriter writer(tree_, id, column.n_levels, absent_left);
    for (int64_t i = 0; i < last; ++i) {
      if (i && !(list[i] & Patch<Entry>::kBoundary)) continue;
      const uint32_t row = patch.row(list[i]);
      writer.set(code_at(column, patch.source(row)), fork.branch[row] == 0);
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
      const Entry* list = node.patch->lists[columns[c]].data();
      const int64_t place = offers[c].split.position;
      const bool among_missing = place >= node.patch->n || (list[place] & Patch<Entry>::kMissing);
      tree_.trace_low[at] = node.patch->source(node.patch->row(list[place - 1]));
      tree_.trace_high[at] =
          among_missing ? tree_.trace_low[at] : node.patch->source(node.patch->row(list[place]));
    }
  }

  const GrowInput& input_;
  const Limits& limits_;
  const MomentContext context_;
  Crew& crew_;
  Stop& stop_;
  double root_weight_ = 0;
  std::vector<Desk> desks_;
  GrownTree tree_;
};

}  // namespace hedgerow

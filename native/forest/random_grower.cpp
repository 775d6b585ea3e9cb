#include "forest/random_grower.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "common/random.hpp"
#include "forest/ordered.hpp"
#include "forest/places.hpp"
#include "forest/random_scan.hpp"
#include "grow/row_set.hpp"
#include "grow/sparse_columns.hpp"

namespace hedgerow {
namespace {

template <class Code>
uint32_t largest_of(const void* codes, int64_t n) {
  const auto* all = static_cast<const Code*>(codes);
  Code largest = 0;
  for (int64_t i = 0; i < n; ++i) largest = std::max(largest, all[i]);
  return largest;
}

bool has_missing(const CodeColumn& column, int64_t n) {
  const uint32_t largest = column.width == 1   ? largest_of<uint8_t>(column.codes, n)
                           : column.width == 2 ? largest_of<uint16_t>(column.codes, n)
                                               : largest_of<uint32_t>(column.codes, n);
  return largest == column.n_codes;
}

// A few numbers: no call.
template <class T>
void append(std::vector<T>& to, const T* from, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to.push_back(from[i]);
}

}  // namespace

bool RandomGrower::takes(const ForestInput& input, const CriterionTraits& traits, ThreadTeam& team) {
  const GrowInput& one = input.one;
  if (!one.limits.random_splits || !traits.of_classes || !traits.sums_terms || one.weight ||
      input.class_weight || input.balanced || one.limits.min_weight_leaf > 0 || is_sparse(one))
    return false;
  std::atomic<bool> plain{true};
  team.run(static_cast<int64_t>(one.columns.size()), [&](int64_t j, int) {
    if (one.columns[j].n_levels || has_missing(one.columns[j], one.n_rows)) plain = false;
  });
  return plain;
}

RandomGrower::RandomGrower(const ForestInput& input, const CriterionEntry& criterion, const Records& records,
                           Stop& stop)
    : input_(input),
      one_(input.one),
      limits_(input.one.limits),
      records_(records),
      functions_(criterion.functions),
      squares_(criterion.traits.terms_are_squares),
      context_{input.one.n_classes, nullptr},
      stop_(stop),
      blocks_(input.one, records, false) {
  const auto d = static_cast<int32_t>(one_.columns.size());
  shuffled_.resize(d);
  std::iota(shuffled_.begin(), shuffled_.end(), 0);
  left_.resize(one_.n_classes);
  right_.resize(one_.n_classes);
  if (criterion.traits.log_table) logs_ = std::make_unique<Logs>(std::max(input.draws.size, one_.n_rows));
  context_.logs = logs_.get();
  rule_ = functions_.scan32(no_rows_, limits_, context_, stop_);
}

void RandomGrower::grow(int64_t tree, uint64_t seed) {
  begin(tree);
  stats_.moments.assign(one_.n_classes, 0.0);
  for (const uint64_t row : rows_) stats_.moments[tag_.label(row >> 32)] += tag_.count(row >> 32);
  now_ = {};
  now_.depth = -1;  // the root is a child of nobody
  add_child(0, static_cast<int64_t>(rows_.size()));
  root_weight_ = child_[0].weight;
  child_[0].key = root_key(seed);
  if (!ends_[0]) open_child(0, 0, static_cast<int64_t>(rows_.size()));
  for (uint32_t step = 0; !stack_.empty(); ++step) {
    now_ = stack_.back();
    stack_.pop_back();
    for (size_t w = constant_.size(); w-- > 0;) {
      constant_[w] = constants_.back();
      constants_.pop_back();
    }
    if (step % 64 == 0 || now_.rows() > 2048) stop_.check();
    split();
  }
}

void RandomGrower::begin(int64_t tree) {
  const bool all = input_.draws.how == How::kAll;  // every tree has the same rows
  if (!all || every_row_.empty()) take_rows(tree);
  if (all && every_row_.empty()) every_row_ = rows_;
  if (all) rows_ = every_row_;
  spare_rows_.resize(rows_.size());
  nodes_.clear();
  moments_.clear();
  stack_.clear();
  constants_.clear();
  constant_.assign((one_.columns.size() + 63) / 64, 0);
  blocks_.begin(nullptr);
}

void RandomGrower::take_rows(int64_t tree) {
  draw_rows(input_, tree, drawn_);
  const auto& counts = drawn_.counts;
  const uint32_t most = *std::max_element(counts.begin(), counts.end());
  tag_.count_bits = std::max(1, static_cast<int>(std::bit_width(most)));
  tag_.label_bits = bits_for(one_.n_classes);
  rows_.clear();
  for (int64_t i = 0; i < one_.n_rows; ++i)
    if (const uint64_t count = counts[i]) {
      const uint64_t tag = static_cast<uint64_t>(one_.classes[i]) << tag_.count_bits | count;
      rows_.push_back(tag << 32 | static_cast<uint64_t>(i));
    }
}

void RandomGrower::split() {
  const int level = blocks_.level_of(now_.rows(), now_.level);
  if (level > now_.level) {
    blocks_.renumber(now_.level, level, rows_.data() + now_.begin, now_.rows(), constant_);
    now_.level = level;
  }
  if (now_.rows() == 2 && limits_.min_decrease == 0) return split_pair();
  classes_.enter(rows_.data() + now_.begin, now_.rows(), tag_,
                 moments_.data() + int64_t{now_.id} * one_.n_classes, one_.n_classes);
  choose();
  if (best_.column < 0 || !gains_enough(limits_, best_.gain, root_weight_)) return;
  part_rows();
}

// The columns drawn, as in grower.hpp: the first of a shuffle; of those that are constant nothing comes, but
// at least one that is not is looked at (limits.redraw). `enough`: no other has to be; `any`: one that is not
// constant was met.
template <class Meet, class Any, class Enough>
void RandomGrower::each_drawn(Meet meet, Any any, Enough enough) {
  const auto d = static_cast<int32_t>(one_.columns.size());
  const int32_t wanted = std::min(limits_.max_features, d);
  if (wanted == d) {
    for (int32_t column = 0; column < d && !enough(); ++column) meet(column);
    return;
  }
  Random random(now_.key);
  swapped_.clear();
  for (int32_t i = 0; i < d && !enough(); ++i) {
    if (i >= wanted && (any() || !limits_.redraw)) break;
    swapped_.push_back(i + 1 < d ? i + static_cast<int32_t>(random.below(d - i)) : i);
    std::swap(shuffled_[i], shuffled_[swapped_[i]]);
    meet(shuffled_[i]);
  }
  while (!swapped_.empty()) {  // back in order, at the cost of those drawn
    std::swap(shuffled_[swapped_.size() - 1], shuffled_[swapped_.back()]);
    swapped_.pop_back();
  }
}

void RandomGrower::choose() {
  const double perfect = now_.weight * now_.impurity - now_.tie();
  found_.clear();
  best_ = {-1, -kInfinity};
  top_ = -kInfinity;
  kept_column_ = -1;
  looked_ = 0;
  if (!squares_) {
    const double* moments = moments_.data() + int64_t{now_.id} * one_.n_classes;
    node_stats_.moments.assign(moments, moments + one_.n_classes);
    node_stats_.weight = now_.weight;
    node_stats_.merit = now_.merit;
    node_stats_.impurity = now_.impurity;
  }
  // Few rows: one column is likely to be perfect. Else several at once.
  const int together = now_.rows() <= kFewRows ? 1 : kTogether;
  n_waiting_ = 0;
  auto meet = [&](int32_t column) {
    if (is_constant(column)) return;
    waiting_[n_waiting_++] = column;
    if (n_waiting_ == together) look_at_waiting();
  };
  each_drawn(
      meet,
      [&] {
        look_at_waiting();
        return looked_ > 0;
      },
      [&] { return top_ >= perfect; });
  look_at_waiting();
  settle();
}

// Two rows of different classes: every threshold between them is as good, and both children are leaves.
void RandomGrower::split_pair() {
  const uint64_t* rows = rows_.data() + now_.begin;
  CodeSource source{};
  uint32_t code[2] = {0, 0};
  bool found = false;
  each_drawn(
      [&](int32_t column) {
        if (is_constant(column)) return;
        source = source_of(column);
        with_reader(records_, column, [&](auto read) {
          for (int i = 0; i < 2; ++i)
            code[i] =
                read(source.base + static_cast<int64_t>(static_cast<uint32_t>(rows[i])) * source.stride);
        });
        found = code[0] != code[1];
      },
      [&] { return found; }, [&] { return found; });
  if (!found) return;
  const int first = code[0] < code[1] ? 0 : 1;
  auto value = [&](int row) {
    return source.values ? source.values[code[row]] : double{from_ordered(code[row])};
  };
  double threshold = 0;
  draw_between(now_.key, source.column, value(first), value(1 - first), threshold);
  const auto children = static_cast<int32_t>(nodes_.size());
  for (const int row : {first, 1 - first}) {
    const uint64_t tag = rows[row] >> 32;
    std::fill(stats_.moments.begin(), stats_.moments.end(), 0.0);
    stats_.moments[tag_.label(tag)] = tag_.count(tag);
    Node leaf;
    leaf.n_rows = 1;
    leaf.weight = tag_.count(tag);
    nodes_.push_back(leaf);
    append(moments_, stats_.moments.data(), one_.n_classes);
  }
  set_split(children, source.column, threshold);
}

void RandomGrower::set_split(int32_t children, int32_t column, double threshold) {
  Node& node = nodes_[now_.id];
  node.first_child = children;
  node.feature = column;
  node.threshold = threshold;
  node.missing_branch = nodes_[children].weight > nodes_[children + 1].weight ? 0 : 1;
}

void RandomGrower::look_at_waiting() {
  if (!n_waiting_) return;
  CodeSource columns[kTogether];
  for (int j = 0; j < n_waiting_; ++j) columns[j] = source_of(waiting_[j]);
  cut_at_random(classes_, now_.key, columns, n_waiting_, scratch_, drafts_);
  for (int j = 0; j < n_waiting_; ++j) {
    if (drafts_[j].constant)
      set_constant(waiting_[j]);
    else
      compare(waiting_[j], drafts_[j]);
  }
  n_waiting_ = 0;
}

void RandomGrower::compare(int32_t column, RandomCut& cut) {
  ++looked_;
  const int64_t above = cut.rows_above, below = now_.rows() - above;
  if (std::min(above, below) < limits_.min_rows_leaf) return;
  const double gain = gain_of(cut);
  if (gain <= top_) return;
  if (kept_column_ < 0 || gain > kept_gain_ + now_.tie()) {  // better by more than a tie
    std::swap(cut_, cut);
    kept_column_ = column;
    kept_gain_ = gain;
  }
  found_.push_back({column, gain});
  top_ = gain;
}

CodeSource RandomGrower::source_of(int32_t column) const {
  const auto [base, stride] = blocks_.source(now_.level, now_.rows(), column);
  return {column, base, stride, records_.width[column],
          records_.has_numbers(column) ? nullptr : one_.columns[column].values};
}

double RandomGrower::gain_of(const RandomCut& cut) {
  const double* moments = moments_.data() + int64_t{now_.id} * one_.n_classes;
  const auto& present = classes_.present();
  if (!squares_) {
    double weight = now_.weight;
    std::copy_n(moments, one_.n_classes, left_.begin());
    for (size_t k = 0; k < present.size(); ++k) {
      left_[present[k]] -= cut.counts[k];
      weight -= cut.counts[k];
    }
    return rule_->gain(left_.data(), weight, node_stats_, right_.data());
  }
  uint64_t above = 0, squares_above = 0, squares_below = 0;
  for (size_t k = 0; k < present.size(); ++k) {
    const uint64_t here = cut.counts[k], rest = static_cast<uint64_t>(moments[present[k]]) - here;
    above += here;
    squares_above += here * here;
    squares_below += rest * rest;
  }
  const auto weight = static_cast<double>(above);
  return static_cast<double>(squares_above) / weight +
         static_cast<double>(squares_below) / (now_.weight - weight) - now_.merit;
}

// Of the candidates that are tied with the best, the one that was looked at first; its cut is in `cut_`.
void RandomGrower::settle() {
  for (const Found& found : found_)
    if (found.gain >= top_ - now_.tie()) {
      best_ = found;
      break;
    }
  if (best_.column < 0 || best_.column == kept_column_) return;
  const CodeSource source = source_of(best_.column);
  cut_at_random(classes_, now_.key, &source, 1, scratch_, &cut_);
}

void RandomGrower::part_rows() {
  const int k = one_.n_classes;
  const auto& present = classes_.present();
  const int64_t n = now_.rows(), below = n - cut_.rows_above;
  const int64_t parent = int64_t{now_.id} * k;
  const auto first = static_cast<int32_t>(nodes_.size());
  stats_.moments.assign(moments_.begin() + parent, moments_.begin() + parent + k);
  for (size_t j = 0; j < present.size(); ++j) stats_.moments[present[j]] -= cut_.counts[j];
  add_child(0, below);
  std::fill(stats_.moments.begin(), stats_.moments.end(), 0.0);
  for (size_t j = 0; j < present.size(); ++j) stats_.moments[present[j]] = cut_.counts[j];
  add_child(1, n - below);
  set_split(first, best_.column, cut_.threshold);
  if (ends_[0] && ends_[1]) return;
  // Stable: [first child's rows | second child's].
  uint64_t *rows = rows_.data() + now_.begin, *spare = spare_rows_.data();
  int64_t second = 0;
  for (int64_t begin = 0; begin < n; begin += 64) {
    uint64_t above = cut_.above[begin / 64];
    for (int64_t i = begin, end = std::min(n, begin + 64); i < end; ++i, above >>= 1) {
      const uint64_t row = rows[i];
      rows[i - second] = row;
      spare[second] = row;
      second += static_cast<int64_t>(above & 1);
    }
  }
  std::copy(spare, spare + second, rows + below);
  if (!ends_[1]) open_child(1, now_.begin + below, now_.end);
  if (!ends_[0]) open_child(0, now_.begin, now_.begin + below);
}

// Of a pure node nothing but the weight is asked.
void RandomGrower::measure() {
  int present = 0;
  stats_.weight = 0;
  for (const double count : stats_.moments) {
    present += count > 0;
    stats_.weight += count;
  }
  stats_.pure = present <= 1;
  stats_.impurity = 0;
  if (!stats_.pure) functions_.class_stats(stats_, context_);
}

void RandomGrower::add_child(int which, int64_t rows) {
  stats_.begin = 0;
  stats_.end = rows;
  measure();
  Open& child = child_[which];
  child.id = static_cast<int32_t>(nodes_.size());
  child.depth = now_.depth + 1;
  child.level = now_.level;
  child.key = child_key(now_.key, which);
  child.weight = stats_.weight;
  child.impurity = stats_.impurity;
  child.merit = stats_.merit;
  ends_[which] = must_be_leaf(limits_, stats_, child.depth);
  Node node;
  node.n_rows = static_cast<int32_t>(rows);
  node.weight = stats_.weight;
  node.impurity = stats_.impurity;
  nodes_.push_back(node);
  append(moments_, stats_.moments.data(), one_.n_classes);
}

void RandomGrower::open_child(int which, int64_t begin, int64_t end) {
  child_[which].begin = begin;
  child_[which].end = end;
  stack_.push_back(child_[which]);
  append(constants_, constant_.data(), static_cast<int64_t>(constant_.size()));
}

double RandomGrower::threshold_of(const Node& node) const {
  return std::isfinite(node.threshold) ? undivided(input_, node.feature, node.threshold) : node.threshold;
}

GrownTree RandomGrower::tree() const {
  GrownTree out;
  out.n_moments = one_.n_classes;
  std::vector<double> value;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    const auto first = moments_.begin() + static_cast<int64_t>(i) * one_.n_classes;
    value.assign(first, first + one_.n_classes);
    append_node(out, node.weight, node.impurity, node.n_rows, value);
    if (node.first_child < 0) continue;
    out.kind[i] = kThreshold;
    out.feature[i] = node.feature;
    out.first_child[i] = node.first_child;
    out.n_children[i] = 2;
    out.missing_branch[i] = node.missing_branch;
    out.threshold[i] = threshold_of(node);
  }
  return out;
}

SlimTree RandomGrower::slim_tree() const {
  constexpr int64_t kFew = 16;  // rows of one class: most leaves are like that, and need not be looked up
  const int k = one_.n_classes;
  const size_t inner = nodes_.size() / 2, leaves = inner + 1;
  SlimTree out;
  out.n_classes = k;
  out.first_child.reserve(nodes_.size());
  out.feature.reserve(inner);
  out.threshold.reserve(inner);
  out.n_rows.reserve(leaves);
  out.place.reserve(leaves);
  Places<uint32_t> places(out.table, k);
  std::vector<uint32_t> counts(k);
  std::vector<int64_t> known(k * kFew, -1);
  const double* moments = moments_.data();
  for (const Node& node : nodes_) {
    out.first_child.push_back(node.first_child);
    if (node.first_child < 0) {
      int largest = 0;
      for (int c = 0; c < k; ++c) {
        counts[c] = static_cast<uint32_t>(moments[c]);
        largest = counts[c] > counts[largest] ? c : largest;
      }
      const bool few = counts[largest] < kFew && counts[largest] == node.weight;
      int64_t unknown = -1, &place = few ? known[largest * kFew + counts[largest]] : unknown;
      if (place < 0) place = places.of(counts.data());
      out.place.push_back(static_cast<uint32_t>(place));
      out.n_rows.push_back(static_cast<uint32_t>(node.n_rows));
    } else {
      out.feature.push_back(node.missing_branch ? ~node.feature : node.feature);
      out.threshold.push_back(threshold_of(node));
    }
    moments += k;
  }
  out.table.shrink_to_fit();
  return out;
}

}  // namespace hedgerow

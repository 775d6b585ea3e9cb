// The grower of one tree of a forest: rows in one list, columns ordered only where they are looked at.
//
//   rows   [ node A's rows | node B's rows | ... ]     parted in place, in their order
//   node   draws columns; each one's codes are gathered, put in order (order.hpp) and scanned
//
// Sparse columns are looked at through their entries (sparse_node.hpp).
//
// Most nodes look at few of many columns, so that keeping all of them sorted, as grower.hpp does, would be
// most of the work. Rows of whole weight with classes are scanned as keys (count_scan.hpp); everything else
// goes through the lists and scans of the single tree. Either way the tree is the one that grow_tree makes.
#pragma once

#include <memory>
#include <numeric>
#include <optional>

#include "common/random.hpp"
#include "forest/blocks.hpp"
#include "forest/bucket_scan.hpp"
#include "forest/forest.hpp"
#include "forest/gini_scan.hpp"
#include "forest/order.hpp"
#include "forest/ordered.hpp"
#include "forest/random_scan.hpp"
#include "forest/records.hpp"
#include "forest/sparse_node.hpp"
#include "forest/value_rows.hpp"
#include "grow/criterion_table.hpp"
#include "grow/grid.hpp"
#include "grow/sparse_columns.hpp"
#include "grow/stop_rules.hpp"

namespace hedgerow {

class RowGrower {
 public:
  using Entry = uint32_t;

  RowGrower(const ForestInput& input, const CriterionEntry& criterion, const Records& records, Stop& stop)
      : input_(input),
        one_(input.one),
        limits_(input.one.limits),
        records_(records),
        functions_(criterion.functions),
        traits_(criterion.traits),
        countable_(traits_.of_classes && traits_.sums_terms),
        sparse_(is_sparse(input.one)),
        context_{traits_.of_classes ? input.one.n_classes : 1, nullptr, input.one.exact},
        stop_(stop),
        blocks_(input.one, records, sparse_ || draws_by_rows()) {
    row_set_.row_bits = bits_for(one_.n_rows);
    row_set_.label_bits = traits_.of_classes ? bits_for(one_.n_classes) : 0;
    code_bits_ = std::bit_width(records.largest_code);
    const auto d = static_cast<int32_t>(one_.columns.size());
    shuffled_.resize(d);
    std::iota(shuffled_.begin(), shuffled_.end(), 0);
    if (draws_by_rows()) value_rows_.emplace(one_, records_);
  }

  void grow(int64_t tree, uint64_t seed) {
    clear(tree_);
    tree_.n_moments = context_.n_moments;
    begin(tree);
    Open& root = push();
    root.depth = 0;
    root.key = root_key(seed);
    root.level = 0;
    root.stats.begin = 0;
    root.stats.end = static_cast<int64_t>(rows_.size());
    root.constant.assign((one_.columns.size() + 63) / 64, 0);
    measure_root(root);
    root_weight_ = root.stats.weight;
    root.id = add_node(root.stats);
    if (is_leaf(root)) open_ = 0;
    for (uint32_t step = 0; open_ > 0; ++step) {
      std::swap(now_, stack_[--open_]);
      if (step % 64 == 0 || now_.stats.rows() > 2048) stop_.check();
      split();
    }
    write_thresholds();
    subsets_in_order();
  }

  // The last one, this grower's until the next is grown; whoever keeps it may move it away.
  GrownTree& tree() { return tree_; }

 private:
  static constexpr int64_t kFewRows = 32;  // scanned as quickly as their entries

  struct Open {
    int32_t id = 0, depth = 0;
    uint64_t key = 0;
    int level = 0;  // whose records its rows are numbered by: 0 all, else those of a subtree
    NodeStats stats;
    std::vector<uint64_t> constant;  // a bit a column: known to be constant here
  };

  struct Found {
    int32_t column;
    double gain;
  };

  // A threshold between two codes, not yet in numbers.
  struct Between {
    int32_t node;
    uint32_t low_code, high_code;
  };

  // --- the tree's rows
  void begin(int64_t tree) {
    draw_rows(input_, tree, drawn_);
    whole_ = countable_ && drawn_.weight.empty();
    const auto& counts = drawn_.counts;
    uint32_t most = 1;
    double total = 0;
    rows_.clear();
    between_.clear();
    for (int64_t i = 0; i < one_.n_rows; ++i) {
      if (!counts[i]) continue;
      most = std::max(most, counts[i]);
      total += counts[i];
    }
    tag_.count_bits = std::bit_width(most);
    tag_.label_bits = row_set_.label_bits;
    for (int64_t i = 0; i < one_.n_rows; ++i) {
      if (!counts[i]) continue;
      const uint64_t label = traits_.of_classes ? static_cast<uint64_t>(one_.classes[i]) : 0;
      const uint64_t tag = whole_ ? label << tag_.count_bits | counts[i] : label;
      rows_.push_back(tag << 32 | static_cast<uint64_t>(i));
    }
    if (traits_.log_table && drawn_.weight.empty() && (!logs_ || logs_total_ < total)) {
      logs_ = std::make_unique<Logs>(static_cast<int64_t>(total));
      logs_total_ = total;
    }
    context_.logs = drawn_.weight.empty() ? logs_.get() : nullptr;
    rule_ = functions_.scan32(row_set_, limits_, context_, stop_);
    if (functions_.count_scan) count_scan_ = functions_.count_scan(limits_, context_);
    narrow_ = code_bits_ + tag_.bits() <= 32;
    const size_t room = rows_.size() + kKeyPadding;
    spare_rows_.resize(room);
    side_.resize(room);
    list_.resize(room);
    list_column_ = -1;
    blocks_.begin(real_weights());
    if (sparse_) sparse_node_.begin(rows_, one_.n_rows);
  }

  // By row of the table; null where the tags say it, and where all are one.
  const double* real_weights() {
    if (!drawn_.weight.empty()) return drawn_.weight.data();
    const auto& counts = drawn_.counts;
    counts_differ_ = std::any_of(counts.begin(), counts.end(), [](uint32_t c) { return c > 1; });
    if (whole_ || !counts_differ_) return nullptr;
    counts_as_weight_.assign(counts.begin(), counts.end());
    return counts_as_weight_.data();
  }

  void measure_root(Open& root) {
    if (whole_) {
      root.stats.moments.assign(context_.n_moments, 0.0);
      for (const uint64_t row : rows_) root.stats.moments[tag_.label(row >> 32)] += tag_.count(row >> 32);
      functions_.class_stats(root.stats, context_);
      return;
    }
    std::swap(now_, root);
    enter();
    make_list(0);
    rule_->measure(list_.data(), now_.stats);
    std::swap(now_, root);
  }

  // --- one node
  void split() {
    const int level = blocks_.level_of(now_.stats.rows(), now_.level);
    if (level > now_.level) sparse_ ? leave_out_absent(level) : renumber(level);
    enter();
    choose();
    if (!acceptable()) return;
    if (by_keys_)
      split_by_code();
    else
      split_by_list();
  }

  void enter() {
    begin_ = rows_.data() + now_.stats.begin;
    n_ = now_.stats.rows();
    have_dense_ = have_tags_ = false;
    list_column_ = -1;
    kept_column_ = -1;
    row_set_.n = n_;
    if (sparse_) sparse_node_.enter(begin_, now_.stats.begin, n_);
  }

  bool is_leaf(const Open& node) const { return ends(node.stats, node.depth); }
  bool ends(const NodeStats& s, int32_t depth) const { return must_be_leaf(limits_, s, depth); }

  bool acceptable() const { return best_.column >= 0 && gains_enough(limits_, best_.gain, root_weight_); }

  void renumber(int level) {
    const int from = now_.level;
    const int64_t n = now_.stats.rows();
    uint64_t* rows = rows_.data() + now_.stats.begin;
    const bool has_values = value_rows_ && value_rows_->has_level(from);
    if (has_values) value_rows_->copy(from, level, rows, n);
    blocks_.renumber(from, level, rows, n, now_.constant);
    if (!has_values && value_rows_ && value_rows_->has_level(level))
      value_rows_->read(level, blocks_.records(level), n);
    now_.level = level;
  }

  // Columns in which none of the subtree's rows has an entry are constant: they need not be looked at.
  void leave_out_absent(int level) {
    now_.level = level;
    present_.assign(now_.constant.size(), 0);
    const uint64_t* rows = rows_.data() + now_.stats.begin;
    for (int64_t i = 0; i < now_.stats.rows(); ++i) {
      const auto row = static_cast<uint32_t>(rows[i]);
      for (int64_t e = records_.entry_start[row]; e < records_.entry_start[row + 1]; ++e) {
        const int32_t column = records_.entry_columns[e];
        present_[column >> 6] |= uint64_t{1} << (column & 63);
      }
    }
    for (size_t k = 0; k < present_.size(); ++k) now_.constant[k] |= ~present_[k];
  }

  // --- choosing
  bool is_known_constant(int32_t column) const { return now_.constant[column >> 6] >> (column & 63) & 1; }
  void know_constant(int32_t column) { now_.constant[column >> 6] |= uint64_t{1} << (column & 63); }

  // The columns drawn, as in grower.hpp: the first of a shuffle; of those that are constant nothing comes,
  // but at least one that is not is looked at (limits.redraw).
  void choose() {
    const auto d = static_cast<int32_t>(one_.columns.size());
    const int32_t wanted = std::min(limits_.max_features, d);
    found_.clear();
    best_ = {-1, -kInfinity};
    top_ = -kInfinity;
    perfect_ = now_.stats.weight * now_.stats.impurity - now_.stats.tie();
    looked_ = 0;
    by_rows_ = value_rows_ && value_rows_->has_level(now_.level);
    if (by_rows_) measure_by_rows();
    if (wanted == d) {
      for (int32_t column = 0; column < d && top_ < perfect_; ++column) look_at(column);
    } else {
      swapped_.clear();
      Random random(now_.key);
      for (int32_t i = 0; i < d && (i < wanted || (limits_.redraw && !looked_)) && top_ < perfect_; ++i) {
        swapped_.push_back(i + 1 < d ? i + static_cast<int32_t>(random.below(d - i)) : i);
        std::swap(shuffled_[i], shuffled_[swapped_[i]]);
        look_at(shuffled_[i]);
      }
      while (!swapped_.empty()) {  // back in order, at the cost of those drawn
        std::swap(shuffled_[swapped_.size() - 1], shuffled_[swapped_.back()]);
        swapped_.pop_back();
      }
    }
    settle();
  }

  void look_at(int32_t column) {
    if (by_rows_ && value_rows_->has_column(column)) {
      const double gain = value_rows_->gain(column);
      if (!std::isnan(gain)) count_in(column, gain);
      return;
    }
    if (is_known_constant(column)) return;
    const std::optional<double> seen = look(column);
    if (!seen) return know_constant(column);
    count_in(column, *seen);
  }

  void count_in(int32_t column, double gain) {
    ++looked_;
    if (gain <= top_) return;
    found_.push_back({column, gain});
    top_ = gain;
  }

  // The gain of its best split, if it is more than that of the columns before; nothing: it is constant.
  std::optional<double> look(int32_t column) {
    if (sparse_) {
      const auto [low, high] = sparse_node_.find(one_.columns[column], column);
      if (low == high) return std::nullopt;
      if (!may_lead(column, low, high)) return -kInfinity;
    }
    if (scans_keys(column)) {
      double gain = -kInfinity;
      const Shape shape = limits_.random_splits ? look_at_random(column, gain)
                          : narrow_             ? look_by_keys(column, narrow_keys_, gain)
                                                : look_by_keys(column, wide_keys_, gain);
      if (shape == Shape::kConstant) return std::nullopt;
      if (shape == Shape::kPlain) return gain;
    }
    if (sums_suffice(column)) {
      const auto [low, high] = gather_codes(column, codes_);
      if (low == high) return std::nullopt;
      if (high < one_.columns[column].n_codes) return gain_below_threshold(column, low, high);
    }
    return look_by_list(column);
  }

  // --- random thresholds of numbers and of weighted classes: sums of one side choose the column, and it
  // alone is put in order, for the sums that are published. Orders differ in rounding only, which ties
  // swallow.
  bool sums_suffice(int32_t column) const {
    return limits_.random_splits && !sparse_ && !one_.columns[column].n_levels &&
           (traits_.of_classes || traits_.squared_units);
  }

  // Many columns of small nodes: all of them at once, row by row.
  bool draws_by_rows() const {
    const auto d = static_cast<int64_t>(one_.columns.size());
    return limits_.random_splits && !sparse_ && traits_.squared_units &&
           4 * int64_t{limits_.max_features} >= d;
  }

  void measure_by_rows() {
    make_dense();
    value_rows_->measure({now_.level, begin_, row_set_.target, row_set_.weight, now_.key, now_.stats},
                         limits_);
  }

  double gain_below_threshold(int32_t column, uint32_t low, uint32_t high) {
    double threshold;
    if (!draw_threshold(column, low, high, threshold)) return -kInfinity;
    const uint32_t last = last_code_below(column, low, high, threshold, codes_);
    begin_entries();
    int64_t rows = 0;
    if (traits_.of_classes) {
      for (int64_t i = 0; i < n_; ++i)
        if (codes_[i] <= last) {
          add_entry(static_cast<uint32_t>(i));
          ++rows;
        }
    } else {
      make_dense();
      const SumBelow below = sum_below(codes_.data(), row_set_.target, row_set_.weight, now_.stats.centre,
                                       now_.stats.grid, n_, last);
      rows = below.rows;
      entry_weight_ = below.weight;
      entry_moments_[0] = below.sum;
    }
    return large_enough(limits_, rows, entry_weight_, now_.stats) ? gain_of_entries() : -kInfinity;
  }

  // Up to what the order of sums may change.
  bool beats_top(double gain) const {
    const NodeStats& s = now_.stats;
    return gain > top_ - s.weight * (SparseNode::kSlack * s.impurity + 1e-12);
  }

  // --- sparse columns: the gain from the entries alone, to leave out those that cannot be the best
  bool may_lead(int32_t column, uint32_t low, uint32_t high) {
    if (top_ == -kInfinity || n_ <= kFewRows || !sparse_node_.few() || high == one_.columns[column].n_codes ||
        !(traits_.of_classes || traits_.squared_units))
      return true;
    return beats_top(entry_gain(column, low, high));
  }

  // All rows without an entry are on one side of every threshold: the other side is made of entries.
  double entry_gain(int32_t column, uint32_t low, uint32_t high) {
    const uint32_t rest = one_.columns[column].rest;
    double gain = -kInfinity;
    begin_entries();
    if (limits_.random_splits) {
      double threshold;
      if (!draw_threshold(column, low, high, threshold)) return gain;
      const uint32_t last = search_code(column, low, high, threshold);
      for (const auto& found : sparse_node_.found())
        if ((found.code <= last) != (rest <= last)) add_entry(found.row);
      return gain_of_entries();
    }
    const auto& found = sparse_node_.by_code();
    const auto n = static_cast<int64_t>(found.size());
    int64_t e = 0;
    for (; e < n && found[e].code < rest; ++e) {
      if (e && found[e].code != found[e - 1].code) gain = std::max(gain, gain_of_entries());
      add_entry(found[e].row);
    }
    if (e) gain = std::max(gain, gain_of_entries());
    begin_entries();
    for (e = n; e > 0 && found[e - 1].code > rest; --e) {
      if (e < n && found[e].code != found[e - 1].code) gain = std::max(gain, gain_of_entries());
      add_entry(found[e - 1].row);
    }
    return e < n ? std::max(gain, gain_of_entries()) : gain;
  }

  void begin_entries() {
    entry_moments_.assign(context_.n_moments, 0.0);
    entry_weight_ = 0;
  }

  void add_entry(uint32_t i) {
    const uint64_t tag = begin_[i] >> 32;
    const auto row = static_cast<uint32_t>(begin_[i]);
    const double* weights = blocks_.weight(now_.level);
    const double weight = whole_ ? tag_.count(tag) : weights ? weights[row] : 1.0;
    entry_weight_ += weight;
    if (traits_.of_classes)
      entry_moments_[whole_ ? tag_.label(tag) : tag] += weight;
    else
      entry_moments_[0] +=
          round_to_grid(weight * (blocks_.target(now_.level)[row] - now_.stats.centre), now_.stats.grid);
  }

  double gain_of_entries() {
    const NodeStats& s = now_.stats;
    if (traits_.terms_are_squares && context_.n_moments == 2)
      return score_of(entry_moments_[1], entry_weight_, {s.moments[1], s.weight}) * (2.0 / s.weight);
    right_.resize(context_.n_moments);
    return rule_->gain(entry_moments_.data(), entry_weight_, s, right_.data());
  }

  // Of the candidates that are tied with the best, the one that was looked at first.
  void settle() {
    for (const Found& found : found_)
      if (found.gain >= top_ - now_.stats.tie()) {
        best_ = found;
        break;
      }
    if (best_.column < 0) return;
    by_keys_ = false;
    if (scans_keys(best_.column))
      by_keys_ = limits_.random_splits ? locate_random()
                 : narrow_             ? locate_by_keys(narrow_keys_)
                                       : locate_by_keys(wide_keys_);
    if (!by_keys_) locate_by_list();
  }

  bool scans_keys(int32_t column) const {
    return whole_ && !one_.columns[column].n_levels && limits_.min_weight_leaf == 0;
  }

  // --- whole weights, classes, numbers without missing cells: keys
  enum class Shape { kConstant, kPlain, kSomeMissing };

  template <class Key>
  struct Keys {
    std::vector<Key> a, b, kept;
    KeySorter<Key> sort;
    KeyRange<Key> now{}, kept_now{};  // of the column looked at, of the best so far
  };

  // Calls work(code_of), where code_of(i, row) is the column's code of the node's row i.
  template <class Work>
  auto with_codes(int32_t column, Work work) {
    if (sparse_) {
      const uint32_t* codes = sparse_node_.codes(one_.columns[column], column);
      return work([codes](int64_t i, uint64_t) { return codes[i]; });
    }
    const auto [base, stride] = blocks_.source(now_.level, n_, column);
    return with_reader(records_, column, [&work, base = base, stride = stride](auto read) {
      return work([=](int64_t, uint64_t row) {
        return read(base + static_cast<int64_t>(static_cast<uint32_t>(row)) * stride);
      });
    });
  }

  // The keys of a column, or what else it is.
  template <class Key>
  Shape gather(int32_t column, Keys<Key>& keys) {
    if (static_cast<int64_t>(keys.a.size()) < n_ + kKeyPadding) {
      keys.a.resize(rows_.size() + kKeyPadding);
      keys.b.resize(rows_.size() + kKeyPadding);
      keys.kept.resize(rows_.size() + kKeyPadding);
    }
    const bool bytes = !sparse_ && records_.width[column] == 1 && traits_.terms_are_squares;
    const auto [low, high] = bytes ? gather_above_lowest(column, keys) : gather_all(column, keys);
    if (low == high) return Shape::kConstant;
    return high == one_.columns[column].n_codes ? Shape::kSomeMissing : Shape::kPlain;
  }

  // The lowest and the highest code.
  template <class Key>
  std::pair<uint32_t, uint32_t> gather_all(int32_t column, Keys<Key>& keys) {
    const int bits = tag_.bits();
    const uint64_t* rows = begin_;
    const int64_t n = n_;
    Key* to = keys.a.data();
    with_codes(column, [=](auto code_of) {
      for (int64_t i = 0; i < n; ++i) {
        const uint64_t row = rows[i];
        to[i] = static_cast<Key>(code_of(i, row)) << bits | static_cast<Key>(row >> 32);
      }
    });
    const auto [low, high] = find_range(to, n);
    keys.now = {to, n, low, high};
    return {static_cast<uint32_t>(low >> bits), static_cast<uint32_t>(high >> bits)};
  }

  // Codes of one byte: of pixels and of counts most are the lowest one. Only the others become keys.
  template <class Key>
  std::pair<uint32_t, uint32_t> gather_above_lowest(int32_t column, Keys<Key>& keys) {
    const auto [low, high] = gather_codes(column, byte_codes_);
    if (low == high) return {low, high};
    const int bits = tag_.bits();
    Key* to = keys.a.data();
    const int64_t n = keys_above(byte_codes_.data(), begin_, n_, low, bits, to);
    keys.now = {to,     n,  static_cast<Key>(low + 1) << bits, (static_cast<Key>(high + 1) << bits) - 1,
                n_ - n, low};
    return {low, high};
  }

  template <class Key>
  Shape look_by_keys(int32_t column, Keys<Key>& keys, double& gain) {
    const Shape shape = gather(column, keys);
    if (shape != Shape::kPlain) return shape;
    if (in_buckets(keys.now.n)) {
      gain = bucket_scan_.largest(keys.now, now_.stats, tag_, top_);
    } else {
      order(keys);
      gain = traits_.terms_are_squares
                 ? gini_scan_.largest(keys.now, now_.stats, tag_, least_rows(), top_)
                 : count_scan_->largest(keys.now.keys, now_.stats, tag_, top_, count_scratch_);
    }
    if (leads(gain)) keep(column, gain, keys);
    return Shape::kPlain;
  }

  int64_t least_rows() const { return std::max<int64_t>(1, limits_.min_rows_leaf); }

  bool in_buckets(int64_t n) const {
    return traits_.terms_are_squares && n > BucketScan::few(context_.n_moments) &&
           context_.n_moments <= kMostSwept && limits_.min_rows_leaf <= 1;
  }

  // Better than all before it, and by more than a tie.
  bool leads(double gain) const {
    return gain > top_ && (kept_column_ < 0 || gain > kept_gain_ + now_.stats.tie());
  }

  template <class Key>
  void order(Keys<Key>& keys) {
    KeyRange<Key>& now = keys.now;
    now.keys = keys.sort(keys.a.data(), now.n, keys.b.data(), now.low, now.high, tag_.bits());
  }

  // The winner so far keeps its keys.
  template <class Key>
  void keep(int32_t column, double gain, Keys<Key>& keys) {
    std::swap(keys.now.keys == keys.a.data() ? keys.a : keys.b, keys.kept);
    keys.kept_now = keys.now;
    kept_column_ = column;
    kept_gain_ = gain;
  }

  template <class Key>
  bool locate_by_keys(Keys<Key>& keys) {
    const bool kept = kept_column_ == best_.column;
    if (!kept && gather(best_.column, keys) == Shape::kSomeMissing) return false;
    const KeyRange<Key>& range = kept ? keys.kept_now : keys.now;
    if (in_buckets(range.n)) {
      bucket_scan_.locate(range, now_.stats, tag_, best_.gain, cut_);
    } else {
      if (!kept) order(keys);
      if (traits_.terms_are_squares)
        gini_scan_.locate(range, now_.stats, tag_, least_rows(), best_.gain, cut_);
      else
        count_scan_->locate(range.keys, now_.stats, tag_, best_.gain, count_scratch_, cut_);
    }
    if (cut_.position == 0) throw std::logic_error("a threshold was lost");
    low_code_ = cut_.low_code;
    threshold_ = std::numeric_limits<double>::quiet_NaN();
    between_.push_back({now_.id, cut_.low_code, cut_.high_code});
    return true;
  }

  // --- whole weights, classes, random thresholds: codes and tags side by side, in no order
  // One threshold drawn between the lowest and the highest value.
  Shape look_at_random(int32_t column, double& gain) {
    const bool bytes = !sparse_ && records_.width[column] == 1;
    return bytes ? look_at_random(column, byte_codes_, gain) : look_at_random(column, codes_, gain);
  }

  template <class Code>
  Shape look_at_random(int32_t column, std::vector<Code>& codes, double& gain) {
    const auto [low, high] = gather_codes(column, codes);
    if (low == high) return Shape::kConstant;
    if (!records_.has_numbers(column) && high == one_.columns[column].n_codes) return Shape::kSomeMissing;
    double threshold;
    if (!draw_threshold(column, low, high, threshold)) return Shape::kPlain;
    const uint32_t last = last_code_below(column, low, high, threshold, codes);
    make_tags();
    const double weight = count_left(codes, last);
    if (!large_enough(limits_, draft_.position, weight, now_.stats)) return Shape::kPlain;
    if (traits_.terms_are_squares && context_.n_moments == 2)
      gain = score_of(draft_.left[1], weight, {now_.stats.moments[1], now_.stats.weight}) *
             (2.0 / now_.stats.weight);
    else {
      right_.resize(context_.n_moments);
      gain = rule_->gain(draft_.left.data(), weight, now_.stats, right_.data());
    }
    if (column == best_.column || leads(gain)) {
      std::swap(cut_, draft_);
      kept_column_ = column;
      kept_gain_ = gain;
      low_code_ = last;
      threshold_ = threshold;
    }
    return Shape::kPlain;
  }

  bool locate_random() {
    double gain = -kInfinity;
    return kept_column_ == best_.column || look_at_random(best_.column, gain) == Shape::kPlain;
  }

  // The lowest and the highest.
  template <class Code>
  std::pair<uint32_t, uint32_t> gather_codes(int32_t column, std::vector<Code>& codes) {
    if (codes.size() < rows_.size() + 64) codes.resize(rows_.size() + 64);  // read word by word
    const uint64_t* rows = begin_;
    const int64_t n = n_;
    Code* to = codes.data();
    const auto [base, stride] = sparse_ ? Blocks::Source{} : blocks_.source(now_.level, n, column);
    if (sizeof(Code) == 1 && stride == 1)
      for (int64_t i = 0; i < n; ++i) to[i] = base[static_cast<uint32_t>(rows[i])];
    else
      with_codes(column, [=](auto code_of) {
        for (int64_t i = 0; i < n; ++i) to[i] = static_cast<Code>(code_of(i, rows[i]));
      });
    return find_range(to, n);
  }

  // Once a node.
  void make_tags() {
    if (have_tags_) return;
    have_tags_ = true;
    if (row_tags_.size() < rows_.size()) row_tags_.resize(rows_.size());
    for (int64_t i = 0; i < n_; ++i) row_tags_[i] = static_cast<uint32_t>(begin_[i] >> 32);
  }

  // Into `draft_`; their weight.
  template <class Code>
  double count_left(const std::vector<Code>& codes, uint32_t last) {
    draft_.left.resize(context_.n_moments);
    if (context_.n_moments == 2) {
      const PairBelow below = count_pair_below(codes.data(), row_tags_.data(), n_, last, tag_);
      draft_.position = below.rows;
      draft_.left[0] = below.weight - below.ones;
      draft_.left[1] = below.ones;
      return below.weight;
    }
    draft_.left = now_.stats.moments;
    above_.resize(row_tags_.size());
    draft_.position = take_above(codes.data(), row_tags_.data(), n_, last, tag_, above_.data(), draft_.left);
    return std::accumulate(draft_.left.begin(), draft_.left.end(), 0.0);
  }

  // The last code whose value is not above the threshold, of the column or at least of the node. Few rows are
  // asked one by one, which costs less than the far jumps of a search.
  template <class Code>
  uint32_t last_code_below(int32_t column, uint32_t low, uint32_t high, double threshold,
                           const std::vector<Code>& codes) const {
    if (records_.has_numbers(column)) return ordered_below(threshold);
    if (sizeof(Code) == 1 || n_ > 64) return search_code(column, low, high, threshold);
    const double* values = one_.columns[column].values;
    uint32_t last = low;
    for (int64_t i = 0; i < n_; ++i)
      last = values[codes[i]] <= threshold && codes[i] > last ? codes[i] : last;
    return last;
  }

  double value_of(int32_t column, uint32_t code) const {
    return records_.has_numbers(column) ? from_ordered(code) : one_.columns[column].values[code];
  }

  // The first guess is right where values are evenly spaced, and then no far part of the table is read.
  uint32_t search_code(int32_t column, uint32_t low, uint32_t high, double threshold) const {
    const double* values = one_.columns[column].values;
    const double share = (threshold - values[low]) / (values[high] - values[low]);
    const uint32_t guess = low + static_cast<uint32_t>(share * (high - low));
    if (guess < high && values[guess] <= threshold && threshold < values[guess + 1]) return guess;
    return static_cast<uint32_t>(std::upper_bound(values + low, values + high + 1, threshold) - values - 1);
  }

  bool draw_threshold(int32_t column, uint32_t low_code, uint32_t high_code, double& threshold) const {
    return draw_between(now_.key, column, value_of(column, low_code), value_of(column, high_code), threshold);
  }

  void split_by_code() {
    const NodeStats& s = now_.stats;
    first_.moments = cut_.left;
    second_.moments.resize(first_.moments.size());
    for (size_t k = 0; k < first_.moments.size(); ++k) second_.moments[k] = s.moments[k] - first_.moments[k];
    first_.begin = s.begin;
    first_.end = second_.begin = s.begin + cut_.position;
    second_.end = s.end;
    functions_.class_stats(first_, context_);
    functions_.class_stats(second_, context_);
    const int32_t child = add_children(best_.column, false, false);
    tree_.kind[now_.id] = kThreshold;
    tree_.threshold[now_.id] = threshold_;
    const bool first_ends = ends(first_, now_.depth + 1), second_ends = ends(second_, now_.depth + 1);
    if (first_ends && second_ends) return;
    const uint32_t low_code = low_code_;
    with_codes(best_.column, [&](auto code_of) {
      part([=](int64_t i, uint64_t row) { return code_of(i, row) > low_code; });
    });
    open_children(child, first_ends, second_ends);
  }

  // Stable: [first child's rows | second child's].
  template <class Side>
  void part(Side is_second) {
    uint64_t* rows = rows_.data() + now_.stats.begin;
    uint64_t* spare = spare_rows_.data();
    int64_t second = 0;
    for (int64_t i = 0; i < n_; ++i) {
      const uint64_t row = rows[i];
      const int64_t side = is_second(i, row);
      rows[i - second] = row;
      spare[second] = row;
      second += side;
    }
    std::copy(spare, spare + second, rows + n_ - second);
    if (sparse_) sparse_node_.moved(rows, now_.stats.begin, n_);
  }

  // --- everything else: the lists and scans of the single tree (row_grower_lists.cpp)
  void make_dense();
  // The column's list, as row_set.hpp has it, of the node's rows numbered from zero. False: it is constant.
  bool make_list(int32_t column);
  template <class Key>
  bool make_list_of(int32_t column, int place_bits, Keys<Key>& keys);
  std::optional<double> look_by_list(int32_t column);
  void locate_by_list();
  uint32_t code_in_list(int32_t column, int64_t place);
  Candidate random_by_list(int32_t column);
  Candidate cut_by_rows(int32_t column);
  // Nothing was missing, so that there is one way to part the rows at a threshold.
  Candidate only_cut(int32_t column, int64_t position, double threshold) const;
  void split_by_list();
  // By place in the list.
  void fill_sides(bool category, int64_t last);
  void record_threshold(int32_t column, int64_t last);
  void record_subset(int32_t column);

  // --- recording
  // All at once: the values stand far apart, and no node has to wait for them.
  void write_thresholds() {
    for (const Between& b : between_)
      if (tree_.kind[b.node] == kThreshold)
        tree_.threshold[b.node] = threshold_between(input_, tree_.feature[b.node], b.low_code, b.high_code);
    if (!limits_.random_splits) return;
    for (int64_t node = 0; node < tree_.size(); ++node)
      if (tree_.kind[node] == kThreshold && std::isfinite(tree_.threshold[node]))
        tree_.threshold[node] = undivided(input_, tree_.feature[node], tree_.threshold[node]);
  }

  // Subsets were written as nodes were split; they follow the order of the nodes.
  void subsets_in_order() {
    if (tree_.subset_bits.empty()) return;
    std::vector<uint64_t> words;
    words.reserve(tree_.subset_bits.size());
    for (int64_t node = 0; node < tree_.size(); ++node) {
      int64_t& start = tree_.subset_start[node];
      if (start < 0) continue;
      const auto from = tree_.subset_bits.begin() + start;
      start = static_cast<int64_t>(words.size());
      words.insert(words.end(), from, from + one_.columns[tree_.feature[node]].n_levels / 64 + 1);
    }
    tree_.subset_bits = std::move(words);
  }

  int32_t add_node(const NodeStats& s) {
    return append_node(tree_, s.weight, s.impurity, s.rows(), s.moments);
  }

  int32_t add_children(int32_t column, bool any_missing, bool missing_left) {
    const int32_t child = add_node(first_);
    add_node(second_);
    const bool first_is_heavier = first_.weight > second_.weight;
    tree_.feature[now_.id] = column;
    tree_.first_child[now_.id] = child;
    tree_.n_children[now_.id] = 2;
    tree_.missing_branch[now_.id] = (any_missing ? missing_left : first_is_heavier) ? 0 : 1;
    return child;
  }

  Open& push() {
    if (open_ == stack_.size()) stack_.emplace_back();
    return stack_[open_++];
  }

  void open_children(int32_t child, bool first_ends, bool second_ends) {
    if (!second_ends) open_child(child + 1, 1, second_);
    if (!first_ends) open_child(child, 0, first_);
  }

  void open_child(int32_t id, int which, const NodeStats& stats) {
    Open& node = push();
    node.id = id;
    node.depth = now_.depth + 1;
    node.key = child_key(now_.key, which);
    node.level = now_.level;
    node.stats = stats;
    node.constant = now_.constant;
  }

  const ForestInput& input_;
  const GrowInput& one_;
  const Limits& limits_;
  const Records& records_;
  const CriterionFunctions& functions_;
  const CriterionTraits& traits_;
  const bool countable_, sparse_;
  MomentContext context_;
  Stop& stop_;
  Blocks blocks_;
  RowSet<Entry> row_set_;
  std::unique_ptr<RuleScan<Entry>> rule_;  // made for each tree
  std::unique_ptr<CountScan> count_scan_;  // where countable, and not by squares
  std::unique_ptr<Logs> logs_;
  double logs_total_ = 0;

  // the tree
  GrownTree tree_;
  TreeRows drawn_;
  std::vector<double> counts_as_weight_;
  bool whole_ = false, counts_differ_ = false, narrow_ = true;
  TagLayout tag_;
  int code_bits_ = 0;
  double root_weight_ = 0;
  std::vector<uint64_t> rows_, spare_rows_;  // [tag | row], by node
  std::vector<Open> stack_;
  size_t open_ = 0;

  // the node
  SparseNode sparse_node_;
  std::optional<ValueRows> value_rows_;
  std::vector<uint64_t> present_;
  std::vector<double> entry_moments_;
  double entry_weight_ = 0;
  Open now_;
  const uint64_t* begin_ = nullptr;
  int64_t n_ = 0;
  std::vector<int32_t> shuffled_, swapped_;  // the columns, in order between two nodes
  std::vector<Found> found_;
  Found best_{};
  double top_ = 0, perfect_ = 0, kept_gain_ = 0, threshold_ = 0;
  int looked_ = 0;
  int32_t kept_column_ = -1, list_column_ = -1;
  bool by_keys_ = false, by_rows_ = false, have_dense_ = false, have_tags_ = false;
  uint32_t low_code_ = 0, list_low_ = 0;
  int64_t list_last_present_ = 0;
  NodeStats first_, second_;
  Keys<uint32_t> narrow_keys_;
  Keys<uint64_t> wide_keys_;
  CountScratch count_scratch_;
  BucketScan bucket_scan_;
  GiniScan gini_scan_;
  CountCut cut_, draft_;
  std::vector<uint8_t> byte_codes_;
  std::vector<uint32_t> codes_, row_tags_, above_;
  std::vector<Between> between_;
  std::vector<double> right_, dense_target_, dense_weight_;
  std::vector<Entry> list_, bounded_, child_list_[2];
  std::vector<uint8_t> side_, side_of_row_;
  Candidate list_cut_;
  ScanScratch scan_scratch_;
  SubsetScratch subset_;
};

}  // namespace hedgerow

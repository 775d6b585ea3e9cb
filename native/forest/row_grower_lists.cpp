// Nodes of numbers, of real weights, of categories and of missing cells: the column's list is made anew for
// the node, and the scans of the single tree read it.
#include "forest/row_grower.hpp"

namespace hedgerow {

void RowGrower::make_dense() {
  if (have_dense_) return;
  have_dense_ = true;
  const double *target = blocks_.target(now_.level), *weight = blocks_.weight(now_.level);
  const bool weighted = weight || (whole_ && counts_differ_);
  if (target) dense_target_.resize(n_);
  if (weighted) dense_weight_.resize(n_);
  for (int64_t i = 0; i < n_; ++i) {
    const auto row = static_cast<uint32_t>(begin_[i]);
    if (target) dense_target_[i] = target[row];
    if (weighted) dense_weight_[i] = weight ? weight[row] : tag_.count(begin_[i] >> 32);
  }
  row_set_.target = target ? dense_target_.data() : nullptr;
  row_set_.weight = weighted ? dense_weight_.data() : nullptr;
}

// The column's list, as row_set.hpp has it, of the node's rows numbered from zero. False: it is constant.
bool RowGrower::make_list(int32_t column) {
  make_dense();
  const int place_bits = bits_for(n_);
  const bool varies = code_bits_ + place_bits <= 32 ? make_list_of(column, place_bits, narrow_keys_)
                                                    : make_list_of(column, place_bits, wide_keys_);
  list_column_ = column;
  return varies;
}

template <class Key>
bool RowGrower::make_list_of(int32_t column, int place_bits, Keys<Key>& keys) {
  const size_t room = n_ + kKeyPadding;
  if (keys.a.size() < room) {
    keys.a.resize(rows_.size() + kKeyPadding);
    keys.b.resize(rows_.size() + kKeyPadding);
    keys.kept.resize(rows_.size() + kKeyPadding);
  }
  Key low = std::numeric_limits<Key>::max(), high = 0;
  with_codes(column, [&](auto code_of) {
    for (int64_t i = 0; i < n_; ++i) {
      const Key key = static_cast<Key>(code_of(i, begin_[i])) << place_bits | static_cast<Key>(i);
      keys.a[i] = key;
      low = std::min(low, key);
      high = std::max(high, key);
    }
  });
  const Key* sorted = keys.sort(keys.a.data(), n_, keys.b.data(), low, high, place_bits);
  const Key mask = (Key{1} << place_bits) - 1;
  const Key missing = static_cast<Key>(one_.columns[column].n_codes);
  const int label_shift = whole_ ? 32 + tag_.count_bits : 32;
  for (int64_t p = 0; p < n_; ++p) {
    const Key key = sorted[p], code = key >> place_bits;
    const auto i = static_cast<int64_t>(key & mask);
    Entry e = static_cast<Entry>(i);
    if (traits_.of_classes) e |= static_cast<Entry>(begin_[i] >> label_shift) << row_set_.row_bits;
    if (code == missing) e |= RowSet<Entry>::kMissing;
    if (p && (sorted[p - 1] >> place_bits) != code) e |= RowSet<Entry>::kBoundary;
    list_[p] = e;
  }
  list_low_ = static_cast<uint32_t>(low >> place_bits);
  list_last_present_ = present_entries(list_.data(), n_);
  return low >> place_bits != high >> place_bits;
}

std::optional<double> RowGrower::look_by_list(int32_t column) {
  if (!make_list(column)) return std::nullopt;
  if (limits_.random_splits) return (list_cut_ = random_by_list(column)).gain;
  if (one_.columns[column].n_levels)
    return rule_->best_subset(list_.data(), now_.stats, {}, scan_scratch_, subset_).gain;
  uint8_t distinct = 0;
  const double gain = rule_->largest(list_.data(), now_.stats, {}, top_, scan_scratch_, distinct);
  return gain > top_ ? gain : -kInfinity;
}

void RowGrower::locate_by_list() {
  const int32_t column = best_.column;
  const bool known = list_column_ == column && !one_.columns[column].n_levels;
  if (known && limits_.random_splits) return;  // its cut is still there
  if (!known) make_list(column);
  if (limits_.random_splits)
    list_cut_ = random_by_list(column);
  else if (one_.columns[column].n_levels)
    list_cut_ = rule_->best_subset(list_.data(), now_.stats, {}, scan_scratch_, subset_);
  else
    list_cut_ = rule_->locate(list_.data(), now_.stats, {}, best_.gain, scan_scratch_);
}

uint32_t RowGrower::code_in_list(int32_t column, int64_t place) {
  const uint32_t i = row_set_.row(list_[place]);
  return with_codes(column, [&](auto code_of) { return code_of(i, begin_[i]); });
}

Candidate RowGrower::random_by_list(int32_t column) {
  if (one_.columns[column].n_levels) {
    Random random(mix(now_.key ^ (0xd1342543de82ef95ull * (column + 1))));
    return rule_->random_subset(list_.data(), now_.stats, {}, random, scan_scratch_, subset_);
  }
  const int64_t last = list_last_present_;
  if (last < 1) return {};
  if (by_rows_ && value_rows_->has_column(column)) return cut_by_rows(column);
  double threshold;
  const uint32_t high_code = code_in_list(column, last - 1);
  if (!draw_threshold(column, list_low_, high_code, threshold)) return {};
  const uint32_t last_code = search_code(column, list_low_, high_code, threshold);
  const Entry* cut = std::partition_point(list_.data(), list_.data() + last, [&](const Entry& e) {
    return code_in_list(column, &e - list_.data()) <= last_code;
  });
  if (last == n_ && sums_suffice(column)) return only_cut(column, cut - list_.data(), threshold);
  bounded_.assign(list_.begin(), list_.begin() + n_);
  for (Entry& e : bounded_) e &= ~RowSet<Entry>::kBoundary;
  bounded_[cut - list_.data()] |= RowSet<Entry>::kBoundary;
  uint8_t distinct = 0;
  const double gain = rule_->largest(bounded_.data(), now_.stats, {}, -kInfinity, scan_scratch_, distinct);
  if (gain == -kInfinity) return {};
  Candidate best = rule_->locate(bounded_.data(), now_.stats, {}, gain, scan_scratch_);
  best.threshold = best.position == last ? kInfinity : threshold;
  return best;
}

Candidate RowGrower::cut_by_rows(int32_t column) {
  const double threshold = value_rows_->threshold(column);
  const auto first = list_.begin();
  const auto cut = std::partition_point(first, first + n_, [&](const Entry& e) {
    return value_rows_->value(now_.level, begin_[row_set_.row(e)], column) <= threshold;
  });
  return only_cut(column, cut - first, threshold);
}

// Nothing was missing, so that there is one way to part the rows at a threshold.
Candidate RowGrower::only_cut(int32_t column, int64_t position, double threshold) const {
  Candidate only;
  only.gain = best_.gain;
  only.column = column;
  only.position = position;
  only.threshold = threshold;
  return only;
}

void RowGrower::split_by_list() {
  const int32_t column = best_.column;
  const int64_t last = list_last_present_;
  const bool category = one_.columns[column].n_levels > 0;
  const bool in_two = !category && last == n_;  // the list is [first child's | second child's]
  const Entry *first = list_.data(), *second = first + list_cut_.position;
  if (!in_two) {
    fill_sides(category, last);
    child_list_[0].clear();
    child_list_[1].clear();
    for (int64_t p = 0; p < n_; ++p) child_list_[side_[p]].push_back(list_[p]);
    first = child_list_[0].data();
    second = child_list_[1].data();
  }
  first_.begin = now_.stats.begin;
  first_.end = second_.begin =
      first_.begin + (in_two ? list_cut_.position : static_cast<int64_t>(child_list_[0].size()));
  second_.end = now_.stats.end;
  rule_->measure(first, first_);
  rule_->measure(second, second_);
  const int32_t child = add_children(column, last < n_, list_cut_.missing_left);
  if (category)
    record_subset(column);
  else
    record_threshold(column, last);
  const bool first_ends = ends(first_, now_.depth + 1), second_ends = ends(second_, now_.depth + 1);
  if (first_ends && second_ends) return;
  if (in_two && by_rows_ && value_rows_->has_column(column)) {
    const double threshold = list_cut_.threshold;
    part([&](int64_t, uint64_t row) { return value_rows_->value(now_.level, row, column) > threshold; });
  } else {
    if (in_two) fill_sides(category, last);
    side_of_row_.resize(n_);
    for (int64_t p = 0; p < n_; ++p) side_of_row_[row_set_.row(list_[p])] = side_[p];
    part([&](int64_t i, uint64_t) { return side_of_row_[i]; });
  }
  open_children(child, first_ends, second_ends);
}

// By place in the list.
void RowGrower::fill_sides(bool category, int64_t last) {
  if (category) {
    for (int64_t g = 0; g < subset_.groups.size; ++g)
      std::fill(side_.begin() + subset_.groups.begin[g], side_.begin() + subset_.groups.begin[g + 1],
                !subset_.goes_left[g]);
  } else {
    std::fill(side_.begin(), side_.begin() + list_cut_.position, uint8_t{0});
    std::fill(side_.begin() + list_cut_.position, side_.begin() + last, uint8_t{1});
  }
  std::fill(side_.begin() + last, side_.begin() + n_, !list_cut_.missing_left);
}

void RowGrower::record_threshold(int32_t column, int64_t last) {
  tree_.kind[now_.id] = kThreshold;
  const int64_t place = list_cut_.position;
  double threshold = list_cut_.threshold;
  if (place >= last)
    threshold = kInfinity;
  else if (!limits_.random_splits)
    threshold =
        threshold_between(input_, column, code_in_list(column, place - 1), code_in_list(column, place));
  tree_.threshold[now_.id] = threshold;
}

void RowGrower::record_subset(int32_t column) {
  tree_.kind[now_.id] = kSubset;
  SubsetWriter writer(tree_, now_.id, one_.columns[column].n_levels, first_.weight > second_.weight);
  for (int64_t g = 0; g < subset_.groups.size; ++g)
    writer.set(code_in_list(column, subset_.groups.begin[g]), subset_.goes_left[g]);
}

}  // namespace hedgerow

// The stored matrix of the working set. A variable keeps its slot while it stays; only newcomers are
// computed.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "svm/cells.hpp"
#include "svm/solve.hpp"

namespace hedgerow::svm {

template <class Values>
class Store {
 public:
  using T = typename Values::Number;
  Store(const Values& values, const Problem& p, int64_t slots)
      : values_(values),
        p_(p),
        step_(padded(slots)),
        slot_of_(p.count, -1),
        variable_(slots, -1),
        cells_(slots * padded(slots)) {}

  int64_t slots() const { return int64_t(variable_.size()); }
  int64_t used() const { return used_; }
  int32_t variable(int64_t slot) const { return variable_[slot]; }
  int64_t slot(int64_t variable) const { return slot_of_[variable]; }
  Square<T> square() const { return {cells_.get(), step_, used_}; }

  // Puts `chosen` in, at most `most` variables being held; of the others, those leave that `worth` the least.
  // Returns the number of values filled in.
  template <class Worth>
  int64_t hold(const std::vector<int32_t>& chosen, int64_t most, const Worth& worth, ThreadTeam& team) {
    std::vector<uint8_t> stays(used_, 0);
    newcomers_.clear();
    for (int32_t v : chosen) {
      if (slot_of_[v] >= 0)
        stays[slot_of_[v]] = 1;
      else
        newcomers_.push_back(v);
    }
    const auto many = int64_t(newcomers_.size());
    fresh_ = least_worth(stays, many - std::min(many, most - used_), worth);
    for (const int32_t slot : fresh_) slot_of_[variable_[slot]] = -1;
    while (int64_t(fresh_.size()) < many) fresh_.push_back(int32_t(used_++));
    for (int64_t k = 0; k < many; ++k) {
      variable_[fresh_[k]] = newcomers_[k];
      slot_of_[newcomers_[k]] = fresh_[k];
    }
    fill(team);
    return many * used_;
  }

 private:
  // Slots, ascending, of so many of those that need not stay.
  template <class Worth>
  std::vector<int32_t> least_worth(const std::vector<uint8_t>& stays, int64_t many,
                                   const Worth& worth) const {
    std::vector<std::pair<double, int32_t>> others;
    for (int64_t slot = 0; many > 0 && slot < used_; ++slot)
      if (!stays[slot]) others.emplace_back(worth(variable_[slot]), int32_t(slot));
    std::nth_element(others.begin(), others.begin() + many, others.end());
    std::vector<int32_t> slots(many);
    for (int64_t k = 0; k < many; ++k) slots[k] = others[k].second;
    std::sort(slots.begin(), slots.end());
    return slots;
  }

  void fill(ThreadTeam& team) {
    if (fresh_.empty()) return;
    if (int64_t(fresh_.size()) == used_) {
      std::vector<int32_t> rows(used_);
      for (int64_t k = 0; k < used_; ++k) rows[k] = int32_t(p_.row(variable_[k]));
      clear_ends();
      values_.square(rows, cells_.get(), step_, team);
      return;
    }
    std::vector<int32_t> stayed;
    std::vector<uint8_t> is_fresh(used_, 0);
    for (const int32_t slot : fresh_) is_fresh[slot] = 1;
    for (int64_t k = 0; k < used_; ++k)
      if (!is_fresh[k]) stayed.push_back(int32_t(k));
    clear_ends();
    fill(fresh_, stayed, false, team);
    fill(fresh_, fresh_, true, team);
  }

  // Up to the next whole step, after the last variable.
  void clear_ends() {
    for (const int32_t slot : fresh_)
      std::fill(cells_.get() + slot * step_ + used_, cells_.get() + slot * step_ + padded(used_), T(0));
  }

  // The values of some slots with others and their mirror image; `same`: with themselves, each pair once.
  void fill(const std::vector<int32_t>& these, const std::vector<int32_t>& those, bool same,
            ThreadTeam& team) {
    const auto rows_of = [&](const std::vector<int32_t>& slots) {
      std::vector<int32_t> rows(slots.size());
      for (size_t k = 0; k < slots.size(); ++k) rows[k] = int32_t(p_.row(variable_[slots[k]]));
      return rows;
    };
    values_.block(
        rows_of(these), rows_of(those), team,
        [&](const T* tile, int64_t first, int count, int64_t column, int width, int) {
          if (same) count = int(std::min<int64_t>(count, column + width - first));
          const int32_t *row = these.data() + first, *other = those.data() + column;
          alignas(64) T turned[kTileColumns * kTileRows];  // written in rows, not number by number
          for (int i = 0; i < count; ++i) {
            put(tile + i * kTileColumns, other, width, row[i]);
            for (int j = 0; j < width; ++j) turned[j * kTileRows + i] = tile[i * kTileColumns + j];
          }
          for (int j = 0; j < width; ++j) put(turned + j * kTileRows, row, count, other[j]);
        },
        same);
  }

  // Values of a slot with some others, ascending.
  void put(const T* values, const int32_t* others, int many, int64_t slot) {
    T* to = cells_.get() + slot * step_;
    if (others[many - 1] - others[0] == many - 1)
      std::copy_n(values, many, to + others[0]);
    else
      for (int k = 0; k < many; ++k) to[others[k]] = values[k];
  }

  const Values& values_;
  const Problem& p_;
  int64_t step_, used_ = 0;
  std::vector<int32_t> slot_of_, variable_, newcomers_, fresh_;
  Cells<T> cells_;
};

}  // namespace hedgerow::svm

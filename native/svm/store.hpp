// The stored matrix of the working set. A variable keeps its slot while it stays; only newcomers are
// computed.
#pragma once

#include <algorithm>
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

  // Puts `chosen` in, at most `most` variables being held. Returns the number of values filled in.
  int64_t hold(const std::vector<int32_t>& chosen, int64_t most, ThreadTeam& team) {
    std::vector<uint8_t> stays(used_, 0);
    newcomers_.clear();
    for (int32_t v : chosen) {
      if (slot_of_[v] >= 0)
        stays[slot_of_[v]] = 1;
      else
        newcomers_.push_back(v);
    }
    fresh_.clear();
    const int64_t held = used_;
    int64_t next = 0;
    for (int32_t v : newcomers_) {  // unused slots, then those of variables that leave
      int64_t slot = used_;
      if (used_ < most) {
        ++used_;
      } else {
        while (next < held && stays[next]) ++next;
        slot = next++;
        slot_of_[variable_[slot]] = -1;
      }
      variable_[slot] = v;
      slot_of_[v] = int32_t(slot);
      fresh_.push_back(int32_t(slot));
    }
    fill(team);
    return int64_t(fresh_.size()) * used_;
  }

 private:
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
          for (int i = 0; i < count; ++i)
            for (int j = 0; j < width; ++j) cells_[row[i] * step_ + other[j]] = tile[i * kTileColumns + j];
          for (int j = 0; j < width; ++j)
            for (int i = 0; i < count; ++i) cells_[other[j] * step_ + row[i]] = tile[i * kTileColumns + j];
        },
        same);
  }

  const Values& values_;
  const Problem& p_;
  int64_t step_, used_ = 0;
  std::vector<int32_t> slot_of_, variable_, newcomers_, fresh_;
  Cells<T> cells_;
};

}  // namespace hedgerow::svm

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

  // Puts `chosen` in, at most `most` variables being held. Returns the number of kernel values computed.
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
    std::vector<int32_t> all_rows(used_), fresh_rows(fresh_.size());
    std::vector<uint8_t> is_fresh(used_, 0);
    for (int64_t k = 0; k < used_; ++k) all_rows[k] = int32_t(p_.row(variable_[k]));
    for (size_t k = 0; k < fresh_.size(); ++k) {
      fresh_rows[k] = all_rows[fresh_[k]];
      is_fresh[fresh_[k]] = 1;
      std::fill(cells_.get() + fresh_[k] * step_ + used_, cells_.get() + fresh_[k] * step_ + padded(used_),
                T(0));
    }
    if (int64_t(fresh_.size()) == used_) {
      values_.square(all_rows, cells_.get(), step_, team);
      return;
    }
    values_.block(fresh_rows, all_rows, team,
                  [&](const T* tile, int64_t first, int count, int64_t column, int width, int) {
                    for (int i = 0; i < count; ++i)
                      std::copy_n(tile + i * kTileColumns, width,
                                  cells_.get() + fresh_[first + i] * step_ + column);
                    for (int j = 0; j < width; ++j) {  // the mirror image, in the rows of those that stayed
                      if (is_fresh[column + j]) continue;
                      T* row = cells_.get() + (column + j) * step_;
                      for (int i = 0; i < count; ++i) row[fresh_[first + i]] = tile[i * kTileColumns + j];
                    }
                  });
  }

  const Values& values_;
  const Problem& p_;
  int64_t step_, used_ = 0;
  std::vector<int32_t> slot_of_, variable_, newcomers_, fresh_;
  Cells<T> cells_;
};

}  // namespace hedgerow::svm

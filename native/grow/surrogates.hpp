// Surrogate splits (CART): when a node's cell is missing, other columns stand in for it.
//
// In: the branch of each row that answers the node's question.   Out: for each other column the test that
// sends most of these rows the same way, best first; kept only if it does better than sending all rows the
// way of the majority.
#pragma once

#include <algorithm>
#include <vector>

#include "grow/row_set.hpp"

namespace hedgerow {

struct Surrogate {
  int32_t column = -1;
  double matched = 0;       // weight of the rows sent the way of the node's own test
  bool first_below = true;  // numbers: up to the threshold goes to the first child
  uint32_t low_row = 0, high_row = 0;
  std::vector<uint8_t> goes_first;  // categories: by level
};

template <class Entry>
class SurrogateSearch {
 public:
  SurrogateSearch(const GrowInput& input, const RowSet<Entry>& row_set, const std::vector<int32_t>& branch)
      : input_(input), row_set_(row_set), branch_(branch) {
    for (int64_t row = 0; row < row_set.n; ++row)
      if (branch[row] >= 0) total_[branch[row]] += weight(static_cast<uint32_t>(row));
  }

  std::vector<Surrogate> best(const std::vector<int32_t>& columns, int32_t own, int64_t most) const {
    std::vector<Surrogate> found;
    const double majority = std::max(total_[0], total_[1]);
    for (const int32_t column : columns) {
      if (column == own) continue;
      Surrogate s = input_.columns[column].n_levels ? by_level(column) : by_threshold(column);
      s.column = column;
      if (s.matched > majority * (1 + 1e-10)) found.push_back(std::move(s));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Surrogate& a, const Surrogate& b) { return a.matched > b.matched; });
    if (static_cast<int64_t>(found.size()) > most) found.resize(most);
    return found;
  }

  // The branch by the first surrogate whose cell is there; else the majority's.
  int32_t route(uint32_t row, const std::vector<Surrogate>& surrogates) const {
    for (const Surrogate& s : surrogates) {
      const CodeColumn& c = input_.columns[s.column];
      const uint32_t code = code_at(c, row_set_.source(row));
      if (code >= c.n_codes) continue;
      const bool first =
          c.n_levels ? s.goes_first[code] != 0 : (code <= code_at(c, s.low_row)) == s.first_below;
      return first ? 0 : 1;
    }
    return majority();
  }

  int32_t majority() const { return total_[0] > total_[1] ? 0 : 1; }

  double share(double weight) const { return weight / (total_[0] + total_[1]); }
  double majority_share() const { return share(std::max(total_[0], total_[1])); }

 private:
  double weight(uint32_t row) const { return row_set_.weight ? row_set_.weight[row] : 1.0; }
  static bool missing(Entry e) { return e & RowSet<Entry>::kMissing; }

  Surrogate by_threshold(int32_t column) const {
    const auto& list = row_set_.lists[column];
    double known[2] = {0, 0}, below[2] = {0, 0};
    for (const Entry e : list)
      if (!missing(e) && branch_[row_set_.row(e)] >= 0)
        known[branch_[row_set_.row(e)]] += weight(row_set_.row(e));
    Surrogate best;
    for (int64_t i = 0; i < row_set_.n && !missing(list[i]); ++i) {
      const uint32_t row = row_set_.row(list[i]);
      if (i && (list[i] & RowSet<Entry>::kBoundary)) {
        const double same = below[0] + known[1] - below[1], opposite = below[1] + known[0] - below[0];
        if (std::max(same, opposite) > best.matched) {
          best.matched = std::max(same, opposite);
          best.first_below = same >= opposite;
          best.low_row = row_set_.source(row_set_.row(list[i - 1]));
          best.high_row = row_set_.source(row);
        }
      }
      if (branch_[row] >= 0) below[branch_[row]] += weight(row);
    }
    return best;
  }

  // Each level goes the way most of its rows go; a level without rows, the way of the majority.
  Surrogate by_level(int32_t column) const {
    const CodeColumn& c = input_.columns[column];
    std::vector<double> first(c.n_levels, 0.0), second(c.n_levels, 0.0);
    for (const Entry e : row_set_.lists[column]) {
      const uint32_t row = row_set_.row(e);
      if (missing(e) || branch_[row] < 0) continue;
      (branch_[row] == 0 ? first : second)[code_at(c, row_set_.source(row))] += weight(row);
    }
    Surrogate best;
    best.goes_first.resize(c.n_levels);
    for (int32_t k = 0; k < c.n_levels; ++k) {
      const bool tie = first[k] == second[k];
      best.goes_first[k] = tie ? total_[0] > total_[1] : first[k] > second[k];
      best.matched += std::max(first[k], second[k]);
    }
    return best;
  }

  const GrowInput& input_;
  const RowSet<Entry>& row_set_;
  const std::vector<int32_t>& branch_;
  double total_[2] = {0, 0};
};

}  // namespace hedgerow

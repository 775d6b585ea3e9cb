// The rows of a node in a sparse column (sparse_columns.hpp): its entries among them, and all others
// together.
//
//   rows     [ ... | node's rows, ascending | ... ]     place: where each row stands in this list
//   entries  those whose row stands in the node's part; found by their places where they are few, else by
//            looking the node's rows up among them
//
// Most columns are looked at only to find that another is better. So the best gain is first computed from the
// entries alone, the other rows being the node less the entries; only a column that may be the best has its
// codes written out for all rows, and is scanned like any other. Rounding makes the two gains differ in the
// last digits, which `kSlack` covers: the tree is the one of the columns written out, to the last bit.
#pragma once

#include <algorithm>
#include <vector>

#include "grow/node.hpp"

namespace hedgerow {

class SparseNode {
 public:
  struct Found {
    uint32_t code, row;  // the row counted from the node's first

    bool operator<(const Found& other) const { return code < other.code; }
  };

  static constexpr double kSlack = 1e-5;  // of the node's impurity

  // A new tree: rows in its list; a row is the lower half of an entry.
  void begin(const std::vector<uint64_t>& rows, int64_t n_rows) {
    place_.assign(n_rows, kNowhere);
    moved(rows.data(), 0, static_cast<int64_t>(rows.size()));
  }

  // The rows at these places have changed their order.
  void moved(const uint64_t* rows, int64_t begin, int64_t n) {
    for (int64_t i = 0; i < n; ++i) place_[static_cast<uint32_t>(rows[i])] = static_cast<uint32_t>(begin + i);
  }

  void enter(const uint64_t* rows, int64_t begin, int64_t n) {
    rows_ = rows;
    begin_ = static_cast<uint32_t>(begin);
    n_ = n;
    found_column_ = written_column_ = -1;
  }

  // The lowest and the highest code of the node's rows.
  std::pair<uint32_t, uint32_t> find(const CodeColumn& column, int32_t j) {
    if (found_column_ != j) {
      found_.clear();
      if (column.n_entries > kSearch * n_)
        search(column);
      else
        filter(column);
      found_column_ = j;
    }
    const bool all = static_cast<int64_t>(found_.size()) == n_;
    uint32_t low = all ? ~0u : column.rest, high = all ? 0 : column.rest;
    for (const Found& f : found_) {
      low = std::min(low, f.code);
      high = std::max(high, f.code);
    }
    return {low, high};
  }

  // After `find`. So few that their gain is quickly found.
  bool few() const { return static_cast<int64_t>(found_.size()) * 4 <= n_; }
  // After `find`, ascending by row; `by_code` puts them in the order of their codes.
  const std::vector<Found>& found() const { return found_; }
  const std::vector<Found>& by_code() {
    sorted_ = found_;
    std::sort(sorted_.begin(), sorted_.end());
    return sorted_;
  }

  // The code of each of the node's rows.
  const uint32_t* codes(const CodeColumn& column, int32_t j) {
    if (written_column_ == j) return codes_.data();
    find(column, j);
    if (static_cast<int64_t>(codes_.size()) < n_) codes_.resize(n_);
    std::fill(codes_.begin(), codes_.begin() + n_, column.rest);
    for (const Found& f : found_) codes_[f.row] = f.code;
    written_column_ = j;
    return codes_.data();
  }

 private:
  static constexpr uint32_t kNowhere = ~0u;
  static constexpr int64_t kSearch = 12;  // steps of a search, in steps of a pass

  void filter(const CodeColumn& column) {
    const auto* codes = static_cast<const uint32_t*>(column.codes);
    for (int64_t e = 0; e < column.n_entries; ++e) {
      const uint32_t row = place_[column.entry_rows[e]] - begin_;  // before the node: beyond its end
      if (row < n_) found_.push_back({codes[e], row});
    }
  }

  void search(const CodeColumn& column) {
    const auto* codes = static_cast<const uint32_t*>(column.codes);
    const uint32_t* end = column.entry_rows + column.n_entries;
    const uint32_t* at = column.entry_rows;
    for (int64_t i = 0; i < n_ && at != end; ++i) {
      const auto row = static_cast<uint32_t>(rows_[i]);
      at = std::lower_bound(at, end, row);
      if (at != end && *at == row)
        found_.push_back({codes[at - column.entry_rows], static_cast<uint32_t>(i)});
    }
  }

  std::vector<uint32_t> place_, codes_;
  std::vector<Found> found_, sorted_;
  const uint64_t* rows_ = nullptr;
  uint32_t begin_ = 0;
  int64_t n_ = 0;
  int32_t found_column_ = -1, written_column_ = -1;
};

}  // namespace hedgerow

// Columns of bin codes, as the three stages of growing read them.
//
// A column has bins 0 .. n_bins - 1 and, where training had missing cells, one more code: n_bins. Codes stand
// twice: column by column (parting rows reads one column), and in groups of up to 16 columns, row by row
// (histograms read all columns of a row). A group's histogram, 16 x 256 cells of 8 bytes, stays in the first
// cache.
//
//     columns  [column][row]               grouped  [group][row][column of the group]
//
// A column in which nearly all rows have one code, the usual one, may be sparse: only its other cells stand
// there, twice again. A group's histogram is made of entries, and its cell of the usual code is what the
// others leave of the node's total.
//
//     others   [column][other cell]: its row and its code
//     entries  [group][row][other cell of the row]: a cell of the group's histogram
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace hedgerow::gradient {

constexpr int kGroupWidth = 16;
constexpr int kMaxCodes = 256;
constexpr int kSparseCells = 1 << 14;      // of a group, about: its histogram stays in the second cache
constexpr int kMostSparseCells = 1 << 16;  // that entries can name
constexpr int64_t kFewOthers = 20;         // rows of a leaf unless the caller says otherwise

constexpr int kNotSparse = -1;
constexpr int kNeverSplit = -2;  // too few rows have another code: the column is in no group

struct BinnedColumn {
  int32_t n_bins = 0;
  bool has_missing = false;  // code n_bins is in use
  bool categorical = false;
  int8_t monotone = 0;
  int32_t usual = kNotSparse;  // the usual code, if the column is sparse
  int64_t n_others = 0;        // rows with another code, if it is
  bool dense() const { return usual == kNotSparse; }
  int n_codes() const { return n_bins + (has_missing ? 1 : 0); }
};

struct Group {
  std::vector<int32_t> columns;
  int64_t codes_start = 0;  // in `grouped`; of a sparse group, in `entry_start`
  int64_t cells_start = 0;  // in a histogram
  int64_t n_cells = 0;
  int32_t spacing = 0;      // cells from a column to the next; 0: the group is sparse
  int64_t most_others = 0;  // of its columns, if it is
  bool sparse() const { return spacing == 0; }
};

// Cells of a column are read eight at a time.
inline int32_t whole_steps(int n_codes) { return (n_codes + 7) / 8 * 8; }

// Which columns stand together: those with about equally many codes, in groups of equal width; then sparse
// ones, at last those of few other rows, which trees with larger leaves pass over.
struct Groups {
  std::vector<Group> groups;
  std::vector<int64_t> cells_of;  // per column: its first cell in a histogram
  int64_t n_cells = 0;

  Groups() = default;
  Groups(const std::vector<BinnedColumn>& columns, int64_t n_rows) : cells_of(columns.size()) {
    std::vector<int32_t> order, sparse;
    for (int32_t j = 0; j < static_cast<int32_t>(columns.size()); ++j)
      if (columns[j].usual != kNeverSplit) (columns[j].dense() ? order : sparse).push_back(j);
    const int d = static_cast<int>(order.size());
    std::stable_sort(order.begin(), order.end(),
                     [&](int32_t a, int32_t b) { return columns[a].n_codes() > columns[b].n_codes(); });
    const int n_groups = (d + kGroupWidth - 1) / kGroupWidth;
    int64_t codes = 0;
    for (int g = 0; g < n_groups; ++g) {
      Group group;
      const int first = d * g / n_groups, last = d * (g + 1) / n_groups;
      group.columns.assign(order.begin() + first, order.begin() + last);
      group.codes_start = codes;
      group.cells_start = n_cells;
      group.spacing = whole_steps(columns[order[first]].n_codes());
      for (int k = first; k < last; ++k)
        cells_of[order[k]] = n_cells + static_cast<int64_t>(k - first) * group.spacing;
      group.n_cells = static_cast<int64_t>(group.spacing) * (last - first);
      codes += n_rows * (last - first);
      n_cells += group.n_cells;
      groups.push_back(std::move(group));
    }
    n_dense = groups.size();
    add_sparse(columns, sparse, n_rows);
  }

  size_t n_sparse() const { return groups.size() - n_dense; }
  size_t n_dense = 0;  // groups that are not sparse: the first ones

 private:
  // Few entries need no cache: the more columns in a group, the fewer places where entries of a row begin.
  void add_sparse(const std::vector<BinnedColumn>& columns, std::vector<int32_t>& sparse, int64_t n_rows) {
    const auto few = std::stable_partition(sparse.begin(), sparse.end(),
                                           [&](int32_t j) { return columns[j].n_others >= kFewOthers; });
    add_sparse(columns, {sparse.begin(), few}, n_rows, kSparseCells);
    add_sparse(columns, {few, sparse.end()}, n_rows, kMostSparseCells);
  }

  void add_sparse(const std::vector<BinnedColumn>& columns, const std::vector<int32_t>& sparse,
                  int64_t n_rows, int64_t most_cells) {
    int64_t room = 0;
    for (int32_t j : sparse) {
      const int64_t own = whole_steps(columns[j].n_codes());
      if (room < own) {
        Group group;
        group.codes_start = static_cast<int64_t>(n_sparse()) * (n_rows + 1);
        group.cells_start = n_cells;
        groups.push_back(std::move(group));
        room = most_cells;
      }
      cells_of[j] = n_cells;
      n_cells += own;
      room -= own;
      Group& group = groups.back();
      group.n_cells += own;
      group.columns.push_back(j);
      group.most_others = std::max(group.most_others, columns[j].n_others);
    }
  }
};

struct BinnedTable {
  int64_t n_rows = 0;
  std::vector<BinnedColumn> columns;
  Groups groups;
  const uint8_t* codes = nullptr;        // column by column, of those that are dense
  const uint8_t* grouped = nullptr;      // and 8 bytes more at the end, which are read but not used
  const int64_t* other_start = nullptr;  // where the other cells of a column begin: columns + 1
  const uint32_t* other_row = nullptr;   // rising within a column
  const uint8_t* other_code = nullptr;
  const int64_t* entry_start = nullptr;  // where the entries of a row begin: groups x (rows + 1)
  const uint16_t* entries = nullptr;

  BinnedTable() = default;
  BinnedTable(std::vector<BinnedColumn> of, int64_t rows)
      : n_rows(rows), columns(std::move(of)), groups(columns, rows) {
    for (const BinnedColumn& column : columns) {
      place_.push_back(n_dense_);
      n_dense_ += column.dense();
    }
  }

  int64_t n_dense_columns() const { return n_dense_; }
  const uint8_t* column(int32_t j) const { return codes + place_[j] * n_rows; }  // of a dense one

 private:
  std::vector<int64_t> place_;  // of each column among `codes`
  int64_t n_dense_ = 0;
};

}  // namespace hedgerow::gradient

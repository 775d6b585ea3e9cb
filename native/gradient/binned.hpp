// Columns of bin codes, as the three stages of growing read them.
//
// A column has bins 0 .. n_bins - 1 and, where training had missing cells, one more code: n_bins. Codes stand
// twice: column by column (parting rows reads one column), and in groups of up to 16 columns, row by row
// (histograms read all columns of a row). A group's histogram, 16 x 256 cells of 8 bytes, stays in the first
// cache.
//
//     columns  [column][row]               grouped  [group][row][column of the group]
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace hedgerow::gradient {

constexpr int kGroupWidth = 16;
constexpr int kMaxCodes = 256;

struct BinnedColumn {
  int32_t n_bins = 0;
  bool has_missing = false;  // code n_bins is in use
  bool categorical = false;
  int8_t monotone = 0;
  int n_codes() const { return n_bins + (has_missing ? 1 : 0); }
};

struct Group {
  std::vector<int32_t> columns;
  int64_t codes_start = 0;  // in `grouped`
  int64_t cells_start = 0;  // in a histogram
  int32_t spacing = 0;      // cells from a column to the next
};

// Which columns stand together: those with about equally many codes, in groups of equal width.
struct Groups {
  std::vector<Group> groups;
  std::vector<int64_t> cells_of;  // per column: its first cell in a histogram
  int64_t n_cells = 0;

  Groups() = default;
  Groups(const std::vector<BinnedColumn>& columns, int64_t n_rows) : cells_of(columns.size()) {
    const int d = static_cast<int>(columns.size());
    std::vector<int32_t> order(d);
    std::iota(order.begin(), order.end(), 0);
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
      group.spacing = (columns[order[first]].n_codes() + 7) / 8 * 8;
      for (int k = first; k < last; ++k)
        cells_of[order[k]] = n_cells + static_cast<int64_t>(k - first) * group.spacing;
      codes += n_rows * (last - first);
      n_cells += static_cast<int64_t>(group.spacing) * (last - first);
      groups.push_back(std::move(group));
    }
  }
};

struct BinnedTable {
  int64_t n_rows = 0;
  std::vector<BinnedColumn> columns;
  const uint8_t* codes = nullptr;    // column by column
  const uint8_t* grouped = nullptr;  // and 8 bytes more at the end, which are read but not used
  Groups groups;

  const uint8_t* column(int32_t j) const { return codes + j * n_rows; }
};

}  // namespace hedgerow::gradient

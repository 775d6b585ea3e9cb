// The rows of a tree and of its smaller subtrees, by level: codes, targets and weights, close together.
//
//   level 0   all rows of the table: its columns and its records (records.hpp)
//   level k   a subtree of few rows, copied and numbered from zero
//               narrow tables:  row after row, so that what is asked of a row is in one or two lines of cache
//               wide tables:    column after column. A node looks at few of many columns, and rows of
//                               hundreds of bytes would give it a line of cache for each cell. Columns that
//                               are constant in the subtree are marked and need not be looked at.
#pragma once

#include <array>
#include <vector>

#include "forest/records.hpp"

namespace hedgerow {

class Blocks {
 public:
  static constexpr int kLevels = 3;
  static constexpr std::array<int64_t, kLevels> kMostRows = {16384, 2048, 192};
  static constexpr int64_t kMostRowsByColumn =
      4096;  // and no smaller blocks: copies cost more than they save

  // The code of a column's row r is at `base + r * stride`.
  struct Source {
    const uint8_t* base;
    int64_t stride;
  };

  // `rows_stay`: values are read from records, or rows keep their numbers at all levels.
  Blocks(const GrowInput& input, const Records& records, bool rows_stay)
      : input_(input),
        records_(records),
        by_column_(!rows_stay && records.stride > kWideRecord),
        columns_near_(records.stride > kWideRecord && input.n_rows <= 1 << 18) {}

  // A new tree; `weight` by row of the table, null: none is kept.
  void begin(const double* weight) {
    for (int level = 0; level <= kLevels; ++level) {
      base_[level] = records_.bytes;
      target_[level] = input_.target;
      weight_[level] = weight;
    }
  }

  // The level of a subtree of so many rows, within one of `level`.
  int level_of(int64_t rows, int level) const {
    if (by_column_) return rows <= kMostRowsByColumn ? 1 : 0;
    while (level < kLevels && rows <= kMostRows[level]) ++level;
    return level;
  }

  // Copies the subtree's rows, in their order, from level `from` to `level`, and numbers them from zero.
  // `constant`: a bit a column; those that are found to be constant are added.
  void renumber(int from, int level, uint64_t* rows, int64_t n, std::vector<uint64_t>& constant);

  // Where a good part of all rows is wanted, the column itself is nearer than the records.
  Source source(int level, int64_t n, int32_t column) const {
    if (level == 0 && (n * 16 > input_.n_rows || columns_near_))
      return {records_.column(input_, column), records_.width[column]};
    if (level > 0 && by_column_)
      return {base_[level] + records_.offset[column] * room_, records_.width[column]};
    return {base_[level] + records_.offset[column], records_.stride};
  }

  const uint8_t* records(int level) const { return base_[level]; }
  const double* target(int level) const { return target_[level]; }
  const double* weight(int level) const { return weight_[level]; }

 private:
  static constexpr int64_t kWideRecord = 256;  // bytes

  void copy_rows(int from, int level, const uint64_t* rows, int64_t n);
  void copy_columns(int level, const uint64_t* rows, int64_t n, std::vector<uint64_t>& constant);
  void transpose(const uint64_t* rows, int64_t n, uint8_t* to, int64_t room) const;

  const GrowInput& input_;
  const Records& records_;
  const bool by_column_;
  const bool columns_near_;  // rows lie far apart; a column of theirs fits in the cache
  const uint8_t* base_[kLevels + 1] = {};
  const double* target_[kLevels + 1] = {};
  const double* weight_[kLevels + 1] = {};
  int64_t room_ = 0;  // by column: rows a column has room for
  std::vector<uint8_t> own_bytes_[kLevels + 1];
  std::vector<double> own_target_[kLevels + 1], own_weight_[kLevels + 1];
};

}  // namespace hedgerow

// Decision stumps: the best test of one column, for weighted rows.
//
// In: columns of codes, a group for each row (the two signs, or the classes), a weight for each row.
// Out: the test whose two sides are worth most, and the weight of each group on each side.
//
// Every column is kept in at most 255 coarse codes, one byte a cell. A round adds up the weights by coarse
// code and group (one pass over the bytes, eight columns at a time) and tries every boundary between coarse
// codes. A column with more values than that is exact all the same: all merits are convex, so that no
// threshold inside a coarse code can be worth more than the best corner of the box its masses span. Where
// that is more than the best boundary found so far, and only there, the rows of the coarse code are tried one
// by one in their order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crew.hpp"
#include "grow.hpp"

namespace hedgerow {

inline constexpr int kCoarse = 256;  // the last one is for missing cells
inline constexpr int kCoarseMissing = 255;

// What a column needs for every round, made once.
struct CoarseColumns {
  std::vector<uint8_t> coarse;       // columns x rows; not used for categories of more than 255 levels
  std::vector<uint32_t> order;       // rows in the order of their codes, for numbers of more than 255 codes;
                                     // bit 31: the last one of its code
  std::vector<int64_t> order_start;  // per column: its first place in `order`; -1: none
  std::vector<int64_t> bin_start;  // columns x 256: first place of each coarse code within the column's order
  std::vector<int64_t> last_code;  // columns x 256: the largest code in each coarse code; -1: none
};

CoarseColumns coarse_columns(const std::vector<CodeColumn>& columns, int64_t n_rows, Crew& crew);

struct StumpInput {
  int64_t n_rows = 0;
  std::vector<CodeColumn> columns;
  const uint8_t* coarse = nullptr;
  const uint32_t* order = nullptr;
  const int64_t* order_start = nullptr;
  const int64_t* bin_start = nullptr;
  const int64_t* last_code = nullptr;
  const uint16_t* group = nullptr;  // one a row
  int n_groups = 2;
  const double* weight = nullptr;  // one a row, sum about one
  std::string merit;               // "error", "exponential", "silence" or "gini"
};

struct BestStump {
  int32_t column = -1;         // -1: no column has two values
  int64_t code = -1;           // numbers: codes up to this one are on the first side; -1: categories
  bool missing_first = false;  // missing cells are on the first side
  double merit = 0;
  std::vector<double> first, second;  // weight of each group on each side
  std::vector<double> missing;        // of those, the missing cells'
  std::vector<uint8_t> level_first;   // categories: a byte for each level
};

BestStump best_stump(const StumpInput& input, Crew& crew);

// For columns of a sparse matrix: the weight of each group in the rows that are not zero. columns x groups.
std::vector<double> word_masses(const int64_t* start, const int32_t* row, int64_t n_columns,
                                const uint16_t* group, int n_groups, const double* weight, Crew& crew);

}  // namespace hedgerow

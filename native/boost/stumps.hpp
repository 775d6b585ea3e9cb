// Decision stumps: the best test of one column, for weighted rows.
//
// In: columns of codes, a group for each row (the two signs, or the classes), a weight for each row.
// Out: the test whose two sides are worth most, and the weight of each group on each side.
//
// A round adds up the weights by coarse code (coarse.hpp) and group, one pass over the bytes, and tries every
// boundary between coarse codes. A column with more values than that is exact all the same: all merits are
// convex, so that no threshold inside a coarse code can be worth more than the best corner of the box its
// masses span. Only where that is more than the best found so far, the rows of the coarse code are looked at
// in their order: a few at a time by the same argument, then one by one.
//
// Weights are summed as whole numbers of 2^-60 of their total: sums of integers are quick, and the same in
// any order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "boost/coarse.hpp"

namespace hedgerow {

struct StumpInput {
  int64_t n_rows = 0;
  std::vector<CodeColumn> columns;
  const uint8_t* coarse = nullptr;
  const uint32_t* order = nullptr;
  const int64_t* order_start = nullptr;
  const int64_t* bin_start = nullptr;
  const int64_t* last_code = nullptr;
  const double* signs = nullptr;    // one a row: two groups, the second above zero
  const uint16_t* group = nullptr;  // one a row, where there are more than two
  int n_groups = 2;
  const double* weight = nullptr;  // one a row
  std::string merit;               // "error" or "gini"; of two groups also "exponential" or "silence"
};

struct BestStump {
  int32_t column = -1;         // -1: no column has two values
  int64_t code = -1;           // numbers: codes up to this one are on the first side; -1: categories
  int64_t low_row = -1;        // numbers: a row with that code,
  int64_t high_row = -1;       // and one with the next code; -1: there is none
  bool missing_first = false;  // missing cells are on the first side
  double merit = 0;
  std::vector<double> first, second;  // weight of each group on each side
  std::vector<double> missing;        // of those, the missing cells'
  std::vector<uint8_t> level_first;   // categories: a byte for each level
};

BestStump best_stump(const StumpInput& input, ThreadTeam& team);

// What a test of a number says of each row: `first` for codes up to `last`, `missing` for missing cells.
void side_answers(const CodeColumn& column, int64_t n_rows, int64_t last, double first, double second,
                  double missing, double* out);

}  // namespace hedgerow

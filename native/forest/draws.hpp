// Which rows a tree learns from: a pure function of (seed, tree).
//
// In: the rows in the order of their content, each a stretch of a line as long as its weight.   Out: how
// often each row was drawn.   ensemble/draws.py says why.
#pragma once

#include <cstdint>
#include <vector>

#include "common/random.hpp"

namespace hedgerow {

enum class How { kAll, kBootstrap, kSubsample, kGiven };

struct DrawPlan {
  How how = How::kAll;
  int64_t n_rows = 0, size = 0;     // rows of the table; draws a tree
  const uint32_t* order = nullptr;  // rows that may be drawn; kGiven: how often each row was
  int64_t n_order = 0;
  const double* line =
      nullptr;  // the end of each one's stretch; null: all of length one. For kBootstrap only
  uint64_t seed = 0;
};

// `counts` has n_rows entries.
void draw_counts(const DrawPlan& plan, int64_t tree, uint32_t* counts);

// The numbers that draw the rows of a tree.
Random drawing(uint64_t seed, int64_t tree);

uint64_t tree_seed(uint64_t seed, int64_t tree);

// A hash of each row's numbers, column after column: equal rows have equal hashes, wherever they stand. In
// tables of more than kWide columns zeros are passed over, so that sparse rows are hashed by their entries
// alone.
inline constexpr int64_t kWide = 1 << 14;
void hash_more(uint64_t* hashes, const uint64_t* words, int64_t n);
void hash_numbers(uint64_t* hashes, const float* column, int64_t stride, int64_t n);
void hash_numbers(uint64_t* hashes, const double* column, int64_t stride, int64_t n);
// `place`: the column's, in a table of more than kWide.
void hash_nonzero(uint64_t* hashes, const float* column, int64_t stride, int64_t n, int64_t place);
void hash_nonzero(uint64_t* hashes, const double* column, int64_t stride, int64_t n, int64_t place);
// The same of sparse rows, by their entries in the order of the columns.
template <class T>
void hash_entries(const int64_t* start, const int32_t* column, const T* values, int64_t n_rows,
                  int64_t n_columns, uint64_t* hashes);

}  // namespace hedgerow

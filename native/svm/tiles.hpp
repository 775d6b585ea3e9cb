// The innermost loops, each on one tile: products of up to 48 rows with 64 columns, held in the first cache.
//
//   pack      64 rows side by side, so that a column of theirs is one load
//   multiply  tile = rows x packed, summed over the columns in order
//   apply     tile = kernel(tile)
//   collect   out += sum of some rows of the tile, each times a coefficient, in double
#pragma once

#include <cstdint>

#include "svm/kernel.hpp"
#include "svm/rows.hpp"

namespace hedgerow::svm {

inline constexpr int kTileRows = 48, kTileColumns = 64;

// `packed` holds kTileColumns * columns numbers; columns beyond `count` are zero.
template <class T>
void pack(const T* const* rows, int count, int64_t columns, T* packed);
template <class T>
void multiply(const T* const* rows, int count, const T* packed, int64_t columns, T* tile);
// The same bits of rows that are mostly zeros, which are left out: products with 0 add nothing to a sum.
template <class T>
void pack_filled(const T* const* rows, const Filled* filled, int count, int64_t columns, T* packed);
template <class T>
void multiply_filled(const T* const* rows, const Filled* filled, int count, const T* packed, int64_t columns,
                     T* tile);
template <Kernel K, class T>
HEDGEROW_INLINE void apply_kernel(const K kernel, T* tile, int count, const T* row_norms,
                                  const T* column_norms) {
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < kTileColumns; j += kLanes<T>) {
      T* at = tile + i * kTileColumns + j;
      store(at, kernel.template of<T>(load(at), load(column_norms + j) + all<T>(row_norms[i])));
    }
}
struct Term {  // of a sum over rows of a tile
  double coef;
  int32_t row;
};
template <class T>
void collect(const T* tile, const Term* terms, int64_t count, double* out);

}  // namespace hedgerow::svm

// The innermost loops, each on one tile: products of up to 48 rows with 64 columns, held in the first cache.
//
//   pack      64 rows side by side, so that a column of theirs is one load
//   multiply  tile = rows x packed, summed over the columns in order
//   bend      tile = kernel(tile)
//   collect   out += coef . tile, in double
#pragma once

#include <cstdint>

#include "svm/kernels/kernel.hpp"

namespace hedgerow::svm {

inline constexpr int kTileRows = 48, kTileColumns = 64;

enum class Kind { linear, poly, rbf, sigmoid };

// `packed` holds kTileColumns * columns numbers; columns beyond `count` are zero.
template <class T>
void pack(const T* const* rows, int count, int64_t columns, T* packed);
template <class T>
void multiply(const T* const* rows, int count, const T* packed, int64_t columns, T* tile);
template <class T>
void bend(Kind kind, const Shape& shape, T* tile, int count, const T* row_norms, const T* column_norms);
template <class T>
void collect(const T* tile, int count, const double* coef, int64_t coef_step, double* out);

}  // namespace hedgerow::svm

#include "svm/tiles.hpp"

#include <algorithm>
#include <cstring>

namespace hedgerow::svm {
namespace {

constexpr int kHeight = 6;  // 6 x 2 lanes of sums, 2 of columns, 1 of a row: sixteen registers

template <class T>
inline constexpr int kPanel = 2 * kLanes<T>;

template <class T>
HEDGEROW_INLINE void multiply_here(const T* const* rows, int count, const T* packed, int64_t columns,
                                   T* tile) {
  for (int panel = 0; panel < kTileColumns / kPanel<T>; ++panel) {
    const T* columns_of = packed + panel * kPanel<T> * columns;
    for (int i = 0; i < count; i += kHeight) {
      const T* r[kHeight];
      for (int h = 0; h < kHeight; ++h) r[h] = rows[std::min(i + h, count - 1)];
      Lanes<T> left[kHeight] = {}, right[kHeight] = {};
      for (int64_t k = 0; k < columns; ++k) {
        const Lanes<T> a = load(columns_of + k * kPanel<T>), b = load(columns_of + k * kPanel<T> + kLanes<T>);
#pragma GCC unroll 6
        for (int h = 0; h < kHeight; ++h) {
          const T x = r[h][k];
          left[h] += x * a;
          right[h] += x * b;
        }
      }
      for (int h = 0; h < kHeight && i + h < count; ++h) {
        T* to = tile + (i + h) * kTileColumns + panel * kPanel<T>;
        store(to, left[h]);
        store(to + kLanes<T>, right[h]);
      }
    }
  }
}

template <class T>
HEDGEROW_INLINE void collect_here(const T* tile, int count, const double* coef, int64_t step, double* out) {
  constexpr int kWide = 16;  // four sums of four doubles at a time
  for (int j = 0; j < kTileColumns; j += kWide) {
    double sum[kWide];
    std::memcpy(sum, out + j, sizeof sum);
    for (int i = 0; i < count; ++i) {
      const double c = coef[i * step];
      const T* from = tile + i * kTileColumns + j;
      for (int l = 0; l < kWide; ++l) sum[l] += c * static_cast<double>(from[l]);
    }
    std::memcpy(out + j, sum, sizeof sum);
  }
}

// One function for each type, because the loader chooses among compiled copies of plain functions.
#define HEDGEROW_FOR(T, name)                                                                             \
  HEDGEROW_CLONES void multiply_##name(const T* const* rows, int count, const T* packed, int64_t columns, \
                                       T* tile) {                                                         \
    multiply_here<T>(rows, count, packed, columns, tile);                                                 \
  }                                                                                                       \
  HEDGEROW_CLONES void collect_##name(const T* tile, int count, const double* coef, int64_t step,         \
                                      double* out) {                                                      \
    collect_here<T>(tile, count, coef, step, out);                                                        \
  }                                                                                                       \
  }                                                                                                       \
  template <>                                                                                             \
  void multiply<T>(const T* const* rows, int count, const T* packed, int64_t columns, T* tile) {          \
    multiply_##name(rows, count, packed, columns, tile);                                                  \
  }                                                                                                       \
  template <>                                                                                             \
  void collect<T>(const T* tile, int count, const double* coef, int64_t step, double* out) {              \
    collect_##name(tile, count, coef, step, out);                                                         \
  }                                                                                                       \
  namespace {

HEDGEROW_FOR(float, float)
HEDGEROW_FOR(double, double)
#undef HEDGEROW_FOR

}  // namespace

template <class T>
void pack(const T* const* rows, int count, int64_t columns, T* packed) {
  constexpr int kWidth = kPanel<T>;
  for (int j = 0; j < kTileColumns; ++j) {
    T* to = packed + (j / kWidth) * kWidth * columns + j % kWidth;
    for (int64_t k = 0; k < columns; ++k) to[k * kWidth] = j < count ? rows[j][k] : T(0);
  }
}
template void pack<float>(const float* const*, int, int64_t, float*);
template void pack<double>(const double* const*, int, int64_t, double*);

}  // namespace hedgerow::svm

#include "svm/tiles.hpp"

#include <algorithm>
#include <cstring>

namespace hedgerow::svm {
namespace {

constexpr int64_t kDepth = 256;  // columns at a time, so that those of a panel stay in the first cache

// As many columns as are packed side by side: one line of cache.
template <class T>
inline constexpr int kPanel = 64 / sizeof(T);

// Numbers of one register, `Bytes` wide.
template <class T, int Bytes>
struct Register {
#if defined(__GNUC__)
  typedef T Values __attribute__((vector_size(Bytes)));
#else
  using Values = Lanes<T>;
#endif
};

// Columns [from, to) of up to Height rows with two registers of packed columns. The sums go on from the tile.
template <class T, int Bytes, int Height>
HEDGEROW_INLINE void multiply_block(const T* const* rows, int count, const T* one, const T* other,
                                    int64_t from, int64_t to, T* tile) {
  using Values = typename Register<T, Bytes>::Values;
  constexpr int kWidth = Bytes / sizeof(T);
  const T* r[Height];
  for (int h = 0; h < Height; ++h) r[h] = rows[std::min(h, count - 1)];
  Values left[Height] = {}, right[Height] = {};
  if (from > 0)
#pragma GCC unroll 12
    for (int h = 0; h < Height; ++h) {
      const T* at = tile + std::min(h, count - 1) * kTileColumns;
      std::memcpy(&left[h], at, Bytes);
      std::memcpy(&right[h], at + kWidth, Bytes);
    }
  for (int64_t k = from; k < to; ++k) {
    Values a, b;
    std::memcpy(&a, one + k * kPanel<T>, Bytes);
    std::memcpy(&b, other + k * kPanel<T>, Bytes);
#pragma GCC unroll 12
    for (int h = 0; h < Height; ++h) {
      const T x = r[h][k];
      left[h] += x * a;
      right[h] += x * b;
    }
  }
#pragma GCC unroll 12
  for (int h = 0; h < Height; ++h) {
    if (h >= count) break;
    std::memcpy(tile + h * kTileColumns, &left[h], Bytes);
    std::memcpy(tile + h * kTileColumns + kWidth, &right[h], Bytes);
  }
}

// Each value is one sum over the columns in order, however wide registers are.
template <class T, int Bytes, int Height>
HEDGEROW_INLINE void multiply_here(const T* const* rows, int count, const T* packed, int64_t columns,
                                   T* tile) {
  constexpr int kWidth = Bytes / sizeof(T);
  for (int64_t from = 0; from == 0 || from < columns; from += kDepth) {
    const int64_t to = std::min(columns, from + kDepth);
    for (int first = 0; first < kTileColumns; first += 2 * kWidth) {
      // Two registers are one panel, or two panels side by side.
      const T* one = packed + first * columns;
      const T* other = kWidth < kPanel<T> ? one + kWidth : one + kPanel<T> * columns;
      for (int i = 0; i < count; i += Height)
        multiply_block<T, Bytes, Height>(rows + i, std::min(Height, count - i), one, other, from, to,
                                         tile + i * kTileColumns + first);
    }
  }
}

// So many columns at a time that the packed ones of a tile stay in the first cache.
template <class T>
inline constexpr int64_t kFilledDepth = 32768 / (kTileColumns * sizeof(T));

// Row by row. Each value is the same sum, without the terms that are zero.
template <class T, int Bytes>
HEDGEROW_INLINE void multiply_filled_here(const T* const* rows, const Filled* filled, int count,
                                          const T* packed, int64_t columns, T* tile) {
  using Values = typename Register<T, Bytes>::Values;
  constexpr int kWidth = Bytes / sizeof(T), kSums = std::min(8, kTileColumns / kWidth);
  int32_t next[kTileRows] = {};
  for (int64_t from = 0; from == 0 || from < columns; from += kFilledDepth<T>) {
    const int64_t to = std::min(columns, from + kFilledDepth<T>);
    for (int i = 0; i < count; ++i) {
      const int32_t *list = filled[i].at, first = next[i];
      int32_t end = first;
      while (end < filled[i].count && list[end] < to) ++end;
      next[i] = end;
      if (from > 0 && first == end) continue;
      for (int column = 0; column < kTileColumns; column += kSums * kWidth) {
        T* out = tile + i * kTileColumns + column;
        const T* part[kSums];
        Values sum[kSums] = {};
#pragma GCC unroll 8
        for (int s = 0; s < kSums; ++s) {
          const int at = column + s * kWidth;
          part[s] = packed + int64_t(at / kPanel<T>) * kPanel<T> * columns + at % kPanel<T>;
          if (from > 0) std::memcpy(&sum[s], out + s * kWidth, Bytes);
        }
        for (int32_t e = first; e < end; ++e) {
          const T x = rows[i][list[e]];
          const int64_t k = int64_t(list[e]) * kPanel<T>;
#pragma GCC unroll 8
          for (int s = 0; s < kSums; ++s) {
            Values a;
            std::memcpy(&a, part[s] + k, Bytes);
            sum[s] += x * a;
          }
        }
#pragma GCC unroll 8
        for (int s = 0; s < kSums; ++s) std::memcpy(out + s * kWidth, &sum[s], Bytes);
      }
    }
  }
}

template <class T>
HEDGEROW_INLINE void collect_here(const T* tile, const Term* terms, int64_t count, double* out) {
  constexpr int kWide = 16;  // four sums of four doubles at a time
  for (int j = 0; j < kTileColumns; j += kWide) {
    double sum[kWide];
    std::memcpy(sum, out + j, sizeof sum);
    for (int64_t t = 0; t < count; ++t) {
      const double c = terms[t].coef;
      const T* from = tile + terms[t].row * kTileColumns + j;
      for (int l = 0; l < kWide; ++l) sum[l] += c * static_cast<double>(from[l]);
    }
    std::memcpy(out + j, sum, sizeof sum);
  }
}

// One function for each type, because the loader chooses among compiled copies of plain functions. Sums fill
// the registers that there are: sixteen of 32 bytes, or 32 of 64.
#define HEDGEROW_FOR(T, name)                                                                                \
  HEDGEROW_CLONES void multiply_##name(const T* const* rows, int count, const T* packed, int64_t columns,    \
                                       T* tile) {                                                            \
    multiply_here<T, 32, 6>(rows, count, packed, columns, tile);                                             \
  }                                                                                                          \
  HEDGEROW_AVX512 void multiply_wide_##name(const T* const* rows, int count, const T* packed,                \
                                            int64_t columns, T* tile) {                                      \
    if (count <= 6) return multiply_here<T, 64, 6>(rows, count, packed, columns, tile);                      \
    multiply_here<T, 64, 12>(rows, count, packed, columns, tile);                                            \
  }                                                                                                          \
  HEDGEROW_CLONES void multiply_filled_##name(const T* const* rows, const Filled* filled, int count,         \
                                              const T* packed, int64_t columns, T* tile) {                   \
    multiply_filled_here<T, 32>(rows, filled, count, packed, columns, tile);                                 \
  }                                                                                                          \
  HEDGEROW_AVX512 void multiply_filled_wide_##name(const T* const* rows, const Filled* filled, int count,    \
                                                   const T* packed, int64_t columns, T* tile) {              \
    multiply_filled_here<T, 64>(rows, filled, count, packed, columns, tile);                                 \
  }                                                                                                          \
  HEDGEROW_CLONES void collect_##name(const T* tile, const Term* terms, int64_t count, double* out) {        \
    collect_here<T>(tile, terms, count, out);                                                                \
  }                                                                                                          \
  }                                                                                                          \
  template <>                                                                                                \
  void multiply<T>(const T* const* rows, int count, const T* packed, int64_t columns, T* tile) {             \
    if (HEDGEROW_HAS_AVX512) return multiply_wide_##name(rows, count, packed, columns, tile);                \
    multiply_##name(rows, count, packed, columns, tile);                                                     \
  }                                                                                                          \
  template <>                                                                                                \
  void multiply_filled<T>(const T* const* rows, const Filled* filled, int count, const T* packed,            \
                          int64_t columns, T* tile) {                                                        \
    if (HEDGEROW_HAS_AVX512) return multiply_filled_wide_##name(rows, filled, count, packed, columns, tile); \
    multiply_filled_##name(rows, filled, count, packed, columns, tile);                                      \
  }                                                                                                          \
  template <>                                                                                                \
  void collect<T>(const T* tile, const Term* terms, int64_t count, double* out) {                            \
    collect_##name(tile, terms, count, out);                                                                 \
  }                                                                                                          \
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

template <class T>
void pack_filled(const T* const* rows, const Filled* filled, int count, int64_t columns, T* packed) {
  constexpr int kWidth = kPanel<T>;
  std::fill_n(packed, kTileColumns * columns, T(0));
  for (int j = 0; j < count; ++j) {
    T* to = packed + (j / kWidth) * kWidth * columns + j % kWidth;
    for (int32_t e = 0; e < filled[j].count; ++e) {
      const int64_t k = filled[j].at[e];
      to[k * kWidth] = rows[j][k];
    }
  }
}
template void pack_filled<float>(const float* const*, const Filled*, int, int64_t, float*);
template void pack_filled<double>(const double* const*, const Filled*, int, int64_t, double*);

}  // namespace hedgerow::svm

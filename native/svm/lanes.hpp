// Several numbers at once: eight floats or four doubles, with the arithmetic of one.
//
// GCC and Clang have such types; elsewhere a plain array surrogates in, and the compiler does what it can.
// Each lane does what the scalar code would do, so the width changes speed and never an answer.
#pragma once

#include <cstdint>
#include <cstring>

#include "common/simd.hpp"

namespace hedgerow::svm {

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"  // lanes never cross a call that is not inlined

template <class T>
struct LanesOf;
template <>
struct LanesOf<float> {
  typedef float Values __attribute__((vector_size(32)));
  typedef int32_t Whole __attribute__((vector_size(32)));
};
template <>
struct LanesOf<double> {
  typedef double Values __attribute__((vector_size(32)));
  typedef int64_t Whole __attribute__((vector_size(32)));
};
template <class T>
using Lanes = typename LanesOf<T>::Values;

template <class T>
HEDGEROW_INLINE Lanes<T> all(T value) {
  return value + Lanes<T>{};
}
template <class T>
HEDGEROW_INLINE Lanes<T> larger(Lanes<T> a, Lanes<T> b) {
  return a > b ? a : b;
}
template <class T>
HEDGEROW_INLINE Lanes<T> smaller(Lanes<T> a, Lanes<T> b) {
  return a < b ? a : b;
}
// 2^n for the whole number n in the low bits of `shifted`.
template <class T>
HEDGEROW_INLINE Lanes<T> power_of_two(Lanes<T> shifted) {
  using Whole = typename LanesOf<T>::Whole;
  if constexpr (sizeof(T) == 4)
    return (Lanes<T>)(((Whole)shifted << 23) + 0x3F800000);
  else
    return (Lanes<T>)(((Whole)shifted << 52) + 0x3FF0000000000000);
}

#else

template <class T>
struct Lanes {
  T at[32 / sizeof(T)];
  T& operator[](int l) { return at[l]; }
  const T& operator[](int l) const { return at[l]; }
};
#define HEDGEROW_LANE_OPERATOR(op)                                        \
  template <class T>                                                      \
  Lanes<T> operator op(Lanes<T> a, const Lanes<T>& b) {                   \
    for (int l = 0; l < int(32 / sizeof(T)); ++l) a.at[l] = a[l] op b[l]; \
    return a;                                                             \
  }
HEDGEROW_LANE_OPERATOR(+)
HEDGEROW_LANE_OPERATOR(-)
HEDGEROW_LANE_OPERATOR(*)
HEDGEROW_LANE_OPERATOR(/)
#undef HEDGEROW_LANE_OPERATOR
template <class T>
Lanes<T> operator*(T a, Lanes<T> b) {
  for (T& x : b.at) x *= a;
  return b;
}
template <class T>
Lanes<T>& operator+=(Lanes<T>& a, const Lanes<T>& b) {
  return a = a + b;
}
template <class T>
Lanes<T>& operator-=(Lanes<T>& a, const Lanes<T>& b) {
  return a = a - b;
}
template <class T>
Lanes<T> all(T value) {
  Lanes<T> a;
  for (T& x : a.at) x = value;
  return a;
}
template <class T>
Lanes<T> larger(Lanes<T> a, const Lanes<T>& b) {
  for (int l = 0; l < int(32 / sizeof(T)); ++l) a[l] = a[l] > b[l] ? a[l] : b[l];
  return a;
}
template <class T>
Lanes<T> smaller(Lanes<T> a, const Lanes<T>& b) {
  for (int l = 0; l < int(32 / sizeof(T)); ++l) a[l] = a[l] < b[l] ? a[l] : b[l];
  return a;
}
template <class T>
Lanes<T> power_of_two(const Lanes<T>& shifted) {
  Lanes<T> a;
  for (int l = 0; l < int(32 / sizeof(T)); ++l) {
    if constexpr (sizeof(T) == 4) {
      uint32_t bits;
      std::memcpy(&bits, &shifted.at[l], 4);
      bits = (bits << 23) + 0x3F800000u;
      std::memcpy(&a.at[l], &bits, 4);
    } else {
      uint64_t bits;
      std::memcpy(&bits, &shifted.at[l], 8);
      bits = (bits << 52) + 0x3FF0000000000000u;
      std::memcpy(&a.at[l], &bits, 8);
    }
  }
  return a;
}

#endif

template <class T>
inline constexpr int kLanes = 32 / sizeof(T);

template <class T>
HEDGEROW_INLINE Lanes<T> load(const T* from) {
  Lanes<T> a;
  std::memcpy(&a, from, sizeof a);
  return a;
}
template <class T>
HEDGEROW_INLINE void store(T* to, Lanes<T> a) {
  std::memcpy(to, &a, sizeof a);
}

}  // namespace hedgerow::svm

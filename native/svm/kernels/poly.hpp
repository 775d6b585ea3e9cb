// poly: (gamma x.z + coef0)^degree
#pragma once

#include "svm/kernel.hpp"

namespace hedgerow::svm {

struct Poly : KernelDefaults {
  static constexpr bool kCoef0 = true;
  static constexpr bool kDegree = true;
  static constexpr const char* kText = "({gamma} x.z + {coef0})^{degree}";
  double coef0;
  int degree;
  explicit Poly(const KernelParams& params) : coef0(params.coef0), degree(params.degree) {}
  template <class T>
  HEDGEROW_INLINE Lanes<T> of(Lanes<T> dot, Lanes<T>) const {
    auto base = dot + all<T>(static_cast<T>(coef0)), power = all<T>(1);
    for (int left = degree; left > 0; left >>= 1) {
      if (left & 1) power = power * base;
      if (left > 1) base = base * base;
    }
    return power;
  }
};

}  // namespace hedgerow::svm

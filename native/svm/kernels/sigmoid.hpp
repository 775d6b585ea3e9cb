// sigmoid: tanh(gamma x.z + coef0). Not positive semidefinite in general.
#pragma once

#include "svm/exponential.hpp"
#include "svm/kernel.hpp"

namespace hedgerow::svm {

struct Sigmoid : KernelDefaults {
  static constexpr bool kCoef0 = true;
  static constexpr bool kPositive = false;
  static constexpr const char* kText = "tanh({gamma} x.z + {coef0})";
  double coef0;
  explicit Sigmoid(const KernelParams& params) : coef0(params.coef0) {}
  template <class T>
  HEDGEROW_INLINE Lanes<T> of(Lanes<T> dot, Lanes<T>) const {
    const auto x = dot + all<T>(static_cast<T>(coef0));
    const auto bounded = larger<T>(smaller<T>(x, all<T>(20)), all<T>(-20));
    return all<T>(1) - all<T>(2) / (exponential<T>(bounded + bounded) + all<T>(1));
  }
};

}  // namespace hedgerow::svm

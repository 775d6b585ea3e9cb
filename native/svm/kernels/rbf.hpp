// rbf: exp(-gamma |x - z|^2)
#pragma once

#include "svm/exponential.hpp"
#include "svm/kernel.hpp"

namespace hedgerow::svm {

struct Rbf : KernelDefaults {
  static constexpr bool kMovable = true;
  static constexpr const char* kText = "gamma {gamma}";
  explicit Rbf(const KernelParams&) {}
  template <class T>
  HEDGEROW_INLINE Lanes<T> of(Lanes<T> dot, Lanes<T> norms) const {
    const auto x = smaller<T>(dot + dot - norms, Lanes<T>{});
    return exponential<T>(larger<T>(x, all<T>(kLeast<T>)));
  }
};

}  // namespace hedgerow::svm

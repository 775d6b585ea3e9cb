// linear: x.z
#pragma once

#include "svm/kernel.hpp"

namespace hedgerow::svm {

struct Linear : KernelDefaults {
  static constexpr bool kGamma = false;
  static constexpr bool kLinear = true;
  explicit Linear(const KernelParams&) {}
  template <class T>
  HEDGEROW_INLINE Lanes<T> of(Lanes<T> dot, Lanes<T>) const {
    return dot;
  }
};

}  // namespace hedgerow::svm

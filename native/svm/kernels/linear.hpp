// linear: x.z
#pragma once

#include "svm/kernels/kernel.hpp"

namespace hedgerow::svm {

struct Linear {
  static constexpr bool kMovable = false;
  explicit Linear(const Shape&) {}
  template <class T>
  HEDGEROW_INLINE Lanes<T> of(Lanes<T> dot, Lanes<T>) const {
    return dot;
  }
};

}  // namespace hedgerow::svm

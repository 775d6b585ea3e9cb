// A kernel: a function of x.z and of |x|^2 + |z|^2, on several pairs at once.
//
// Rows reach it multiplied by sqrt(gamma), so that no kernel multiplies by gamma again. A kernel that only
// looks at differences says so (kMovable): its rows are centred first, which costs no accuracy to large
// means.
#pragma once

#include <concepts>

#include "svm/lanes.hpp"

namespace hedgerow::svm {

struct Shape {  // the numbers of a kernel, as the caller gave them
  double gamma = 1.0, coef0 = 0.0;
  int degree = 3;
};

template <class K>
concept Kernel = requires(const K k, Lanes<double> x) {
  { K::kMovable } -> std::convertible_to<bool>;
  { k.template of<double>(x, x) } -> std::same_as<Lanes<double>>;
};

}  // namespace hedgerow::svm

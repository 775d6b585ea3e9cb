// What a kernel is: a function of x.z and of |x|^2 + |z|^2, on several pairs at once; one struct in one file
// of kernels/, found by the build (CMakeLists.txt).
//
// Rows reach it multiplied by sqrt(gamma), so that no kernel multiplies by gamma again. A kernel starts from
// KernelDefaults and says what is different; solvers and bindings ask the traits, never the name, which is
// the file's.
#pragma once

#include <concepts>

#include "svm/lanes.hpp"

namespace hedgerow::svm {

struct KernelParams {  // as the caller gave them; a kernel reads those it has
  double gamma = 1.0, coef0 = 0.0;
  int degree = 3;
};

struct KernelDefaults {
  static constexpr bool kGamma = true;      // it has the parameter gamma
  static constexpr bool kCoef0 = false;     // ... coef0
  static constexpr bool kDegree = false;    // ... degree
  static constexpr bool kMovable = false;   // it looks at differences of rows only: rows are centred
                                            // first, which costs no accuracy to large means
  static constexpr bool kPositive = true;   // positive semidefinite for every coef0 of at least zero
  static constexpr bool kLinear = false;    // its value is x.z itself
  static constexpr const char* kText = "";  // how it is shown, such as "gamma {gamma}"
};

template <class K>
concept Kernel = std::constructible_from<K, const KernelParams&> && requires(const K k, Lanes<double> x) {
  { k.template of<double>(x, x) } -> std::same_as<Lanes<double>>;
  requires std::convertible_to<decltype(K::kGamma), bool>;
  requires std::convertible_to<decltype(K::kCoef0), bool>;
  requires std::convertible_to<decltype(K::kDegree), bool>;
  requires std::convertible_to<decltype(K::kMovable), bool>;
  requires std::convertible_to<decltype(K::kPositive), bool>;
  requires std::convertible_to<decltype(K::kLinear), bool>;
  requires std::convertible_to<decltype(K::kText), const char*>;
};

}  // namespace hedgerow::svm

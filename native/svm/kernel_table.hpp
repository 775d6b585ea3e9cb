// The kernels by name: what each is and the functions compiled for it.
//
// The build writes the table from the files of kernels/ (CMakeLists.txt): file name -> traits and functions.
#pragma once

#include <cmath>
#include <span>
#include <string>

#include "svm/kernel.hpp"

namespace hedgerow::svm {

struct KernelTraits {
  bool gamma, coef0, degree, movable, positive, linear;
  const char* text;
};

// tile = kernel(tile): `count` rows of kTileColumns products, and the squared lengths of rows and columns.
// Null for the linear kernel.
template <class T>
using ApplyKernel = void (*)(KernelParams params, T* tile, int count, const T* row_norms,
                             const T* column_norms);

struct KernelFunctions {
  ApplyKernel<float> narrow = nullptr;
  ApplyKernel<double> wide = nullptr;
};

struct KernelEntry {
  std::string name;
  KernelTraits traits;
  KernelFunctions functions;
};

// By name.
std::span<const KernelEntry> all_kernels();

// Throws std::invalid_argument, which lists the known ones.
const KernelEntry& find_kernel(const std::string& name);

// A kernel with its parameters. Without an entry: plain products.
struct KernelOf {
  const KernelEntry* entry = nullptr;
  KernelParams params;

  bool has_gamma() const { return entry && entry->traits.gamma; }
  // What rows are multiplied by, so that their products hold gamma.
  double row_scale() const { return has_gamma() ? std::sqrt(params.gamma) : 1.0; }
  bool centres_rows() const { return entry && entry->traits.movable; }

  template <class T>
  void apply(T* tile, int count, const T* row_norms, const T* column_norms) const {
    if (!entry) return;
    const ApplyKernel<T> apply = [&] {
      if constexpr (sizeof(T) == sizeof(float))
        return entry->functions.narrow;
      else
        return entry->functions.wide;
    }();
    if (apply) apply(params, tile, count, row_norms, column_norms);
  }
};

// Defined in the kernel's own unit, which the build writes.
template <Kernel K>
KernelFunctions functions_of();

template <Kernel K>
KernelEntry kernel_entry(const char* name) {
  const KernelTraits traits{K::kGamma,    K::kCoef0,  K::kDegree, K::kMovable,
                            K::kPositive, K::kLinear, K::kText};
  return {name, traits, functions_of<K>()};
}

}  // namespace hedgerow::svm

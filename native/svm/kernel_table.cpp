#include "svm/kernel_table.hpp"

#include <stdexcept>
#include <vector>

namespace hedgerow::svm {

// Written by the build.
std::vector<KernelEntry> listed_kernels();

std::span<const KernelEntry> all_kernels() {
  static const std::vector<KernelEntry> all = listed_kernels();
  return all;
}

const KernelEntry& find_kernel(const std::string& name) {
  std::string known;
  for (const KernelEntry& entry : all_kernels()) {
    if (entry.name == name) return entry;
    known += (known.empty() ? "" : ", ") + entry.name;
  }
  throw std::invalid_argument("kernel '" + name + "' is unknown. Known: " + known);
}

}  // namespace hedgerow::svm

// Several targets a row: what a tree of many outputs learns from.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace hedgerow {

struct Outputs {
  int n = 0;
  std::vector<int32_t> n_classes;    // of each output; empty: numbers
  const int32_t* classes = nullptr;  // rows x outputs
  const double* target = nullptr;    // rows x outputs

  // Classes: one for each class of each output, one output after the other. Numbers: one an output.
  int n_moments() const {
    return n_classes.empty() ? n : std::accumulate(n_classes.begin(), n_classes.end(), 0);
  }
};

}  // namespace hedgerow

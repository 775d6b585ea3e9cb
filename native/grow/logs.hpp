// x log2 x for counts, from a table: entropy over whole numbers needs no logarithm in its inner loop.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace hedgerow {

inline double xlogx(double x) { return x > 0 ? x * std::log2(x) : 0.0; }

class Logs {
 public:
  explicit Logs(int64_t n) : table_(n + 1) {
    for (int64_t i = 0; i <= n; ++i) table_[i] = xlogx(static_cast<double>(i));
  }
  double operator()(double x) const { return table_[static_cast<size_t>(x)]; }

 private:
  std::vector<double> table_;
};

}  // namespace hedgerow

#include "linear/products.hpp"

#include <algorithm>
#include <cmath>

#include "linear/kernels.hpp"

namespace hedgerow::linear {
namespace {

constexpr int64_t kPacked = 64;   // rows gathered before they are multiplied
constexpr int64_t kRowsEach = 8;  // rows a column: more say little more

}  // namespace

// One row more than is gathered: compiled for 512 bits by GCC 12, gram_add reads the row after the last (and
// does nothing with it).
Packed::Packed(int64_t wide, double sign, double* gram)
    : wide_(wide), sign_(sign), gram_(gram), cells_((kPacked + 1) * wide, 0.0) {}

void Packed::add(const Rows& rows, int64_t i, double root, bool intercept) {
  double* at = cells_.data() + held_ * wide_;
  if (rows.sparse()) {
    std::fill(at, at + rows.d, 0.0);
    rows.add(i, root, at);
  } else {
    for (int64_t j = 0; j < rows.d; ++j) at[j] = root * rows.values[i * rows.d + j];
  }
  if (intercept) at[rows.d] = root;
  if (++held_ == kPacked) flush();
}

void Packed::flush() {
  gram_add(cells_.data(), held_, wide_, sign_, gram_);
  held_ = 0;
}

std::vector<double> mean_products(const Rows& rows, bool intercept, ThreadTeam& team) {
  const int64_t size = rows.d + (intercept ? 1 : 0), wide = padded(size), squares = wide * wide;
  const int64_t some = std::min(rows.n, kRowsEach * size);
  const Split spread{rows.n, some}, split{some, std::min<int64_t>(4, some)};
  std::vector<double> part(split.tasks * squares, 0.0), mean(squares, 0.0);
  const double root = 1.0 / std::sqrt(double(some));
  team.run(split.tasks, [&](int64_t task, int) {
    Packed in(wide, 1.0, part.data() + task * squares);
    for (int64_t k = split.begin(task); k < split.end(task); ++k) {
      in.add(rows, spread.begin(k), root, intercept);
      if (k % 256 == 255) team.stop().check();
    }
    in.flush();
  });
  for (int64_t task = 0; task < split.tasks; ++task)
    dense_axpy(1.0, part.data() + task * squares, mean.data(), squares);
  return mean;
}

void factorise(std::vector<double>& lower, int64_t m) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      const double sum = lower[i * m + j] - dense_dot(lower.data() + i * m, lower.data() + j * m, j);
      if (i == j)
        lower[i * m + i] = std::sqrt(std::max(sum, 1e-14 * lower[i * m + i] + 1e-300));
      else
        lower[i * m + j] = sum / lower[j * m + j];
    }
  }
}

void solve_factored(const std::vector<double>& lower, int64_t m, double* x) {
  for (int64_t i = 0; i < m; ++i) x[i] = (x[i] - dense_dot(lower.data() + i * m, x, i)) / lower[i * m + i];
  for (int64_t i = m; i-- > 0;) {
    x[i] /= lower[i * m + i];
    dense_axpy(-x[i], lower.data() + i * m, x, i);
  }
}

}  // namespace hedgerow::linear

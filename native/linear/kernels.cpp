#include "linear/kernels.hpp"

#include "common/simd.hpp"

namespace hedgerow::linear {
namespace {

constexpr int kLanes = 16;

HEDGEROW_INLINE double folded(const double* lane) {
  double half[8], quarter[4];
  for (int l = 0; l < 8; ++l) half[l] = lane[l] + lane[l + 8];
  for (int l = 0; l < 4; ++l) quarter[l] = half[l] + half[l + 4];
  return (quarter[0] + quarter[2]) + (quarter[1] + quarter[3]);
}

HEDGEROW_INLINE double dot(const double* a, const double* b, int64_t n) {
  double lane[kLanes] = {};
  int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes)
    for (int l = 0; l < kLanes; ++l) lane[l] += a[j + l] * b[j + l];
  for (int l = 0; j < n; ++j, ++l) lane[l] += a[j] * b[j];
  return folded(lane);
}

// soft threshold, slope, clip: see binary_svm.hpp
HEDGEROW_INLINE double response(double v, double epsilon, double steep, double low, double high) {
  const double above = v - epsilon, below = v + epsilon;
  const double u = (above > 0 ? above : 0.0) + (below < 0 ? below : 0.0);
  const double beta = steep * u;
  const double floor = beta < low ? low : beta;
  return floor > high ? high : floor;
}

HEDGEROW_INLINE double inside(double v, double epsilon, double beta, double steep, double low, double high) {
  const double size = v < 0 ? -v : v;
  const double open = (beta > low ? 1.0 : 0.0) * (beta < high ? 1.0 : 0.0);
  return (size >= epsilon ? open : 0.0) * steep;
}

}  // namespace

HEDGEROW_CLONES double dense_dot(const double* a, const double* b, int64_t n) { return dot(a, b, n); }

HEDGEROW_CLONES void dense_axpy(double step, const double* x, double* y, int64_t n) {
  for (int64_t j = 0; j < n; ++j) y[j] += step * x[j];
}

HEDGEROW_CLONES void dense_times(const double* x, int64_t n, int64_t d, const double* w, double bias,
                                 double* out) {
  for (int64_t i = 0; i < n; ++i) out[i] = dot(x + i * d, w, d) + bias;
}

HEDGEROW_CLONES void dense_add(const double* x, int64_t d, const int32_t* row, const double* v, int64_t n,
                               double* out) {
  int64_t k = 0;
  for (; k + 4 <= n; k += 4) {
    const double *a = x + row[k] * d, *b = x + row[k + 1] * d, *c = x + row[k + 2] * d,
                 *e = x + row[k + 3] * d;
    const double va = v[k], vb = v[k + 1], vc = v[k + 2], ve = v[k + 3];
    for (int64_t j = 0; j < d; ++j) out[j] += (va * a[j] + vb * b[j]) + (vc * c[j] + ve * e[j]);
  }
  for (; k < n; ++k) {
    const double* a = x + row[k] * d;
    const double va = v[k];
    for (int64_t j = 0; j < d; ++j) out[j] += va * a[j];
  }
}

HEDGEROW_CLONES void gram_add(const double* packed, int64_t n, int64_t size, double sign, double* gram) {
  for (int64_t i = 0; i < size; i += 4)
    for (int64_t j = i & ~int64_t{7}; j < size; j += 8) {
      double sum[4][8] = {};
      for (int64_t k = 0; k < n; ++k) {
        const double *left = packed + k * size + i, *right = packed + k * size + j;
        for (int a = 0; a < 4; ++a)
          for (int b = 0; b < 8; ++b) sum[a][b] += left[a] * right[b];
      }
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 8; ++b) gram[(i + a) * size + j + b] += sign * sum[a][b];
    }
}

HEDGEROW_CLONES void respond(int64_t n, const double* residual, const double* shift, double epsilon,
                             const double* steep, const double* low, const double* high, double* beta,
                             double* slope) {
  for (int64_t i = 0; i < n; ++i) {
    const double v = residual[i] + shift[i];
    const double answer = response(v, epsilon, steep[i], low[i], high[i]);
    beta[i] = answer;
    slope[i] = inside(v, epsilon, answer, steep[i], low[i], high[i]);
  }
}

HEDGEROW_CLONES void respond_along(int64_t n, const double* residual, const double* change, double step,
                                   const double* shift, double epsilon, const double* steep,
                                   const double* low, const double* high, double* sums) {
  double first[kLanes] = {}, second[kLanes] = {};
  const auto one = [&](int64_t i, int l) {
    const double v = residual[i] - step * change[i] + shift[i];
    const double answer = response(v, epsilon, steep[i], low[i], high[i]);
    first[l] += answer * change[i];
    second[l] += inside(v, epsilon, answer, steep[i], low[i], high[i]) * change[i] * change[i];
  };
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int l = 0; l < kLanes; ++l) one(i + l, l);
  for (int l = 0; i < n; ++i, ++l) one(i, l);
  sums[0] = folded(first);
  sums[1] = folded(second);
}

}  // namespace hedgerow::linear

// The inner loops of the linear machines: plain loops over arrays, in lanes of fixed number and order, so
// that every processor gives the same bits.
#pragma once

#include <cstdint>

namespace hedgerow::linear {

// out[i] = x_i . w + bias for rows of length d, one after another.
void dense_times(const double* x, int64_t n, int64_t d, const double* w, double bias, double* out);
// out += sum over k of v[k] x[row[k]]
void dense_add(const double* x, int64_t d, const int32_t* row, const double* v, int64_t n, double* out);
double dense_dot(const double* a, const double* b, int64_t n);
void dense_axpy(double step, const double* x, double* y, int64_t n);

// gram (size x size, row-major, size a multiple of 8) += sign * packed' packed for n packed rows; blocks of 4
// x 8 on or above the diagonal only.
void gram_add(const double* packed, int64_t n, int64_t size, double sign, double* gram);

// The response of rows to their residual (binary_svm.hpp): beta and its slope.
void respond(int64_t n, const double* residual, const double* shift, double epsilon, const double* steep,
             const double* low, const double* high, double* beta, double* slope);
// sum of beta(residual - step * change) * change, and of its derivative in -step
void respond_along(int64_t n, const double* residual, const double* change, double step, const double* shift,
                   double epsilon, const double* steep, const double* low, const double* high, double* sums);

}  // namespace hedgerow::linear

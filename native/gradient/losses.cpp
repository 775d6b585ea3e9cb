#include "gradient/losses.hpp"

#include <algorithm>
#include <vector>

#include "boost/exp.hpp"
#include "common/simd.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRows = 4096;          // a task
constexpr double kLeastHessian = 1e-16;  // of a row that is all but certain: a Newton step stays a number

template <class Work>
void over_rows(int64_t n, ThreadTeam& team, Work work) {
  team.run((n + kRows - 1) / kRows,
           [&](int64_t task, int) { work(task * kRows, std::min(n, (task + 1) * kRows)); });
}

HEDGEROW_CLONES void binary_stretch(const double* raw, const double* y, int64_t begin, int64_t end,
                                    double* gradient, double* hessian) {
  for (int64_t i = begin; i < end; ++i) {
    const double p = 1.0 / (1.0 + plain_exp(-raw[i]));
    gradient[i] = p - y[i];
    const double h = p * (1.0 - p);
    hessian[i] = h > kLeastHessian ? h : kLeastHessian;
  }
}

HEDGEROW_CLONES void weigh_stretch(const double* weight, int64_t begin, int64_t end, double* gradient,
                                   double* hessian) {
  for (int64_t i = begin; i < end; ++i) {
    gradient[i] *= weight[i];
    hessian[i] *= weight[i];
  }
}

HEDGEROW_CLONES void exp_stretch(const double* x, int64_t begin, int64_t end, double* out) {
  for (int64_t i = begin; i < end; ++i) out[i] = plain_exp(x[i]);
}

HEDGEROW_CLONES void probability_stretch(const double* raw, int64_t begin, int64_t end, double* out) {
  for (int64_t i = begin; i < end; ++i) {
    const double p = 1.0 / (1.0 + plain_exp(-raw[i]));
    out[2 * i] = 1.0 - p;
    out[2 * i + 1] = p;
  }
}

HEDGEROW_CLONES void exp_less(const double* x, const double* most, int64_t n, double* out, double* sum) {
  for (int64_t i = 0; i < n; ++i) {
    out[i] = plain_exp(x[i] - most[i]);
    sum[i] += out[i];
  }
}

HEDGEROW_CLONES void share_stretch(const double* sum, int64_t n, double* gradient, double* hessian) {
  for (int64_t i = 0; i < n; ++i) {
    const double p = gradient[i] / sum[i];
    gradient[i] = p;
    const double h = p * (1.0 - p);
    hessian[i] = h > kLeastHessian ? h : kLeastHessian;
  }
}

// Shares of each class before they are divided by their sum: classes x (end - begin).
void exp_stretches(const double* raw, int64_t n, int classes, int64_t begin, int64_t end, double* out,
                   int64_t out_stride, double* sum) {
  const int64_t many = end - begin;
  std::vector<double> most(raw + begin, raw + end);
  std::fill(sum, sum + many, 0.0);
  for (int k = 1; k < classes; ++k)
    for (int64_t i = 0; i < many; ++i) most[i] = std::max(most[i], raw[k * n + begin + i]);
  for (int k = 0; k < classes; ++k)
    exp_less(raw + k * n + begin, most.data(), many, out + k * out_stride, sum);
}

template <class Term>
ExactSum add_exactly(int64_t n, ThreadTeam& team, Term term) {
  std::vector<ExactSum> parts((n + kRows - 1) / kRows);
  over_rows(n, team, [&](int64_t begin, int64_t end) {
    ExactSum sum;
    for (int64_t i = begin; i < end; ++i) sum.add(term(i));
    sum.carry();
    parts[begin / kRows] = sum;
  });
  ExactSum total;
  for (const ExactSum& part : parts) total.add(part);
  return total;
}

}  // namespace

void binary_log_loss_gradients(const double* raw, const double* y, const double* weight, int64_t n,
                               double* gradient, double* hessian, ThreadTeam& team) {
  over_rows(n, team, [&](int64_t begin, int64_t end) {
    binary_stretch(raw, y, begin, end, gradient, hessian);
    if (weight) weigh_stretch(weight, begin, end, gradient, hessian);
  });
}

void multinomial_gradients(const double* raw, const int32_t* y, const double* weight, int64_t n, int classes,
                           double* gradient, double* hessian, ThreadTeam& team) {
  over_rows(n, team, [&](int64_t begin, int64_t end) {
    const int64_t many = end - begin;
    std::vector<double> sum(many);
    exp_stretches(raw, n, classes, begin, end, gradient + begin, n, sum.data());
    for (int k = 0; k < classes; ++k)
      share_stretch(sum.data(), many, gradient + k * n + begin, hessian + k * n + begin);
    for (int64_t i = begin; i < end; ++i) gradient[y[i] * n + i] -= 1.0;
    if (weight)
      for (int k = 0; k < classes; ++k) weigh_stretch(weight, begin, end, gradient + k * n, hessian + k * n);
  });
}

ExactSum sum_of_squares(const double* x, int64_t n, ThreadTeam& team) {
  return add_exactly(n, team, [x](int64_t i) { return x[i] * x[i]; });
}

ExactSum sum_exactly(const double* x, int64_t n, ThreadTeam& team) {
  return add_exactly(n, team, [x](int64_t i) { return x[i]; });
}

void binary_probabilities(const double* raw, int64_t n, double* out, ThreadTeam& team) {
  over_rows(n, team, [&](int64_t begin, int64_t end) { probability_stretch(raw, begin, end, out); });
}

void class_probabilities(const double* raw, int64_t n, int classes, double* out, ThreadTeam& team) {
  over_rows(n, team, [&](int64_t begin, int64_t end) {
    const int64_t many = end - begin;
    std::vector<double> share(many * classes), sum(many);
    exp_stretches(raw, n, classes, begin, end, share.data(), many, sum.data());
    for (int64_t i = 0; i < many; ++i)
      for (int k = 0; k < classes; ++k) out[(begin + i) * classes + k] = share[k * many + i] / sum[i];
  });
}

void exp_values(const double* x, int64_t n, double* out, ThreadTeam& team) {
  over_rows(n, team, [&](int64_t begin, int64_t end) { exp_stretch(x, begin, end, out); });
}

}  // namespace hedgerow::gradient

#include "linear/smoothed.hpp"

#include <algorithm>

#include "linear/kernels.hpp"
#include "linear/products.hpp"

namespace hedgerow::linear {
namespace {

constexpr double kElsewhere = 3;  // times the slope that the factor was made for: it is made anew

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return dense_dot(a.data(), b.data(), static_cast<int64_t>(a.size()));
}

}  // namespace

Smoothed::Smoothed(const Rows& rows, const BinarySvm& svm, const double* products, ThreadTeam& team)
    : w(rows.d),
      beta(rows.n),
      rows_(rows),
      svm_(svm),
      products_(products),
      team_(team),
      size_(rows.d + (svm.intercept ? 1 : 0)) {
  for (auto* v : {&residual_, &change_, &shift_, &steep_, &low_, &high_, &slope_, &held_slope_})
    v->assign(rows.n, 0.0);
  made_.assign(rows.d, 0.0);
  damping_ = svm.squared ? 0.0 : 0.1;
  for (int64_t i = 0; i < rows.n; ++i) {
    low_[i] = svm.low(i);
    high_[i] = svm.high(i);
  }
  if (svm.squared) return;
  ease_.resize(rows.n);
  double sum = 0;
  for (int64_t i = 0; i < rows.n; ++i) sum += ease_[i] = rows.square(i) + 1.0;
  const double mean = sum / std::max<int64_t>(1, rows.n);
  for (int64_t i = 0; i < rows.n; ++i) ease_[i] = std::min(1.0, mean / ease_[i]);
}

void Smoothed::set_rho(double rho) {
  rho_ = rho;
  for (int64_t i = 0; i < rows_.n; ++i) steep_[i] = svm_.squared ? 2 * svm_.cost[i] : rho * ease_[i];
}

void Smoothed::place(const double* at, double intercept) {
  w.assign(at, at + rows_.d);
  b = intercept;
  times(rows_, w.data(), b, residual_.data(), team_);
  for (int64_t i = 0; i < rows_.n; ++i) residual_[i] = svm_.target[i] - residual_[i];
}

void Smoothed::next_stage(double by) {
  if (by > 1)  // what is usual narrows with the smoothing
    for (size_t k = 0; k < hessian_.size(); ++k) usual_hessian[k] = 0.25 * usual_hessian[k] + hessian_[k];
  rho_ *= by;
  set_rho(rho_);
  for (int64_t i = 0; i < rows_.n; ++i) shift_[i] = beta[i] / steep_[i];
}

void Smoothed::respond_all() {
  const Split split{rows_.n, sums(rows_)};
  team_.run(split.tasks, [&](int64_t task, int) {
    const int64_t begin = split.begin(task);
    respond(split.end(task) - begin, residual_.data() + begin, shift_.data() + begin, svm_.epsilon,
            steep_.data() + begin, low_.data() + begin, high_.data() + begin, beta.data() + begin,
            slope_.data() + begin);
  });
  beta_sum_ = transposed(rows_, beta.data(), made_.data(), team_);
}

// Rows that changed since the Hessian was last asked for are put in and taken out; most stay from step to
// step.
void Smoothed::update_hessian() {
  const int64_t wide = padded(size_), squares = wide * wide;
  int64_t changed = 0, held = 0;
  for (int64_t i = 0; i < rows_.n; ++i) {
    changed += slope_[i] != held_slope_[i];
    held += slope_[i] != 0;
  }
  if (hessian_.empty() || changed >= held) {
    hessian_.assign(squares, 0.0);
    std::fill(held_slope_.begin(), held_slope_.end(), 0.0);
  }
  const Split split{rows_.n, std::min(sums(rows_), std::max<int64_t>(2, (int64_t{1} << 22) / squares))};
  std::vector<double> part(split.tasks * squares, 0.0);
  team_.run(split.tasks, [&](int64_t task, int) {
    Packed in(wide, 1.0, part.data() + task * squares), out(wide, -1.0, part.data() + task * squares);
    for (int64_t i = split.begin(task); i < split.end(task); ++i) {
      const double change = slope_[i] - held_slope_[i];
      if (change == 0) continue;
      (change > 0 ? in : out).add(rows_, i, std::sqrt(std::fabs(change)), svm_.intercept);
      held_slope_[i] = slope_[i];
    }
    in.flush();
    out.flush();
  });
  for (int64_t task = 0; task < split.tasks; ++task)
    dense_axpy(1.0, part.data() + task * squares, hessian_.data(), squares);
}

double Smoothed::primal() const {
  double sum = 0;
  for (int64_t i = 0; i < rows_.n; ++i) sum += svm_.loss(i, residual_[i]);
  const double half = 0.5 * dot(w, w);
  if (std::isfinite(sum)) return half + sum;
  double nearest = kInfinity;  // the hard margin: w made longer until every row keeps its distance
  for (int64_t i = 0; i < rows_.n; ++i)
    if (svm_.cost[i] > 0) nearest = std::min(nearest, svm_.side[i] * (svm_.target[i] - residual_[i]));
  return nearest > 0 ? half / (nearest * nearest) : kInfinity;
}

double Smoothed::dual() const {
  double sum = 0;
  for (int64_t i = 0; i < rows_.n; ++i) sum += svm_.linear(i, beta[i]);
  return sum - 0.5 * dot(made_, made_) - unbalance();
}

double Smoothed::mean_residual() const {
  double size = 0;
  for (int64_t i = 0; i < rows_.n; ++i) size += std::fabs(residual_[i]);
  return size / std::max<int64_t>(1, rows_.n);
}

// About what the dual loses when beta is brought to the sum 0.
double Smoothed::unbalance() const {
  return svm_.intercept ? std::fabs(beta_sum_) * (std::fabs(b) + mean_residual()) : 0.0;
}

double Smoothed::apart() const {
  double sum = 0;
  for (int64_t j = 0; j < rows_.d; ++j) sum += (w[j] - made_[j]) * (w[j] - made_[j]);
  return 0.5 * sum + 2 * unbalance();
}

double Smoothed::mean_square() const {
  double sum = 0;
  for (int64_t i = 0; i < rows_.n; ++i) sum += rows_.square(i);
  return std::max(sum / std::max<int64_t>(1, rows_.n), 1e-300);
}

// The hard margin with no separator: beta grows without end along a combination of rows that is nothing.
bool Smoothed::hard_and_hopeless() const {
  if (svm_.squared) return false;
  double size = 0;
  for (int64_t i = 0; i < rows_.n; ++i) {
    if (std::isfinite(svm_.cost[i]) && svm_.cost[i] > 0) return false;
    size += std::fabs(beta[i]);
  }
  return 0.5 * dot(made_, made_) < 1e-7 * size && std::fabs(beta_sum_) < 1e-7 * size &&
         size * mean_square() > 1e8;
}

double Smoothed::ridge() const {  // for the intercept, where no row is between its bounds
  return 0.01 * std::fabs(beta_sum_) / std::max(mean_residual(), 1e-300) + 1e-300;
}

// Cholesky of the Hessian, row by row; then two triangular solves.
std::vector<double> Smoothed::solved() const {
  const int64_t m = size_, wide = padded(m);
  std::vector<double> lower(m * m), x(m);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j <= i; ++j)
      lower[i * m + j] = hessian_[j * wide + i] + damping_ * usual_hessian[j * wide + i];
  for (int64_t i = 0; i < rows_.d; ++i) lower[i * m + i] += 1.0;
  if (svm_.intercept) lower[m * m - 1] += ridge();
  factorise(lower, m);
  for (int64_t i = 0; i < m; ++i) x[i] = i < rows_.d ? made_[i] - w[i] : beta_sum_;
  solve_factored(lower, m, x.data());
  return x;
}

// Of 1 + the sum of slopes times the mean product: near the Hessian, whichever rows it is of. A constant
// factor does not matter to conjugate gradients, so that it serves for many steps.
void Smoothed::update_factor() {
  double slope = 0;
  for (int64_t i = 0; i < rows_.n; ++i) slope += slope_[i];
  if (!factor_.empty() && slope < kElsewhere * factor_slope_ && factor_slope_ < kElsewhere * slope) return;
  const int64_t m = size_, wide = padded(m);
  factor_.resize(m * m);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j <= i; ++j) factor_[i * m + j] = slope * products_[j * wide + i];
  for (int64_t i = 0; i < rows_.d; ++i) factor_[i * m + i] += 1.0;
  if (svm_.intercept) factor_[m * m - 1] += ridge();
  factorise(factor_, m);
  factor_slope_ = slope;
}

void Smoothed::curve(const std::vector<double>& v, std::vector<double>& out) const {
  const int64_t d = rows_.d;
  const double bias = svm_.intercept ? v[d] : 0.0;
  const Split split{rows_.n, sums(rows_)};
  std::vector<double> part(split.tasks * (d + 1), 0.0);
  team_.run(split.tasks, [&](int64_t task, int) {
    double* mine = part.data() + task * (d + 1);
    for (int64_t i = split.begin(task); i < split.end(task); ++i) {
      if (slope_[i] == 0) continue;
      const double pull = slope_[i] * (rows_.dot(i, v.data()) + bias);
      rows_.add(i, pull, mine);
      mine[d] += pull;
    }
  });
  out = v;
  if (svm_.intercept) out[d] = ridge() * v[d];
  for (int64_t j = 0; j < size_; ++j) out[j] += damping_ * usual_hessian[j] * v[j];
  for (int64_t task = 0; task < split.tasks; ++task)
    dense_axpy(1.0, part.data() + task * (d + 1), out.data(), size_);
}

std::vector<double> Smoothed::diagonal() const {
  const int64_t d = rows_.d;
  std::vector<double> sum(size_, 1.0);
  if (svm_.intercept) sum[d] = ridge();
  for (int64_t i = 0; i < rows_.n; ++i) {
    if (slope_[i] == 0) continue;
    const int64_t begin = rows_.sparse() ? rows_.start[i] : i * d;
    const int64_t end = rows_.sparse() ? rows_.start[i + 1] : begin + d;
    for (int64_t k = begin; k < end; ++k)
      sum[rows_.sparse() ? rows_.column[k] : k - begin] += slope_[i] * rows_.values[k] * rows_.values[k];
    if (svm_.intercept) sum[d] += slope_[i];
  }
  for (int64_t j = 0; j < size_; ++j) sum[j] += usual_hessian.empty() ? 0.0 : damping_ * usual_hessian[j];
  return sum;
}

std::vector<double> Smoothed::conjugate() {
  std::vector<double> x(size_, 0.0), left(size_), toward, curved, eased(size_), scale;
  for (int64_t j = 0; j < size_; ++j) left[j] = j < rows_.d ? made_[j] - w[j] : beta_sum_;
  if (products_)
    update_factor();
  else
    scale = diagonal();
  const auto ease = [&] {
    eased = left;
    if (products_) return solve_factored(factor_, size_, eased.data());
    for (int64_t j = 0; j < size_; ++j) eased[j] /= scale[j];
  };
  ease();
  toward = eased;
  double now = dot(left, eased);
  const double enough = now * 1e-4;
  for (int turn = 0; turn < 250 && now > enough && now > 0; ++turn) {
    curve(toward, curved);
    const double step = now / dot(toward, curved);
    for (int64_t j = 0; j < size_; ++j) {
      x[j] += step * toward[j];
      left[j] -= step * curved[j];
    }
    ease();
    const double next = dot(left, eased);
    for (int64_t j = 0; j < size_; ++j) toward[j] = eased[j] + next / now * toward[j];
    now = next;
  }
  return x;
}

// The zero of the derivative along the direction, by Newton's method inside a bracket.
double Smoothed::best_step(double toward, double length) const {
  const Split split{rows_.n, std::clamp<int64_t>(rows_.n / 8192, 1, 32)};
  std::vector<double> sums(2 * split.tasks);
  const auto derivative = [&](double step) {
    team_.run(split.tasks, [&](int64_t task, int) {
      const int64_t begin = split.begin(task);
      respond_along(split.end(task) - begin, residual_.data() + begin, change_.data() + begin, step,
                    shift_.data() + begin, svm_.epsilon, steep_.data() + begin, low_.data() + begin,
                    high_.data() + begin, sums.data() + 2 * task);
    });
    double first = toward + step * length, second = length;
    for (int64_t task = 0; task < split.tasks; ++task) {
      first -= sums[2 * task];
      second += sums[2 * task + 1];
    }
    return std::pair{first, second};
  };
  const double at_zero = std::fabs(derivative(0.0).first);
  double low = 0, high = kInfinity, step = 1;
  for (int turn = 0; turn < 40; ++turn) {
    const auto [first, second] = derivative(step);
    if (std::fabs(first) <= 0.05 * at_zero) return step;
    (first < 0 ? low : high) = step;
    const double guess = step - first / second;
    if (guess > low && guess < high)
      step = guess;
    else
      step = std::isfinite(high) ? 0.5 * (low + high) : 2 * step;
  }
  return low > 0 ? low : step;
}

double Smoothed::step() {
  if (exact()) update_hessian();
  if (usual_hessian.empty()) usual_hessian = exact() ? hessian_ : diagonal();
  const std::vector<double> x = exact() ? solved() : conjugate();
  const double bias = svm_.intercept ? x[rows_.d] : 0.0;
  times(rows_, x.data(), bias, change_.data(), team_);
  double toward = 0, length = 0, gain = 0;
  for (int64_t j = 0; j < rows_.d; ++j) {
    toward += w[j] * x[j];
    length += x[j] * x[j];
    gain += (made_[j] - w[j]) * x[j];
  }
  gain += beta_sum_ * bias;
  const double step = best_step(toward, length);
  if (!svm_.squared)
    damping_ = step < 0.5 ? std::min(16.0, 4 * damping_) : step > 0.8 ? damping_ / 4 : damping_;
  for (int64_t j = 0; j < rows_.d; ++j) w[j] += step * x[j];
  b += step * bias;
  for (int64_t i = 0; i < rows_.n; ++i) residual_[i] -= step * change_[i];
  return std::fabs(gain);
}

}  // namespace hedgerow::linear

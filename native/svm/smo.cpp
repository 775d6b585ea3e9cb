#include "svm/smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hedgerow::svm {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kFlat = 1e-12;  // curvature taken where there is none
constexpr int kChunk = 128;      // the place of a largest value is looked for in one chunk only

struct Extremes {
  double rising, falling;
};

// slope -= step * (row_i - row_j); the largest slope that may rise, of each chunk; the smallest that may
// fall, of all. closed_up is 0 where b may rise, else -infinity; closed_down is 0 where b may fall, else
// +infinity.
template <class T>
HEDGEROW_INLINE double move_here(const T* row_i, const T* row_j, double step, double* slope,
                                 const double* closed_up, const double* closed_down, int64_t count,
                                 double* chunk_best) {
  constexpr int kWide = kLanes<double>;
  auto falling = all<double>(kInfinite);
  const auto by = all<double>(step);
  for (int64_t first = 0; first < count; first += kChunk) {
    auto rising = all<double>(-kInfinite);
    const int64_t end = std::min(count, first + kChunk);
    for (int64_t k = first; k < end; k += kWide) {
      Lanes<double> difference;
      for (int l = 0; l < kWide; ++l) difference[l] = static_cast<double>(row_i[k + l] - row_j[k + l]);
      const auto s = load(slope + k) - by * difference;
      store(slope + k, s);
      rising = larger<double>(s + load(closed_up + k), rising);
      falling = smaller<double>(s + load(closed_down + k), falling);
    }
    double best = rising[0];
    for (int l = 1; l < kWide; ++l) best = std::max<double>(best, rising[l]);
    chunk_best[first / kChunk] = best;
  }
  double least = falling[0];
  for (int l = 1; l < kWide; ++l) least = std::min<double>(least, falling[l]);
  return least;
}

// The best second-order gain of each chunk: (difference of slopes)^2 / curvature over those that may fall.
template <class T>
HEDGEROW_INLINE void gains_here(const T* row_i, const T* diagonal, T diagonal_i, double slope_i,
                                const double* slope, const double* closed_down, int64_t count, T* gains,
                                T* chunk_best) {
  constexpr int kWide = kLanes<T>;
  const auto flat = all<T>(static_cast<T>(kFlat)), own = all<T>(diagonal_i);
  for (int64_t first = 0; first < count; first += kChunk) {
    auto best = all<T>(-1);
    const int64_t end = std::min(count, first + kChunk);
    for (int64_t k = first; k < end; k += kWide) {
      Lanes<T> difference;
      for (int l = 0; l < kWide; ++l)
        difference[l] = static_cast<T>(slope_i - slope[k + l] - closed_down[k + l]);
      difference = larger<T>(difference, Lanes<T>{});
      const auto value = load(row_i + k);
      const auto curvature = larger<T>(own + load(diagonal + k) - value - value, flat);
      const auto gain = difference * difference / curvature;
      store(gains + k, gain);
      best = larger<T>(gain, best);
    }
    T most = best[0];
    for (int l = 1; l < kWide; ++l) most = std::max<T>(most, best[l]);
    chunk_best[first / kChunk] = most;
  }
}

#define HEDGEROW_FOR(T, name)                                                                         \
  HEDGEROW_CLONES double move_##name(const T* row_i, const T* row_j, double step, double* slope,      \
                                     const double* up, const double* down, int64_t count,             \
                                     double* chunk_best) {                                            \
    return move_here<T>(row_i, row_j, step, slope, up, down, count, chunk_best);                      \
  }                                                                                                   \
  HEDGEROW_CLONES void gains_##name(const T* row_i, const T* diagonal, T diagonal_i, double slope_i,  \
                                    const double* slope, const double* down, int64_t count, T* gains, \
                                    T* chunk_best) {                                                  \
    gains_here<T>(row_i, diagonal, diagonal_i, slope_i, slope, down, count, gains, chunk_best);       \
  }
HEDGEROW_FOR(float, float)
HEDGEROW_FOR(double, double)
#undef HEDGEROW_FOR

inline double move(const float* i, const float* j, double step, double* slope, const double* up,
                   const double* down, int64_t count, double* best) {
  return move_float(i, j, step, slope, up, down, count, best);
}
inline double move(const double* i, const double* j, double step, double* slope, const double* up,
                   const double* down, int64_t count, double* best) {
  return move_double(i, j, step, slope, up, down, count, best);
}
inline void gains_of(const float* i, const float* diagonal, float own, double slope_i, const double* slope,
                     const double* down, int64_t count, float* gains, float* best) {
  gains_float(i, diagonal, own, slope_i, slope, down, count, gains, best);
}
inline void gains_of(const double* i, const double* diagonal, double own, double slope_i, const double* slope,
                     const double* down, int64_t count, double* gains, double* best) {
  gains_double(i, diagonal, own, slope_i, slope, down, count, gains, best);
}

}  // namespace

double gap_of(const SolverState& s, int64_t count) {
  double rising = -kInfinite, falling = kInfinite;
  for (int64_t k = 0; k < count; ++k) {
    if (s.b[k] < s.high[k]) rising = std::max(rising, s.slope[k]);
    if (s.b[k] > s.low[k]) falling = std::min(falling, s.slope[k]);
  }
  return rising > -kInfinite && falling < kInfinite ? rising - falling : 0.0;
}

template <class T>
Steps smo(const Square<T>& matrix, SolverState& s, double tolerance, int64_t most) {
  const int64_t count = padded(matrix.count), chunks = (count + kChunk - 1) / kChunk;
  std::vector<double> up(count, -kInfinite), down(count, kInfinite), chunk_rising(chunks);
  std::vector<T> diagonal(count, T(0)), gains(count), chunk_gain(chunks);
  const auto mark = [&](int64_t k) {
    up[k] = s.b[k] < s.high[k] ? 0.0 : -kInfinite;
    down[k] = s.b[k] > s.low[k] ? 0.0 : kInfinite;
  };
  for (int64_t k = 0; k < matrix.count; ++k) {
    mark(k);
    diagonal[k] = matrix.row(k)[k];
  }
  Steps steps;
  if (matrix.count == 0) return steps;
  double falling = move(matrix.row(0), matrix.row(0), 0.0, s.slope.data(), up.data(), down.data(), count,
                        chunk_rising.data());
  for (;;) {
    const auto chunk = std::max_element(chunk_rising.begin(), chunk_rising.end()) - chunk_rising.begin();
    const double rising = chunk_rising[chunk];
    steps.gap = rising > -kInfinite && falling < kInfinite ? rising - falling : 0.0;
    if (!(steps.gap > tolerance) || steps.taken >= most) break;
    int64_t i = chunk * kChunk;
    while (s.slope[i] + up[i] != rising) ++i;
    const T* row_i = matrix.row(i);
    gains_of(row_i, diagonal.data(), diagonal[i], rising, s.slope.data(), down.data(), count, gains.data(),
             chunk_gain.data());
    const auto gainful = std::max_element(chunk_gain.begin(), chunk_gain.end()) - chunk_gain.begin();
    int64_t j = gainful * kChunk;
    while (gains[j] != chunk_gain[gainful]) ++j;

    const double own = static_cast<double>(diagonal[i]), other = static_cast<double>(diagonal[j]);
    const double curvature = own + other - 2.0 * static_cast<double>(row_i[j]);
    const double size = std::abs(own) + std::abs(other);
    if (curvature < 0 && size > 0) steps.worst_curvature = std::min(steps.worst_curvature, curvature / size);
    const double rise = s.high[i] - s.b[i], fall = s.b[j] - s.low[j];
    const double wanted = (rising - s.slope[j]) / std::max(curvature, kFlat);
    const double step = std::min({wanted, rise, fall});
    const double was_i = s.b[i], was_j = s.b[j];
    s.b[i] = step == rise ? s.high[i] : was_i + step;
    s.b[j] = step == fall ? s.low[j] : was_j - step;
    if (s.b[i] == was_i && s.b[j] == was_j) {  // one of them may be within rounding of its bound, and closes
      steps.stuck = true;
      break;
    }
    mark(i);
    mark(j);
    falling =
        move(row_i, matrix.row(j), step, s.slope.data(), up.data(), down.data(), count, chunk_rising.data());
    ++steps.taken;
  }
  return steps;
}

template Steps smo<float>(const Square<float>&, SolverState&, double, int64_t);
template Steps smo<double>(const Square<double>&, SolverState&, double, int64_t);

}  // namespace hedgerow::svm

#include "svm/stored.hpp"

#include <algorithm>

#include "svm/choose.hpp"

namespace hedgerow::svm {
namespace {

constexpr int64_t kDirect = 768;   // up to so many variables: no copying out
constexpr int64_t kInner = 512;    // size of a copied working set
constexpr int64_t kColumns = 512;  // of one task
constexpr int64_t kBatch = 8192;   // steps between two looks at the clock

// slope[k] -= sum over moved rows of amount * row[k]
template <class T>
HEDGEROW_INLINE void follow_here(const T* const* rows, const double* amounts, int64_t count, int64_t first,
                                 int64_t end, double* slope) {
  constexpr int kWide = 16;
  for (int64_t k = first; k < end; k += kWide) {
    double sum[kWide] = {};
    for (int64_t m = 0; m < count; ++m) {
      const T* row = rows[m] + k;
      const double amount = amounts[m];
      for (int l = 0; l < kWide; ++l) sum[l] += amount * static_cast<double>(row[l]);
    }
    for (int l = 0; l < kWide; ++l) slope[k + l] -= sum[l];
  }
}
HEDGEROW_CLONES void follow(const float* const* rows, const double* amounts, int64_t count, int64_t first,
                            int64_t end, double* slope) {
  follow_here<float>(rows, amounts, count, first, end, slope);
}
HEDGEROW_CLONES void follow(const double* const* rows, const double* amounts, int64_t count, int64_t first,
                            int64_t end, double* slope) {
  follow_here<double>(rows, amounts, count, first, end, slope);
}

void record(Watch& watch, const Steps& steps) {
  watch.taken += steps.taken;
  watch.worst_curvature = std::min(watch.worst_curvature, steps.worst_curvature);
}

template <class T>
Ending directly(const Square<T>& matrix, Standing& s, double tolerance, Crew& crew, Watch& watch, bool note) {
  for (;;) {
    const Steps steps = smo(matrix, s, tolerance, std::min(kBatch, watch.steps_left()));
    record(watch, steps);
    if (note) watch.note(steps.gap);
    if (steps.gap <= tolerance) return Ending::solved;
    if (steps.stuck) return Ending::at_rounding;
    if (watch.steps_left() <= 0) return Ending::out_of_steps;
    if (watch.late()) return Ending::out_of_time;
    crew.stop().check();
  }
}

template <class T>
class Inner {  // a working set copied out of the matrix
 public:
  // Returns the steps taken; moves standing.b and all slopes.
  Steps round(const Square<T>& matrix, Standing& s, const std::vector<int32_t>& chosen, double tolerance,
              int64_t most, Crew& crew) {
    const auto size = static_cast<int64_t>(chosen.size());
    const int64_t step = padded(size);
    cells_.assign(step * step, T(0));
    part_.resize(size);
    for (int64_t i = 0; i < size; ++i) {
      const T* from = matrix.row(chosen[i]);
      T* to = cells_.data() + i * step;
      for (int64_t j = 0; j < size; ++j) to[j] = from[chosen[j]];
      part_.b[i] = s.b[chosen[i]];
      part_.slope[i] = s.slope[chosen[i]];
      part_.low[i] = s.low[chosen[i]];
      part_.high[i] = s.high[chosen[i]];
    }
    const Steps steps = smo(Square<T>{cells_.data(), step, size}, part_, tolerance, most);
    rows_.clear();
    amounts_.clear();
    for (int64_t i = 0; i < size; ++i) {
      const double amount = part_.b[i] - s.b[chosen[i]];
      if (amount == 0.0) continue;
      rows_.push_back(matrix.row(chosen[i]));
      amounts_.push_back(amount);
      s.b[chosen[i]] = part_.b[i];
    }
    const int64_t columns = padded(matrix.count);
    crew.run((columns + kColumns - 1) / kColumns, [&](int64_t task, int) {
      follow(rows_.data(), amounts_.data(), int64_t(rows_.size()), task * kColumns,
             std::min(columns, (task + 1) * kColumns), s.slope.data());
    });
    return steps;
  }

 private:
  std::vector<T> cells_;
  Standing part_;
  std::vector<const T*> rows_;
  std::vector<double> amounts_;
};

}  // namespace

template <class T>
Ending solve_stored(const Square<T>& matrix, Standing& s, double tolerance, Crew& crew, Watch& watch,
                    bool note) {
  if (matrix.count <= kDirect) return directly(matrix, s, tolerance, crew, watch, note);
  Chooser chooser;
  Inner<T> inner;
  for (;;) {
    const double gap = gap_of(s, matrix.count);
    if (note) watch.note(gap);
    if (gap <= tolerance) return Ending::solved;
    if (watch.steps_left() <= 0) return Ending::out_of_steps;
    if (watch.late()) return Ending::out_of_time;
    const auto& chosen = chooser.choose(s, matrix.count, kInner);
    const Steps steps = inner.round(matrix, s, chosen, std::max(0.5 * tolerance, 0.1 * gap),
                                    std::min(kBatch, watch.steps_left()), crew);
    record(watch, steps);
    if (steps.taken == 0) return Ending::at_rounding;
    crew.stop().check();
  }
}

template Ending solve_stored<float>(const Square<float>&, Standing&, double, Crew&, Watch&, bool);
template Ending solve_stored<double>(const Square<double>&, Standing&, double, Crew&, Watch&, bool);

}  // namespace hedgerow::svm

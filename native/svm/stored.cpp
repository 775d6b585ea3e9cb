#include "svm/stored.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "svm/cells.hpp"

namespace hedgerow::svm {
namespace {

constexpr int64_t kBatch = 1024, kVisits = int64_t(1) << 24;  // steps, and variables visited, between looks
constexpr int64_t kFew = 256;                                 // variables that are not worth dividing
constexpr int64_t kChunk = 512;  // columns whose slopes are brought up to date together
constexpr int64_t kManySteps = 20,
                  kCheap = 2048;  // steps a variable, or variables, at which slopes are checked
constexpr int64_t kPolished = 100, kPolishSteps = 20000;  // rows; so few are solved to the last digit
constexpr double kPolish = 1e-7, kPolishSeconds = 1.0;
constexpr int64_t kPatience = 100'000, kPatienceEach = 100;  // steps without progress, in all and a variable,
constexpr int64_t kHope = 50;                                // where there is noise; so many times where not
constexpr double kFirstAim = 10;  // times the tolerance: before that nobody knows well who will be needed

// Those that some other can be paired with; variables between their bounds always can.
std::vector<int32_t> movable(const SolverState& s, int64_t count) {
  double rising = -std::numeric_limits<double>::infinity(), falling = -rising;
  for (int64_t k = 0; k < count; ++k) {
    if (s.b[k] < s.high[k]) rising = std::max(rising, s.slope[k]);
    if (s.b[k] > s.low[k]) falling = std::min(falling, s.slope[k]);
  }
  std::vector<int32_t> kept;
  for (int64_t k = 0; k < count; ++k)
    if ((s.b[k] < s.high[k] && s.slope[k] > falling) || (s.b[k] > s.low[k] && s.slope[k] < rising))
      kept.push_back(int32_t(k));
  return kept;
}

SolverState taken(const SolverState& s, const std::vector<int32_t>& kept) {
  SolverState part;
  part.resize(int64_t(kept.size()));
  for (size_t k = 0; k < kept.size(); ++k) {
    part.b[k] = s.b[kept[k]];
    part.slope[k] = s.slope[kept[k]];
    part.low[k] = s.low[kept[k]];
    part.high[k] = s.high[kept[k]];
  }
  return part;
}

// Rows and columns `kept`, ascending. `to` may be where `from` is.
template <class T>
Square<T> squeeze(const Square<T>& from, const std::vector<int32_t>& kept, T* to, int64_t step, Stop& stop) {
  const auto count = int64_t(kept.size());
  for (int64_t i = 0; i < count; ++i) {
    const T* row = from.row(kept[i]);
    for (int64_t j = 0; j < count; ++j) to[i * step + j] = row[kept[j]];
    std::fill(to + i * step + count, to + i * step + padded(count), T(0));
    if (i % 256 == 255) stop.check();
  }
  return {to, step, count};
}

// How far slopes may be off at least: the last digit of the largest of their terms.
template <class T>
double noise_of(const Square<T>& matrix, const SolverState& s) {
  double largest = 0.0;
  for (int64_t k = 0; k < matrix.count; ++k)
    largest = std::max(largest, std::abs(s.b[k] * static_cast<double>(matrix.row(k)[k])));
  return std::numeric_limits<double>::epsilon() * largest;
}

struct Leg {
  Ending ending = Ending::solved;
  std::vector<int32_t> kept;  // not empty: no ending yet, but only these can still move
};

template <class T>
Leg walk(const Square<T>& matrix, SolverState& s, double tolerance, ThreadTeam& team, Monitor& monitor,
         bool note) {
  const int64_t batch = std::clamp<int64_t>(kVisits / matrix.count, 16, kBatch);
  for (;;) {
    const Steps steps = smo(matrix, s, tolerance, std::min(batch, monitor.steps_left()));
    monitor.taken += steps.taken;
    monitor.worst_curvature = std::min(monitor.worst_curvature, steps.worst_curvature);
    if (note) monitor.note(steps.gap);
    if (steps.gap <= tolerance) return {};
    if (steps.stuck) return {Ending::at_rounding, {}};
    const int64_t vain = monitor.steps_in_vain(steps.gap);
    const int64_t patience = std::max(kPatience, kPatienceEach * matrix.count);
    if (vain > kHope * patience || (vain > patience && noise_of(matrix, s) > tolerance)) {
      monitor.stalled = true;
      return {Ending::at_rounding, {}};
    }
    if (monitor.steps_left() <= 0) return {Ending::out_of_steps, {}};
    if (monitor.late()) return {Ending::out_of_time, {}};
    team.stop().check();
    if (matrix.count <= kFew) continue;
    auto kept = movable(s, matrix.count);
    if (2 * int64_t(kept.size()) <= matrix.count) return {Ending::solved, std::move(kept)};
  }
}

// Only `kept` move, then ever fewer of them. The slopes of all others are left as they were.
template <class T>
Ending solve_kept(const Square<T>& matrix, SolverState& s, std::vector<int32_t> kept, double tolerance,
                  ThreadTeam& team, Monitor& monitor, bool note) {
  const int64_t step = padded(int64_t(kept.size()));
  Cells<T> room(step * int64_t(kept.size()));
  Square<T> square = squeeze(matrix, kept, room.get(), step, team.stop());
  SolverState part = taken(s, kept);
  for (;;) {
    const Leg leg = walk(square, part, tolerance, team, monitor, note);
    for (size_t k = 0; k < kept.size(); ++k) s.b[kept[k]] = part.b[k];
    if (leg.kept.empty()) return leg.ending;
    part = taken(part, leg.kept);
    square = squeeze(square, leg.kept, room.get(), step, team.stop());
    for (size_t k = 0; k < leg.kept.size(); ++k) kept[k] = kept[leg.kept[k]];
    kept.resize(leg.kept.size());
  }
}

template <class T>
HEDGEROW_INLINE void take_off_here(const T* row, double amount, double* slope, int64_t count) {
  for (int64_t k = 0; k < count; ++k) slope[k] -= amount * static_cast<double>(row[k]);
}
HEDGEROW_CLONES void take_off(const float* row, double amount, double* slope, int64_t count) {
  take_off_here(row, amount, slope, count);
}
HEDGEROW_CLONES void take_off(const double* row, double amount, double* slope, int64_t count) {
  take_off_here(row, amount, slope, count);
}

// The slopes of all variables, from those of `before` and what has moved since.
template <class T>
void bring_up_to_date(const Square<T>& matrix, const SolverState& before, SolverState& s, ThreadTeam& team) {
  std::vector<int32_t> moved;
  for (int64_t k = 0; k < matrix.count; ++k)
    if (s.b[k] != before.b[k]) moved.push_back(int32_t(k));
  team.run((matrix.count + kChunk - 1) / kChunk, [&](int64_t chunk, int) {
    const int64_t first = chunk * kChunk, here = std::min(kChunk, matrix.count - first);
    double* slope = s.slope.data() + first;
    std::copy_n(before.slope.data() + first, here, slope);
    for (const int32_t k : moved) take_off(matrix.row(k) + first, s.b[k] - before.b[k], slope, here);
    team.stop().check();
  });
}

}  // namespace

template <class T>
Ending solve_stored(const Square<T>& matrix, SolverState& s, double tolerance, ThreadTeam& team,
                    Monitor& monitor, bool note) {
  const SolverState origin = s;
  int64_t fresh = monitor.taken;  // steps taken when the slopes were last right to the last digit
  const auto refresh = [&] {
    bring_up_to_date(matrix, origin, s, team);
    fresh = monitor.taken;
    return gap_of(s, matrix.count) <= tolerance;
  };
  for (double aim = kFirstAim * tolerance;;) {
    const Leg leg = walk(matrix, s, tolerance, team, monitor, note);
    if (!leg.kept.empty()) {
      const Ending ending = solve_kept(matrix, s, leg.kept, aim, team, monitor, note);
      const bool idle = monitor.taken == fresh;
      const bool done = refresh();
      if (monitor.stalled) return done ? Ending::solved : ending;
      if (ending == Ending::out_of_time || ending == Ending::out_of_steps) return ending;
      if (ending == Ending::at_rounding && idle && !done) return ending;
      aim = tolerance;
      continue;
    }
    const int64_t since = monitor.taken - fresh;
    const bool doubtful =
        leg.ending == Ending::at_rounding ||
        (leg.ending == Ending::solved && (since > kManySteps * matrix.count || matrix.count <= kCheap));
    if (since == 0 || !doubtful) return leg.ending;
    if (refresh()) return Ending::solved;
    if (monitor.stalled) return leg.ending;
  }
}
template Ending solve_stored<float>(const Square<float>&, SolverState&, double, ThreadTeam&, Monitor&, bool);
template Ending solve_stored<double>(const Square<double>&, SolverState&, double, ThreadTeam&, Monitor&,
                                     bool);

template <class T>
Ending solve_whole(const Square<T>& matrix, SolverState& s, double tolerance, int64_t rows, ThreadTeam& team,
                   Monitor& monitor) {
  const Ending ending = solve_stored(matrix, s, tolerance, team, monitor, true);
  if (ending == Ending::solved && rows <= kPolished) {
    Monitor brief(kPolishSeconds, std::min(kPolishSteps, std::max<int64_t>(0, monitor.steps_left())));
    solve_stored(matrix, s, kPolish * tolerance, team, brief, false);
    monitor.taken += brief.taken;
    monitor.note(gap_of(s, matrix.count));
  }
  return ending;
}
template Ending solve_whole<float>(const Square<float>&, SolverState&, double, int64_t, ThreadTeam&,
                                   Monitor&);
template Ending solve_whole<double>(const Square<double>&, SolverState&, double, int64_t, ThreadTeam&,
                                    Monitor&);

}  // namespace hedgerow::svm

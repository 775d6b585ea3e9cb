#include "svm/trace.hpp"

#include <limits>

namespace hedgerow::svm {
namespace {

struct Objectives {
  double dual, primal;
};

// dual = c'b - 1/2 b'Kb. The primal for a level m between the slopes that may rise and may fall (the
// intercept): 1/2 b'Kb and, of each variable, the most that (slope - m) times a value between its bounds is.
Objectives objectives(const SolverState& s, const std::vector<double>& c) {
  double rising = -std::numeric_limits<double>::infinity(), falling = -rising;
  for (size_t k = 0; k < c.size(); ++k) {
    if (s.b[k] < s.high[k]) rising = std::max(rising, s.slope[k]);
    if (s.b[k] > s.low[k]) falling = std::min(falling, s.slope[k]);
  }
  const double level = (rising + falling) / 2;
  double linear = 0, square = 0, lost = 0;
  for (size_t k = 0; k < c.size(); ++k) {
    linear += c[k] * s.b[k];
    square += s.b[k] * (c[k] - s.slope[k]);
    const double apart = s.slope[k] - level;
    lost += apart * (apart > 0 ? s.high[k] : s.low[k]);
  }
  return {linear - square / 2, square / 2 + lost};
}

}  // namespace

std::vector<Move> trace_steps(const Square<double>& matrix, const std::vector<double>& c, SolverState& state,
                              double tolerance, int64_t most, Stop& stop) {
  std::vector<Move> moves;
  while (int64_t(moves.size()) < most) {
    const std::vector<double> before = state.b;
    if (smo(matrix, state, tolerance, 1).taken == 0) break;
    Move move{-1, -1, 0.0, gap_of(state, matrix.count), 0.0, 0.0};
    for (int64_t k = 0; k < matrix.count; ++k) {
      if (state.b[k] > before[k]) move.rises = k, move.by = state.b[k] - before[k];
      if (state.b[k] < before[k]) move.falls = k;
    }
    const auto [dual, primal] = objectives(state, c);
    move.dual = dual;
    move.primal = primal;
    moves.push_back(move);
    stop.check();
  }
  return moves;
}

}  // namespace hedgerow::svm

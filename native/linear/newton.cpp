// Newton's method for the linear svm (binary_svm.hpp).
//
// The hinge has a kink, so each stage works on a smoothed svm, that of the method of multipliers: with
// a_i the beta of the stage before,
//
//   beta_i = clip(rho * soft(r_i + a_i / rho, epsilon), low_i, high_i)
//
// minimising over (w, b) the function whose gradient is (w - X' beta, -sum beta). It is piecewise quadratic:
// its Hessian is 1 + rho X' X over the rows strictly between their bounds, few of them once rho is large. The
// steps a := beta, rho := 4 rho lead to the svm itself, and beta is dual feasible all along, so that the
// gap is known. The squared hinge is smooth: rho is infinite and one stage is enough.
//
// With many rows the same is first solved on every sixteenth of them; the full svm then starts near its
// end.
#include <algorithm>

#include "common/random.hpp"
#include "linear/binary_svm.hpp"
#include "linear/kernels.hpp"
#include "linear/smoothed.hpp"
#include "linear/watch.hpp"

namespace hedgerow::linear {
namespace {

constexpr int64_t kSampled = 16, kWorthSampling = 16384;

struct Sample {
  std::vector<double> values, target, cost;
  std::vector<int64_t> start;
  std::vector<int32_t> column;
  std::vector<int8_t> side;
  Rows rows;
  BinarySvm svm;
};

// One row in sixteen, chosen by a hash of its number; costs raised so that all weigh the same.
Sample sample_of(const Rows& rows, const BinarySvm& svm) {
  Sample s;
  s.start.push_back(0);
  for (int64_t i = 0; i < rows.n; ++i) {
    if (mix(static_cast<uint64_t>(i)) % kSampled) continue;
    s.target.push_back(svm.target[i]);
    s.cost.push_back(svm.cost[i] * kSampled);
    s.side.push_back(svm.side[i]);
    const int64_t begin = rows.sparse() ? rows.start[i] : i * rows.d;
    const int64_t end = rows.sparse() ? rows.start[i + 1] : begin + rows.d;
    s.values.insert(s.values.end(), rows.values + begin, rows.values + end);
    if (rows.sparse()) s.column.insert(s.column.end(), rows.column + begin, rows.column + end);
    s.start.push_back(static_cast<int64_t>(s.values.size()));
  }
  s.rows = {static_cast<int64_t>(s.target.size()), rows.d, s.values.data()};
  if (rows.sparse()) {
    s.rows.start = s.start.data();
    s.rows.column = s.column.data();
  }
  s.svm = svm;
  s.svm.target = s.target.data();
  s.svm.cost = s.cost.data();
  s.svm.side = s.side.data();
  return s;
}

double typical(const BinarySvm& svm, int64_t n) {  // the mean finite cost
  double sum = 0, many = 0;
  for (int64_t i = 0; i < n; ++i)
    if (svm.cost[i] > 0 && std::isfinite(svm.cost[i])) {
      sum += svm.cost[i];
      ++many;
    }
  return many ? sum / many : kInfinity;
}

double first_width(const BinarySvm& svm, int64_t n) {  // of the smoothed kink, in units of the target
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += std::fabs(svm.target[i]);
  return std::max(sum / std::max<int64_t>(1, n), 1e-300);
}

Answer solve(const Rows& rows, const BinarySvm& svm, const Limits& limits, const Answer* start,
             const double* products, std::vector<double>& usual_hessian, ThreadTeam& team) {
  Watch watch(limits);
  const double cost = typical(svm, rows.n);
  double width = first_width(svm, rows.n);
  Answer answer;
  answer.w.assign(rows.d, 0.0);
  if (start) {
    answer.w = start->w;
    answer.b = start->b;
    width *= 0.05;
  } else if (rows.n >= kWorthSampling && rows.n >= 64 * kSampled && rows.n >= 4 * kSampled * rows.d &&
             std::isfinite(cost)) {
    const Sample part = sample_of(rows, svm);
    Limits loose = limits;
    loose.tol = std::max(limits.tol, 1e-3);
    if (part.rows.n > 0) {
      const Answer rough = solve(part.rows, part.svm, loose, nullptr, products, usual_hessian, team);
      answer.w = rough.w;
      answer.b = rough.b;
      width *= 0.5 * std::sqrt(double(rows.d + 1) / part.rows.n);
    }
  }
  Smoothed now(rows, svm, products, team);
  now.usual_hessian = usual_hessian;
  now.set_rho(svm.squared ? kInfinity : std::isfinite(cost) ? cost / width : 1.0 / now.mean_square());
  now.place(answer.w.data(), answer.b);
  double best_gap = kInfinity;
  int stuck = 0;
  int64_t stage_began = 0;
  for (;;) {
    now.respond_all();
    const double primal = now.primal(), dual = now.dual();
    const double gap = primal - dual;
    answer.progress.insert(answer.progress.end(), {watch.seconds(), primal, dual});
    if (std::isfinite(primal) && gap <= limits.tol * std::fabs(primal)) break;
    if (now.hard_and_hopeless()) {
      answer.ending = Ending::inseparable;
      break;
    }
    if (answer.iterations >= limits.iterations) {
      answer.ending = Ending::iterations;
      break;
    }
    if (watch.seconds() > limits.seconds) {
      answer.ending = Ending::seconds;
      break;
    }
    const double apart = now.apart();
    const double smoothing = std::isfinite(gap) ? gap - apart : 0.1 * std::fabs(dual);
    const bool staged = !svm.squared && apart <= 0.5 * smoothing;  // this stage is solved well enough
    if (std::isfinite(gap) && (staged || svm.squared)) {
      if (gap < 0.9 * best_gap) {
        best_gap = gap;
        stuck = 0;
      } else if (++stuck > 12) {
        answer.ending = Ending::precision;
        break;
      }
    }
    if (staged) {
      const int64_t steps = answer.iterations - stage_began;
      stage_began = answer.iterations;
      now.next_stage(steps <= 10   ? 4.0
                     : steps <= 20 ? 1.5
                                   : 1.0);  // a larger rho is a harder stage, but fewer of them
      continue;
    }
    now.step();
    ++answer.iterations;
  }
  answer.w = now.w;
  answer.b = now.b;
  answer.beta = now.beta;
  usual_hessian = now.usual_hessian;
  return answer;
}

}  // namespace

Answer newton(const Rows& rows, const BinarySvm& svm, const Limits& limits, const Answer* start,
              const double* products, ThreadTeam& team) {
  std::vector<double> usual_hessian;
  return solve(rows, svm, limits, start, products, usual_hessian, team);
}

}  // namespace hedgerow::linear

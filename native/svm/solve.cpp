#include "svm/solve.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "svm/choose.hpp"
#include "svm/store.hpp"
#include "svm/stored.hpp"
#include "svm/values.hpp"

namespace hedgerow::svm {
namespace {

constexpr int64_t kFirst = 256, kMost = 4096;  // variables asked for in a round: at first, and at most
constexpr double kUseful = 0.5, kVain = 0.2;   // share of them that moved, for twice as many or half as many
constexpr int64_t kLarge = 2000;               // variables in the working set, or half of all
constexpr int64_t kAll = 200;                  // variables; so few are all in the set from the start
constexpr double kLoose = 0.3, kTight = 0.01;  // of the gap: how far a set is solved, and one that has all
constexpr double kHair = 0.9999;  // of the tolerance: slopes are rounded when they are put together again
constexpr double kCrowded = 0.4;  // share of the set between its bounds, above which the set is doubled

SolverState initial_state(const Problem& p) {
  SolverState s;
  s.resize(p.count);
  for (int64_t i = 0; i < p.count; ++i) {
    s.low[i] = p.low[i];
    s.high[i] = p.high[i];
    s.b[i] = p.start ? p.start[i] : 0.0;
    s.slope[i] = p.c[i];
  }
  return s;
}

template <class Values>
class Machine {
 public:
  using T = typename Values::Number;
  Machine(const Values& values, const Problem& p, const Effort& effort, ThreadTeam& team)
      : source_(values),
        p_(p),
        effort_(effort),
        team_(team),
        watch_(effort.seconds, effort.steps),
        s_(initial_state(p)),
        field_(values.count(), 0.0),
        store_(values, p, stored_variables(p.count, effort.bytes, sizeof(T))),
        most_(std::min(store_.slots(), std::max(kLarge, p.count / 2))) {}

  // Kb of the start.
  void begin() {
    if (p_.kernel_dot)
      field_.assign(p_.kernel_dot, p_.kernel_dot + source_.count());
    else
      compute_field();
    for (int64_t i = 0; i < p_.count; ++i) s_.slope[i] = p_.c[i] - field_[p_.row(i)];
  }

  // From where it surrogates.
  Solution run() {
    Ending ending = Ending::solved;
    int64_t rounds = 0, idle = 0;
    for (;; ++rounds) {
      const double gap = gap_of(s_, p_.count);
      watch_.note(gap);
      if (gap <= effort_.tolerance) {
        ending = Ending::solved;
        break;
      }
      if (ending == Ending::out_of_time || ending == Ending::out_of_steps) break;
      if (watch_.steps_left() <= 0) {
        ending = Ending::out_of_steps;
        break;
      }
      if (watch_.late()) {
        ending = Ending::out_of_time;
        break;
      }
      const int64_t before = watch_.taken;
      ending = round(gap);
      idle = watch_.taken == before ? idle + 1 : 0;
      if (idle > 0 || (watch_.stalled && ending == Ending::at_rounding)) {
        ending = Ending::at_rounding;
        break;
      }
    }
    Solution out = finish(s_, p_.count, std::vector<double>(field_), ending, watch_);
    out.rounds = rounds;
    out.kernel_values = values_;
    return out;
  }

  void widen(double before, double cost, double seconds) {
    const double times = scale_bounds(s_, p_, before, cost);
    for (double& value : field_) value *= times;
    watch_ = Monitor(seconds, effort_.steps);
    values_ = 0;
  }

 private:
  void compute_field() {
    std::vector<int32_t> rows;
    std::vector<double> amounts;
    for (int64_t i = 0; i < p_.count; ++i)
      if (s_.b[i] != 0.0) {
        rows.push_back(int32_t(p_.row(i)));
        amounts.push_back(s_.b[i]);
      }
    std::vector<int32_t> all(source_.count());
    std::iota(all.begin(), all.end(), 0);
    std::fill(field_.begin(), field_.end(), 0.0);
    source_.sums(rows, amounts, all, field_.data(), team_);
    values_ += int64_t(rows.size()) * source_.count();
  }

  Ending round(double gap) {
    std::vector<int32_t> all;
    if (p_.count <= std::min(most_, kAll)) {
      all.resize(p_.count);
      std::iota(all.begin(), all.end(), 0);
    }
    const int64_t wanted = std::min(wanted_, most_);
    const auto& chosen = all.empty() ? chooser_.choose(s_, p_.count, wanted) : all;
    const bool everything = int64_t(chosen.size()) < wanted;  // nobody else is worth moving
    values_ += store_.hold(chosen, most_, [&](int32_t v) { return chooser_.worth(s_, v); }, team_);
    const int64_t used = store_.used();
    SolverState part;
    part.resize(used);
    for (int64_t k = 0; k < used; ++k) {
      const int32_t v = store_.variable(k);
      part.b[k] = s_.b[v];
      part.slope[k] = s_.slope[v];
      part.low[k] = s_.low[v];
      part.high[k] = s_.high[v];
    }
    const bool whole = used == p_.count;
    const double aim = std::max(0.5 * effort_.tolerance, (everything ? kTight : kLoose) * gap);
    const Ending ending =
        whole ? solve_whole(store_.square(), part, kHair * effort_.tolerance, source_.count(), team_, watch_)
              : solve_stored(store_.square(), part, aim, team_, watch_, false);
    enlarge(chosen, part);
    spread(part, used);
    return ending;
  }

  // Kernel values of a variable that does not move are in vain: as many are asked for as seem to be of use.
  void enlarge(const std::vector<int32_t>& chosen, const SolverState& part) {
    int64_t moved = 0, between = 0;  // between the bounds: in each other's way until all are in the set
    for (const int32_t v : chosen) moved += part.b[store_.slot(v)] != s_.b[v];
    for (int64_t k = 0; k < store_.used(); ++k)
      between += part.b[k] > part.low[k] && part.b[k] < part.high[k];
    const double asked = double(chosen.size());
    if (moved > kUseful * asked) wanted_ = std::min(kMost, 2 * wanted_);
    if (moved < kVain * asked) wanted_ = std::max(kFirst, wanted_ / 2);
    if (between > kCrowded * double(most_)) most_ = std::min(store_.slots(), 2 * most_);
  }

  // What the moved variables do to the rows outside the working set.
  void spread(const SolverState& part, int64_t used) {
    std::vector<int32_t> moved, outside;
    std::vector<double> amounts;
    std::vector<uint8_t> inside(source_.count(), 0);
    for (int64_t k = 0; k < used; ++k) {
      const int32_t v = store_.variable(k);
      inside[p_.row(v)] = 1;
      const double amount = part.b[k] - s_.b[v];
      if (amount != 0.0) {
        moved.push_back(int32_t(p_.row(v)));
        amounts.push_back(amount);
      }
      s_.b[v] = part.b[k];
      field_[p_.row(v)] = p_.c[v] - part.slope[k];
    }
    for (int64_t r = 0; r < source_.count(); ++r)
      if (!inside[r]) outside.push_back(int32_t(r));
    std::vector<double> sum(outside.size(), 0.0);
    source_.sums(moved, amounts, outside, sum.data(), team_);
    values_ += int64_t(moved.size()) * int64_t(outside.size());
    for (size_t k = 0; k < outside.size(); ++k) field_[outside[k]] += sum[k];
    for (int64_t i = 0; i < p_.count; ++i) s_.slope[i] = p_.c[i] - field_[p_.row(i)];
  }

  const Values& source_;
  const Problem& p_;
  const Effort& effort_;
  ThreadTeam& team_;
  Monitor watch_;
  SolverState s_;
  std::vector<double> field_;
  Store<Values> store_;
  int64_t most_, wanted_ = kFirst;  // variables: in the working set, and asked for in a round
  Chooser chooser_;
  int64_t values_ = 0;
};

}  // namespace

int64_t stored_variables(int64_t count, int64_t bytes, int64_t width) {
  const auto side = static_cast<int64_t>(std::sqrt(double(bytes) / (kStoredShare * double(width)))) / 16 * 16;
  return std::min(count, std::max<int64_t>(64, side));
}

double scale_bounds(SolverState& s, const Problem& unit, double before, double cost) {
  double reward = 0, square = 0;
  for (int64_t k = 0; k < unit.count; ++k) {
    reward += unit.c[k] * s.b[k];
    square += s.b[k] * (unit.c[k] - s.slope[k]);
  }
  const double ratio = before > 0 ? cost / before : 0.0;
  const auto worth = [&](double times) { return times * reward - 0.5 * times * times * square; };
  const double times = before > 0 && worth(1.0) >= worth(ratio) ? 1.0 : ratio;
  for (int64_t k = 0; k < unit.count; ++k) {
    const double low = cost * unit.low[k], high = cost * unit.high[k];
    s.slope[k] = unit.c[k] - times * (unit.c[k] - s.slope[k]);
    if (times == ratio && s.b[k] != 0.0 && s.b[k] == s.low[k])  // again at its bound, to the last digit
      s.b[k] = low;
    else if (times == ratio && s.b[k] != 0.0 && s.b[k] == s.high[k])
      s.b[k] = high;
    else
      s.b[k] = std::clamp(times * s.b[k], low, high);
    s.low[k] = low;
    s.high[k] = high;
  }
  return times;
}

Solution finish(const SolverState& s, int64_t count, std::vector<double>&& kernel_dot, Ending ending,
                Monitor& monitor) {
  Solution out;
  out.gap = gap_of(s, count);
  out.b.assign(s.b.begin(), s.b.begin() + count);
  out.kernel_dot = std::move(kernel_dot);
  out.ending = ending;
  out.steps = monitor.taken;
  monitor.note(out.gap);
  out.seconds = monitor.elapsed();
  out.worst_curvature = monitor.worst_curvature;
  out.history = std::move(monitor.history);
  return out;
}

template <class T>
Solution solve(const KernelOf& kernel, const Side<T>& rows, const Problem& problem, const Effort& effort,
               ThreadTeam& team) {
  const Computed<T> values(kernel, rows);
  Machine machine(values, problem, effort, team);
  machine.begin();
  return machine.run();
}
template Solution solve<float>(const KernelOf&, const Side<float>&, const Problem&, const Effort&,
                               ThreadTeam&);
template Solution solve<double>(const KernelOf&, const Side<double>&, const Problem&, const Effort&,
                                ThreadTeam&);

template <class T>
std::vector<Solution> solve_path(const KernelOf& kernel, const Rows<T>& rows, const Problem& unit,
                                 const std::vector<double>& costs, const Effort& effort, ThreadTeam& team) {
  const Monitor all(effort.seconds, effort.steps);
  const Computed<T> values(kernel, {&rows, nullptr, rows.rows});
  Machine machine(values, unit, effort, team);
  std::vector<Solution> found;
  double before = 0.0;
  for (const double cost : costs) {
    machine.widen(before, cost, effort.seconds - all.elapsed());
    found.push_back(machine.run());
    before = cost;
  }
  return found;
}
template std::vector<Solution> solve_path<float>(const KernelOf&, const Rows<float>&, const Problem&,
                                                 const std::vector<double>&, const Effort&, ThreadTeam&);
template std::vector<Solution> solve_path<double>(const KernelOf&, const Rows<double>&, const Problem&,
                                                  const std::vector<double>&, const Effort&, ThreadTeam&);

Solution solve_given(const Given& given, const Problem& problem, const Effort& effort, ThreadTeam& team) {
  const Looked values{given};
  Machine machine(values, problem, effort, team);
  machine.begin();
  return machine.run();
}

}  // namespace hedgerow::svm

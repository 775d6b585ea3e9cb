#include "svm/many.hpp"

#include <algorithm>
#include <numeric>

#include "svm/cells.hpp"
#include "svm/stored.hpp"

namespace hedgerow::svm {
namespace {

struct Bounds {  // of a machine whose cost is 1
  explicit Bounds(const Learner& learner) : low(learner.count), high(learner.count) {
    for (int64_t i = 0; i < learner.count; ++i) {
      low[i] = learner.sign[i] > 0 ? 0.0 : -learner.weight[i];
      high[i] = learner.sign[i] > 0 ? learner.weight[i] : 0.0;
    }
    unit.count = learner.count;
    unit.c = learner.sign;
    unit.low = low.data();
    unit.high = high.data();
  }

  std::vector<double> low, high;
  Problem unit;
};

template <class T>
Square<T> copied(const Gram<T>& gram, const Learner& learner, Cells<T>& room, Stop& stop) {
  const int64_t step = padded(learner.count);
  for (int64_t i = 0; i < learner.count; ++i) {
    const T* from = gram.row(learner.rows[i]);
    T* to = room.get() + i * step;
    for (int64_t j = 0; j < learner.count; ++j) to[j] = from[learner.rows[j]];
    std::fill(to + learner.count, to + step, T(0));
    if (i % 256 == 255) stop.check();
  }
  return {room.get(), step, learner.count};
}

template <class T>
std::vector<double> scores_of(const Gram<T>& gram, const Learner& learner, const SolverState& s, Stop& stop) {
  std::vector<int32_t> rows;
  std::vector<double> amounts, scores(learner.n_judged);
  for (int64_t k = 0; k < learner.count; ++k)
    if (s.b[k] != 0.0) {
      rows.push_back(learner.rows[k]);
      amounts.push_back(s.b[k]);
    }
  for (int64_t j = 0; j < learner.n_judged; ++j) {
    const T* row = gram.row(learner.judged[j]);
    double sum = 0;
    for (size_t k = 0; k < rows.size(); ++k) sum += amounts[k] * static_cast<double>(row[rows[k]]);
    scores[j] = sum;
    if (j % 256 == 255) stop.check();
  }
  return scores;
}

}  // namespace

template <class T>
std::vector<Solution> solve_each(const KernelOf& kernel, const Rows<T>& rows,
                                 const std::vector<Learner>& learners, const Effort& effort,
                                 ThreadTeam& team) {
  const Monitor all(effort.seconds, effort.steps);
  std::vector<Solution> found(learners.size());
  std::vector<size_t> order(learners.size());
  std::iota(order.begin(), order.end(), size_t{0});  // large ones first, so that no thread ends with one
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return learners[a].count > learners[b].count; });
  const auto solve_one = [&](size_t which, ThreadTeam& its) {
    const Learner& learner = learners[which];
    const Bounds bounds(learner);
    Effort left = effort;
    left.seconds = effort.seconds - all.elapsed();
    found[which] = solve<T>(kernel, {&rows, learner.rows, learner.count}, bounds.unit, left, its);
  };
  int64_t largest = 0;
  for (const Learner& one : learners)
    largest = std::max(largest, stored_variables(one.count, effort.bytes, sizeof(T)));
  const double memory = kStoredShare * sizeof(T) * double(largest) * double(largest) * team.size();
  if (memory > double(effort.bytes) || int64_t(learners.size()) < 2 * team.size()) {
    for (const size_t which : order) solve_one(which, team);
    return found;
  }
  team.run(int64_t(order.size()), [&](int64_t task, int) {
    ThreadTeam alone(1, team.stop());
    solve_one(order[task], alone);
  });
  return found;
}
template std::vector<Solution> solve_each<float>(const KernelOf&, const Rows<float>&,
                                                 const std::vector<Learner>&, const Effort&, ThreadTeam&);
template std::vector<Solution> solve_each<double>(const KernelOf&, const Rows<double>&,
                                                  const std::vector<Learner>&, const Effort&, ThreadTeam&);

void score_each(const KernelOf& kernel, const Source& source, const std::vector<Scored>& machines,
                ThreadTeam& team) {
  const auto score_one = [&](const Scored& one, ThreadTeam& its) {
    if (one.count == 0 || one.n_columns == 0) return;
    const TakenRows support(source, one.rows, one.count), asked(source, one.columns, one.n_columns);
    const auto centre = kernel.centres_rows() ? centre_of(support.source()) : std::vector<double>{};
    const auto rows = read_rows<double>(support.source(), centre, kernel.row_scale()),
               columns = read_rows<double>(asked.source(), centre, kernel.row_scale());
    add_up<double>(kernel, {&rows, nullptr, rows.rows}, one.coef, 1, {&columns, nullptr, columns.rows},
                   one.out, its);
  };
  if (int64_t(machines.size()) < 2 * team.size()) {
    for (const Scored& one : machines) score_one(one, team);
    return;
  }
  team.run(int64_t(machines.size()), [&](int64_t task, int) {
    ThreadTeam alone(1, team.stop());
    score_one(machines[size_t(task)], alone);
  });
}

template <class T>
std::vector<Learned> solve_many(const Gram<T>& gram, const std::vector<Learner>& learners,
                                const std::vector<double>& costs, const Effort& effort, ThreadTeam& team) {
  const Monitor all(effort.seconds, effort.steps);
  std::vector<Learned> found(learners.size() * costs.size());
  team.run(int64_t(learners.size()), [&](int64_t task, int) {
    const Learner& learner = learners[task];
    ThreadTeam alone(1, team.stop());
    Cells<T> room(padded(learner.count) * learner.count);
    const Square<T> square = copied(gram, learner, room, team.stop());
    const Bounds bounds(learner);
    const Problem& unit = bounds.unit;
    SolverState s;
    s.resize(learner.count);
    double before = 0.0;
    for (size_t k = 0; k < costs.size(); ++k) {
      scale_bounds(s, unit, before, costs[k]);
      before = costs[k];
      Monitor monitor(effort.seconds - all.elapsed(), effort.steps);
      const Ending ending = solve_whole(square, s, effort.tolerance, learner.count, alone, monitor);
      Learned& here = found[task * costs.size() + k];
      here.scores = scores_of(gram, learner, s, team.stop());
      std::vector<double> kernel_dot(learner.count);
      for (int64_t i = 0; i < learner.count; ++i) kernel_dot[i] = learner.sign[i] - s.slope[i];
      here.solution = finish(s, learner.count, std::move(kernel_dot), ending, monitor);
      here.solution.rounds = 1;
      here.solution.kernel_values = k == 0 ? learner.count * learner.count : 0;
      team.stop().check();
    }
  });
  return found;
}
template std::vector<Learned> solve_many<float>(const Gram<float>&, const std::vector<Learner>&,
                                                const std::vector<double>&, const Effort&, ThreadTeam&);
template std::vector<Learned> solve_many<double>(const Gram<double>&, const std::vector<Learner>&,
                                                 const std::vector<double>&, const Effort&, ThreadTeam&);

}  // namespace hedgerow::svm

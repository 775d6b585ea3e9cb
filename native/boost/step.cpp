#include "boost/step.hpp"

#include <algorithm>
#include <vector>

#include "boost/exp.hpp"

namespace hedgerow {
namespace {

constexpr int64_t kChunk = 4096;  // rows a task

int64_t chunks(int64_t n) { return (n + kChunk - 1) / kChunk; }

// Eight running sums, so that additions need not wait for each other, then one.
struct Sum {
  double lane[8] = {};
  double total() const {
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
  }
};

// Four tables side by side, so that an addition need not wait for the one before it.
void masses_of(const double* signs, const double* answers, const double* weight, int64_t n,
               AnswerMasses& out) {
  double mass[4][8] = {};
  int64_t silent = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double h = answers[i];
    const unsigned yes = h > 0, no = h < 0, up = signs[i] > 0;
    mass[i & 3][(yes + 2 * no) * 2 + up] += weight[i];
    silent += 1 - (yes | no);
  }
  double sum[8];
  for (int k = 0; k < 8; ++k) sum[k] = (mass[0][k] + mass[1][k]) + (mass[2][k] + mass[3][k]);
  out = {sum[3], sum[2], sum[4], sum[5], sum[0] + sum[1], n - silent};
}

// Whether all answers are -1, 0 or +1.
HEDGEROW_INLINE bool plain(const double* answers, int64_t n) {
  int64_t others = 0;
  for (int64_t i = 0; i < n; ++i)
    others += answers[i] * answers[i] != answers[i] * answers[i] * answers[i] * answers[i];
  return others == 0;
}

// Whether every answer is -1, 0 or +1: then there are few different steps, and few exponentials.
HEDGEROW_INLINE bool all_plain(const double* answers, int64_t n) {
  int64_t others = 0;
  for (int64_t i = 0; i < n; ++i) {
    const double h = answers[i];
    others += h != 0 && h != 1 && h != -1 ? 1 : 0;
  }
  return others == 0;
}

// weight <- weight * exp(-step); step <- y alpha h, margins grow by it.
HEDGEROW_CLONES void move(const StepInput& in, int64_t begin, int64_t n, double* step, double* margins,
                          double* weight, StepSums& sums) {
  const double* signs = in.signs + begin;
  const double* answers = in.answers + begin;
  const double* base = in.base + begin;
  const double yes = in.yes, no = in.no;
  Sum normaliser, error;
  for (int64_t i = 0; i < n; ++i) {
    const double h = answers[i];
    step[i] = signs[i] * h * (h > 0 ? yes : no);
  }
  if (all_plain(answers, n)) {
    const double up_yes = plain_exp(-yes), down_yes = plain_exp(yes), up_no = plain_exp(no),
                 down_no = plain_exp(-no);
    for (int64_t i = 0; i < n; ++i) {
      const double h = answers[i], y = signs[i], if_yes = y > 0 ? up_yes : down_yes,
                   if_no = y > 0 ? up_no : down_no, said = h > 0 ? if_yes : if_no;
      weight[i] *= h == 0 ? 1.0 : said;
    }
  } else {
    for (int64_t i = 0; i < n; ++i) weight[i] *= plain_exp(-step[i]);
  }
  for (int64_t i = 0; i < n; ++i) margins[i] += step[i];
  auto add = [&](int k, int64_t at) {
    const double score = margins[at] * signs[at];
    const int wrong = (score > 0) ^ (signs[at] > 0);
    normaliser.lane[k] += weight[at];
    error.lane[k] += base[at] * wrong;
  };
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; ++k) add(k, i + k);
  for (int k = 0; i + k < n; ++k) add(k, i + k);
  sums.normaliser = normaliser.total();
  sums.error = error.total();
}

// Logistic loss: the weight from the margin itself, 1 / (1 + exp(z)).
HEDGEROW_CLONES void weigh(const double* base, const double* since, int64_t n, double* weight) {
  for (int64_t i = 0; i < n; ++i) weight[i] = base[i] / (1.0 + plain_exp(since[i]));
}

HEDGEROW_CLONES void logistic_losses(const double* base, const double* margins, int64_t n, double* losses) {
  for (int64_t i = 0; i < n; ++i) {
    const double z = margins[i], size = z < 0 ? -z : z;
    losses[i] = base[i] * ((size - z) / 2 + plain_log1p(plain_exp(-size)));
  }
}

HEDGEROW_CLONES double total_of(const double* values, int64_t n) {
  Sum sum;
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; ++k) sum.lane[k] += values[i + k];
  for (int k = 0; i + k < n; ++k) sum.lane[k] += values[i + k];
  return sum.total();
}

HEDGEROW_CLONES void scale(double* values, int64_t n, double by) {
  for (int64_t i = 0; i < n; ++i) values[i] *= by;
}

}  // namespace

AnswerMasses answer_masses(const double* signs, const double* answers, const double* weight, int64_t n,
                           ThreadTeam& team) {
  std::vector<AnswerMasses> parts(chunks(n));
  team.run(chunks(n), [&](int64_t task, int) {
    const int64_t begin = task * kChunk;
    masses_of(signs + begin, answers + begin, weight + begin, std::min(kChunk, n - begin), parts[task]);
  });
  AnswerMasses out;
  for (const AnswerMasses& part : parts) {
    out.yes_right += part.yes_right;
    out.yes_wrong += part.yes_wrong;
    out.no_right += part.no_right;
    out.no_wrong += part.no_wrong;
    out.silent += part.silent;
    out.answered += part.answered;
  }
  return out;
}

StepSums boost_step(const StepInput& in, double* margins, double* since, double* weight, ThreadTeam& team) {
  std::vector<StepSums> parts(chunks(in.n));
  std::vector<double> totals(chunks(in.n));
  team.run(chunks(in.n), [&](int64_t task, int) {
    const int64_t begin = task * kChunk, many = std::min(kChunk, in.n - begin);
    double step[kChunk];
    StepSums& sums = parts[task];
    double* at = weight + begin;
    move(in, begin, many, step, margins + begin, at, sums);
    if (since != margins)
      for (int64_t i = 0; i < many; ++i) since[begin + i] += step[i];
    totals[task] = sums.normaliser;
    if (in.logistic) {
      weigh(in.base + begin, since + begin, many, at);
      totals[task] = total_of(at, many);
      logistic_losses(in.base + begin, margins + begin, many, step);
      sums.loss = total_of(step, many);
    }
  });
  StepSums out;
  double total = 0;
  for (size_t k = 0; k < parts.size(); ++k) {
    out.normaliser += parts[k].normaliser;
    out.loss += parts[k].loss;
    out.error += parts[k].error;
    total += totals[k];
  }
  if (total > 0) {
    team.run(chunks(in.n), [&](int64_t task, int) {
      const int64_t begin = task * kChunk;
      scale(weight + begin, std::min(kChunk, in.n - begin), 1.0 / total);
    });
  }
  return out;
}

}  // namespace hedgerow

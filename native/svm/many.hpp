// Many machines on one kernel matrix.   In: the matrix, the rows of each machine, costs that rise.   Out: a
// solution for each machine and cost, and its scores of rows that are judged.
//
// The matrix of a machine is copied out once; each cost starts from the solution before it, made larger in
// proportion, which keeps every bound and the sum. Machines are tasks of their own: threads change no bit.
#pragma once

#include <vector>

#include "common/thread_team.hpp"
#include "svm/solve.hpp"

namespace hedgerow::svm {

template <class T>
struct Gram {  // size x size
  const T* at = nullptr;
  int64_t size = 0;
  const T* row(int64_t i) const { return at + i * size; }
};

struct Learner {  // sign and weight: one a row that is learned from
  const int32_t *rows = nullptr, *judged = nullptr;
  const double *sign = nullptr, *weight = nullptr;
  int64_t count = 0, n_judged = 0;
};

struct Learned {
  Solution solution;
  std::vector<double> scores;  // K b of the judged rows
};

// Each from its rows, without a matrix of them all: kernel values are computed where a machine asks for them.
template <class T>
std::vector<Solution> solve_each(const KernelOf& kernel, const Rows<T>& rows,
                                 const std::vector<Learner>& learners, const Effort& effort,
                                 ThreadTeam& team);

struct Scored {  // out[j] += sum over rows of coef * kernel(row, columns[j])
  const int32_t* rows = nullptr;
  const double* coef = nullptr;
  int64_t count = 0;
  const int32_t* columns = nullptr;
  int64_t n_columns = 0;
  double* out = nullptr;
};

// In float64.
void score_each(const KernelOf& kernel, const Source& source, const std::vector<Scored>& machines,
                ThreadTeam& team);

// learner by learner, cost by cost.
template <class T>
std::vector<Learned> solve_many(const Gram<T>& gram, const std::vector<Learner>& learners,
                                const std::vector<double>& costs, const Effort& effort, ThreadTeam& team);

}  // namespace hedgerow::svm

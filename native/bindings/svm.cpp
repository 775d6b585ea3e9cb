// Kernel machines: solving, and sums of kernel values.
#include <algorithm>
#include <cmath>

#include "bindings/bindings.hpp"
#include "svm/cells.hpp"
#include "svm/many.hpp"
#include "svm/solve.hpp"
#include "svm/trace.hpp"

namespace hedgerow::bindings {
namespace {

using MaybeMatrix = std::optional<InMatrix<double>>;
template <class T>
using Maybe = std::optional<In<T>>;

// Rows as Python hands them over: a dense matrix, or starts, columns and values of a sparse one; and the
// width.
using GivenRows = std::tuple<MaybeMatrix, Maybe<int64_t>, Maybe<int32_t>, Maybe<double>, int64_t>;

svm::Source source_of(const GivenRows& given) {
  const auto& [dense, starts, at, values, columns] = given;
  svm::Source source;
  if (dense) {
    source.rows = int64_t(dense->shape(0));
    source.columns = int64_t(dense->shape(1));
    source.dense = dense->data();
    return source;
  }
  if (!starts || !at || !values || starts->shape(0) == 0)
    throw nb::value_error("rows are a dense matrix, or starts, columns and values");
  source.rows = int64_t(starts->shape(0)) - 1;
  source.columns = columns;
  source.starts = starts->data();
  source.at = at->data();
  source.values = values->data();
  const int64_t cells = int64_t(values->shape(0));
  if (source.starts[0] != 0 || source.starts[source.rows] != cells || int64_t(at->shape(0)) != cells)
    throw nb::value_error("starts of sparse rows must run from 0 to the number of values");
  for (int64_t i = 0; i < source.rows; ++i) {
    if (source.starts[i + 1] < source.starts[i]) throw nb::value_error("starts of sparse rows must not fall");
    for (int64_t e = source.starts[i]; e < source.starts[i + 1]; ++e)
      if (source.at[e] < 0 || source.at[e] >= columns ||
          (e > source.starts[i] && source.at[e] <= source.at[e - 1]))
        throw nb::value_error("columns of a sparse row must ascend and lie inside the matrix");
  }
  return source;
}

svm::KernelOf kernel_of(const std::string& name, double gamma, double coef0, int degree) {
  return {&svm::find_kernel(name), {gamma, coef0, degree}};
}

// Name -> what it is.
nb::dict kernel_names_py() {
  nb::dict all;
  for (const svm::KernelEntry& entry : svm::all_kernels()) {
    const svm::KernelTraits& t = entry.traits;
    nb::dict traits;
    traits["gamma"] = t.gamma;
    traits["coef0"] = t.coef0;
    traits["degree"] = t.degree;
    traits["movable"] = t.movable;
    traits["positive"] = t.positive;
    traits["linear"] = t.linear;
    traits["text"] = t.text;
    all[entry.name.c_str()] = traits;
  }
  return all;
}

// The kernel of each row with itself, from the rows' squared lengths.
Out<double> diagonal_py(const std::string& kernel, double gamma, double coef0, int degree,
                        const In<double>& squares) {
  const svm::KernelOf k = kernel_of(kernel, gamma, coef0, degree);
  const double factor = k.has_gamma() ? gamma : 1.0, no_norm = 0;
  std::vector<double> out(squares.shape(0));
  for (size_t first = 0; first < out.size(); first += svm::kTileColumns) {
    alignas(64) double tile[svm::kTileColumns] = {}, norms[svm::kTileColumns] = {};
    const size_t many = std::min<size_t>(svm::kTileColumns, out.size() - first);
    for (size_t j = 0; j < many; ++j) {
      tile[j] = factor * squares.data()[first + j];
      norms[j] = 2 * tile[j];
    }
    k.apply<double>(tile, 1, &no_norm, norms);
    std::copy_n(tile, many, out.begin() + static_cast<int64_t>(first));
  }
  return give(std::move(out));
}

std::vector<double> centre_for(const svm::KernelOf& kernel, const svm::Source& source) {
  return kernel.centres_rows() ? svm::centre_of(source) : std::vector<double>{};
}

// The variables of a problem, checked against the number of rows.
svm::Problem problem_of(const In<double>& c, const In<double>& low, const In<double>& high,
                        const Maybe<double>& start, const Maybe<int32_t>& row_of, int64_t rows) {
  svm::Problem p;
  p.count = int64_t(c.shape(0));
  same_length(low.shape(0), c.shape(0), "low");
  same_length(high.shape(0), c.shape(0), "high");
  if (start) same_length(start->shape(0), c.shape(0), "start");
  if (row_of) {
    same_length(row_of->shape(0), c.shape(0), "row_of");
    for (int64_t i = 0; i < p.count; ++i)
      if (row_of->data()[i] < 0 || row_of->data()[i] >= rows)
        throw nb::value_error("row_of names a row that is not there");
    p.row_of = row_of->data();
  } else {
    same_length(size_t(rows), c.shape(0), "the matrix");
  }
  p.c = c.data();
  p.low = low.data();
  p.high = high.data();
  p.start = start ? start->data() : nullptr;
  return p;
}

OutMatrix<double> history_of(const svm::Solution& s) {
  std::vector<double> history;
  for (const auto& [seconds, gap] : s.history) {
    history.push_back(seconds);
    history.push_back(gap);
  }
  return give_matrix(std::move(history), s.history.size(), 2);
}

nb::tuple give_solution(svm::Solution&& s) {
  auto history = history_of(s);
  return nb::make_tuple(give(std::move(s.b)), give(std::move(s.kernel_dot)), int(s.ending), s.steps, s.rounds,
                        s.kernel_values, s.gap, s.seconds, s.worst_curvature, std::move(history));
}

nb::tuple solve_py(const std::string& kernel, double gamma, double coef0, int degree, GivenRows rows,
                   bool wide, In<double> c, In<double> low, In<double> high, Maybe<double> start,
                   Maybe<double> kernel_dot, Maybe<int32_t> row_of, double tolerance, double seconds,
                   int64_t steps, int64_t bytes, int threads) {
  const svm::Source source = source_of(rows);
  const svm::KernelOf k = kernel_of(kernel, gamma, coef0, degree);
  svm::Problem p = problem_of(c, low, high, start, row_of, source.rows);
  if (kernel_dot) {
    same_length(kernel_dot->shape(0), size_t(source.rows), "kernel_dot");
    p.kernel_dot = kernel_dot->data();
  }
  const svm::Effort effort{tolerance, seconds, steps, bytes};
  return give_solution(work_freely(threads, [&](ThreadTeam& team) {
    const auto centre = centre_for(k, source);
    const auto solve = [&]<class T>(const svm::Rows<T>& read) {
      return svm::solve<T>(k, {&read, nullptr, read.rows}, p, effort, team);
    };
    if (wide) return solve(svm::read_rows<double>(source, centre, k.row_scale()));
    return solve(svm::read_rows<float>(source, centre, k.row_scale()));
  }));
}

// low and high are for the cost 1.
nb::list solve_path_py(const std::string& kernel, double gamma, double coef0, int degree, GivenRows rows,
                       bool wide, In<double> c, In<double> low, In<double> high, In<double> costs,
                       double tolerance, double seconds, int64_t steps, int64_t bytes, int threads) {
  const svm::Source source = source_of(rows);
  const svm::KernelOf k = kernel_of(kernel, gamma, coef0, degree);
  const svm::Problem p = problem_of(c, low, high, {}, {}, source.rows);
  const svm::Effort effort{tolerance, seconds, steps, bytes};
  const std::vector<double> along(costs.data(), costs.data() + costs.shape(0));
  auto found = work_freely(threads, [&](ThreadTeam& team) {
    const auto centre = centre_for(k, source);
    if (wide)
      return svm::solve_path(k, svm::read_rows<double>(source, centre, k.row_scale()), p, along, effort,
                             team);
    return svm::solve_path(k, svm::read_rows<float>(source, centre, k.row_scale()), p, along, effort, team);
  });
  nb::list solutions;
  for (auto& one : found) solutions.append(give_solution(std::move(one)));
  return solutions;
}

nb::tuple solve_given_py(InMatrix<double> matrix, Maybe<int32_t> chosen, In<double> c, In<double> low,
                         In<double> high, Maybe<double> start, Maybe<int32_t> row_of, double tolerance,
                         double seconds, int64_t steps, int64_t bytes, int threads) {
  if (matrix.shape(0) != matrix.shape(1))
    throw nb::value_error("a kernel matrix has as many columns as rows");
  svm::Given given{matrix.data(), int64_t(matrix.shape(0)), int64_t(matrix.shape(0)), nullptr};
  if (chosen) {
    given.chosen = chosen->data();
    given.rows = int64_t(chosen->shape(0));
    for (int64_t i = 0; i < given.rows; ++i)
      if (given.chosen[i] < 0 || given.chosen[i] >= given.size)
        throw nb::value_error("chosen names a row that is not there");
  }
  const svm::Problem p = problem_of(c, low, high, start, row_of, given.rows);
  const svm::Effort effort{tolerance, seconds, steps, bytes};
  return give_solution(
      work_freely(threads, [&](ThreadTeam& team) { return svm::solve_given(given, p, effort, team); }));
}

// Steps one by one on a kernel matrix of the variables: (steps x 2) variables, (steps x 4) by, gap, dual,
// primal.
nb::tuple trace_steps_py(InMatrix<double> matrix, In<double> c, In<double> low, In<double> high,
                         double tolerance, int64_t steps) {
  if (matrix.shape(0) != matrix.shape(1))
    throw nb::value_error("a kernel matrix has as many columns as rows");
  const svm::Problem p = problem_of(c, low, high, {}, {}, int64_t(matrix.shape(0)));
  const auto moves = work_freely(1, [&](ThreadTeam& team) {
    const int64_t step = svm::padded(p.count);
    std::vector<double> values(size_t(p.count) * size_t(step), 0.0);
    svm::SolverState state;
    state.resize(p.count);
    for (int64_t i = 0; i < p.count; ++i) {
      std::copy_n(matrix.data() + i * p.count, p.count, values.data() + i * step);
      state.low[i] = p.low[i];
      state.high[i] = p.high[i];
      state.slope[i] = p.c[i];
    }
    const std::vector<double> gain(p.c, p.c + p.count);
    return svm::trace_steps({values.data(), step, p.count}, gain, state, tolerance, steps, team.stop());
  });
  std::vector<int64_t> pairs;
  std::vector<double> numbers;
  for (const svm::Move& move : moves) {
    pairs.insert(pairs.end(), {move.rises, move.falls});
    numbers.insert(numbers.end(), {move.by, move.gap, move.dual, move.primal});
  }
  return nb::make_tuple(give_matrix(std::move(pairs), moves.size(), 2),
                        give_matrix(std::move(numbers), moves.size(), 4));
}

template <class T>
void sums(const svm::KernelOf& k, const svm::Source& rows, const double* coef, int outputs,
          const svm::Source& columns, double* out, ThreadTeam& team) {
  const auto centre = centre_for(k, rows);
  const auto a = svm::read_rows<T>(rows, centre, k.row_scale()),
             b = svm::read_rows<T>(columns, centre, k.row_scale());
  svm::add_up<T>(k, {&a, nullptr, a.rows}, coef, outputs, {&b, nullptr, b.rows}, out, team);
}

OutMatrix<double> kernel_dot_py(const std::string& kernel, double gamma, double coef0, int degree,
                                GivenRows rows, InMatrix<double> coef, GivenRows columns, bool wide,
                                int threads) {
  const svm::Source a = source_of(rows), b = source_of(columns);
  if (a.columns != b.columns || (a.dense != nullptr) != (b.dense != nullptr))
    throw nb::value_error("both sets of rows must have the same columns, and be both dense or both sparse");
  same_length(coef.shape(0), size_t(a.rows), "coef");
  const svm::KernelOf k = kernel_of(kernel, gamma, coef0, degree);
  const auto outputs = static_cast<int>(coef.shape(1));
  std::vector<double> out(size_t(b.rows) * outputs, 0.0);
  work_freely(threads, [&](ThreadTeam& team) {
    if (wide)
      sums<double>(k, a, coef.data(), outputs, b, out.data(), team);
    else
      sums<float>(k, a, coef.data(), outputs, b, out.data(), team);
    return 0;
  });
  return give_matrix(std::move(out), size_t(b.rows), size_t(outputs));
}

template <class T>
OutMatrix<T> give_cells(svm::Cells<T>&& cells, int64_t rows, int64_t columns) {
  T* at = cells.release();
  nb::capsule owner(at, [](void* p) noexcept { std::free(p); });
  return OutMatrix<T>(at, {size_t(rows), size_t(columns)}, owner);
}

template <class T>
OutMatrix<T> matrix_of(const svm::KernelOf& k, const std::vector<double>& centre, double scale,
                       const svm::Source& a, const svm::Source& b, int threads) {
  const bool same = a.rows == b.rows && a.dense == b.dense && a.values == b.values && a.starts == b.starts;
  svm::Cells<T> out(a.rows * b.rows);
  work_freely(threads, [&](ThreadTeam& team) {
    const auto x = svm::read_rows<T>(a, centre, scale);
    const auto n = b.rows;
    if (same) {
      svm::fill_square<T>(k, {&x, nullptr, n}, out.get(), n, team);
      return 0;
    }
    const auto z = svm::read_rows<T>(b, centre, scale);
    svm::each_tile<T>(k, {&x, nullptr, x.rows}, {&z, nullptr, n}, team,
                      [&](const T* tile, int64_t first, int count, int64_t column, int width, int) {
                        for (int i = 0; i < count; ++i)
                          std::copy_n(tile + i * svm::kTileColumns, width, &out[(first + i) * n + column]);
                      });
    return 0;
  });
  return give_cells(std::move(out), a.rows, b.rows);
}

OutMatrix<double> matrix_py(const std::string& kernel, double gamma, double coef0, int degree, GivenRows rows,
                            GivenRows columns, int threads) {
  const svm::Source a = source_of(rows), b = source_of(columns);
  if (a.columns != b.columns || (a.dense != nullptr) != (b.dense != nullptr))
    throw nb::value_error("both sets of rows must have the same columns, and be both dense or both sparse");
  const svm::KernelOf k = kernel_of(kernel, gamma, coef0, degree);
  return matrix_of<double>(k, centre_for(k, b), k.row_scale(), a, b, threads);
}

// What kernel values of this kind are made of, for any gamma.
nb::object gram_py(const std::string& kernel, GivenRows rows, bool wide, int threads) {
  const svm::Source a = source_of(rows);
  const auto centre = centre_for(kernel_of(kernel, 1.0, 0.0, 1), a);
  const svm::KernelOf plain;  // products
  if (wide) return nb::cast(matrix_of<double>(plain, centre, 1.0, a, a, threads));
  return nb::cast(matrix_of<float>(plain, centre, 1.0, a, a, threads));
}

template <class T>
OutMatrix<T> apply_kernel_py(const std::string& kernel, double gamma, double coef0, int degree,
                             InMatrix<T> gram, int threads) {
  if (gram.shape(0) != gram.shape(1)) throw nb::value_error("products of rows have as many columns as rows");
  const svm::KernelOf k = kernel_of(kernel, gamma, coef0, degree);
  const auto n = int64_t(gram.shape(0));
  svm::Cells<T> out(n * n);
  work_freely(threads, [&](ThreadTeam& team) {
    svm::apply_to_gram<T>(k, gram.data(), n, out.get(), team);
    return 0;
  });
  return give_cells(std::move(out), n, n);
}

// The part of a concatenation that belongs to each learner.
template <class T>
std::vector<std::pair<const T*, int64_t>> parts_of(const In<T>& values, const In<int64_t>& starts) {
  std::vector<std::pair<const T*, int64_t>> parts;
  for (size_t k = 0; k + 1 < starts.shape(0); ++k) {
    const int64_t from = starts.data()[k], to = starts.data()[k + 1];
    if (from < 0 || to < from || to > int64_t(values.shape(0)))
      throw nb::value_error("starts must rise and end inside the values");
    parts.emplace_back(values.data() + from, to - from);
  }
  return parts;
}

void inside(const In<int32_t>& rows, size_t size) {
  for (size_t i = 0; i < rows.shape(0); ++i)
    if (rows.data()[i] < 0 || rows.data()[i] >= int64_t(size))
      throw nb::value_error("a row is named that the matrix does not have");
}

// A machine for each learner, whose rows, signs and weights follow one another.
std::vector<svm::Learner> learners_of(const In<int32_t>& rows, const In<int64_t>& starts,
                                      const In<double>& sign, const In<double>& weight) {
  same_length(sign.shape(0), rows.shape(0), "sign");
  same_length(weight.shape(0), rows.shape(0), "weight");
  std::vector<svm::Learner> learners;
  for (const auto& [own, count] : parts_of(rows, starts)) {
    const int64_t first = own - rows.data();
    learners.push_back({own, nullptr, sign.data() + first, weight.data() + first, count, 0});
  }
  return learners;
}

// One after another: b and K b; of each how it ended; histories.
nb::tuple give_each(const std::vector<const svm::Solution*>& found) {
  std::vector<double> b, kernel_dot, numbers;
  nb::list histories;
  for (const svm::Solution* s : found) {
    b.insert(b.end(), s->b.begin(), s->b.end());
    kernel_dot.insert(kernel_dot.end(), s->kernel_dot.begin(), s->kernel_dot.end());
    numbers.insert(numbers.end(), {double(int(s->ending)), double(s->steps), double(s->rounds),
                                   double(s->kernel_values), s->gap, s->seconds, s->worst_curvature});
    histories.append(history_of(*s));
  }
  return nb::make_tuple(give(std::move(b)), give(std::move(kernel_dot)),
                        give_matrix(std::move(numbers), found.size(), 7), histories);
}

nb::tuple solve_each_py(const std::string& kernel, double gamma, double coef0, int degree, GivenRows given,
                        bool wide, In<int32_t> rows, In<int64_t> starts, In<double> sign, In<double> weight,
                        double tolerance, double seconds, int64_t steps, int64_t bytes, int threads) {
  const svm::Source source = source_of(given);
  const svm::KernelOf k = kernel_of(kernel, gamma, coef0, degree);
  inside(rows, size_t(source.rows));
  const auto learners = learners_of(rows, starts, sign, weight);
  const svm::Effort effort{tolerance, seconds, steps, bytes};
  auto found = work_freely(threads, [&](ThreadTeam& team) {
    const auto centre = centre_for(k, source);
    if (wide)
      return svm::solve_each(k, svm::read_rows<double>(source, centre, k.row_scale()), learners, effort,
                             team);
    return svm::solve_each(k, svm::read_rows<float>(source, centre, k.row_scale()), learners, effort, team);
  });
  std::vector<const svm::Solution*> all;
  for (const svm::Solution& one : found) all.push_back(&one);
  return give_each(all);
}

Out<double> kernel_dot_each_py(const std::string& kernel, double gamma, double coef0, int degree,
                               GivenRows given, In<int32_t> rows, In<double> coef, In<int64_t> rows_starts,
                               In<int32_t> columns, In<int64_t> columns_starts, int threads) {
  const svm::Source source = source_of(given);
  const svm::KernelOf k = kernel_of(kernel, gamma, coef0, degree);
  same_length(coef.shape(0), rows.shape(0), "coef");
  same_length(columns_starts.shape(0), rows_starts.shape(0), "columns_starts");
  inside(rows, size_t(source.rows));
  inside(columns, size_t(source.rows));
  const auto own = parts_of(rows, rows_starts), asked = parts_of(columns, columns_starts);
  std::vector<double> out(columns.shape(0), 0.0);
  std::vector<svm::Scored> machines;
  for (size_t m = 0; m < own.size(); ++m) {
    const auto& [list, count] = own[m];
    const auto& [ask, n_asked] = asked[m];
    machines.push_back(
        {list, coef.data() + (list - rows.data()), count, ask, n_asked, out.data() + (ask - columns.data())});
  }
  work_freely(threads, [&](ThreadTeam& team) {
    svm::score_each(k, source, machines, team);
    return 0;
  });
  return give(std::move(out));
}

template <class T>
nb::tuple solve_many_py(InMatrix<T> matrix, In<int32_t> rows, In<int64_t> starts, In<double> sign,
                        In<double> weight, In<int32_t> judged, In<int64_t> judged_starts, In<double> costs,
                        double tolerance, double seconds, int64_t steps, int threads) {
  if (matrix.shape(0) != matrix.shape(1))
    throw nb::value_error("a kernel matrix has as many columns as rows");
  same_length(judged_starts.shape(0), starts.shape(0), "judged_starts");
  inside(rows, matrix.shape(0));
  inside(judged, matrix.shape(0));
  auto learners = learners_of(rows, starts, sign, weight);
  const auto held = parts_of(judged, judged_starts);
  for (size_t k = 0; k < learners.size(); ++k) std::tie(learners[k].judged, learners[k].n_judged) = held[k];
  const std::vector<double> along(costs.data(), costs.data() + costs.shape(0));
  const svm::Effort effort{tolerance, seconds, steps, 0};
  auto found = work_freely(threads, [&](ThreadTeam& team) {
    return svm::solve_many(svm::Gram<T>{matrix.data(), int64_t(matrix.shape(0))}, learners, along, effort,
                           team);
  });
  std::vector<double> scores;
  std::vector<const svm::Solution*> all;
  for (const auto& [solution, score] : found) {
    all.push_back(&solution);
    scores.insert(scores.end(), score.begin(), score.end());
  }
  return nb::make_tuple(give_each(all), give(std::move(scores)));
}

template <class T>
void add_stored(nb::module_& m) {
  m.def("svm_apply_kernel", &apply_kernel_py<T>, nb::arg("kernel"), nb::arg("gamma"), nb::arg("coef0"),
        nb::arg("degree"), nb::arg("gram"), nb::arg("threads"));
  m.def("svm_solve_many", &solve_many_py<T>, nb::arg("matrix"), nb::arg("rows"), nb::arg("starts"),
        nb::arg("sign"), nb::arg("weight"), nb::arg("judged"), nb::arg("judged_starts"), nb::arg("costs"),
        nb::arg("tolerance"), nb::arg("seconds"), nb::arg("steps"), nb::arg("threads"));
}

}  // namespace

void add_svm(nb::module_& m) {
  m.def("svm_solve_each", &solve_each_py, nb::arg("kernel"), nb::arg("gamma"), nb::arg("coef0"),
        nb::arg("degree"), nb::arg("given"), nb::arg("wide"), nb::arg("rows"), nb::arg("starts"),
        nb::arg("sign"), nb::arg("weight"), nb::arg("tolerance"), nb::arg("seconds"), nb::arg("steps"),
        nb::arg("bytes"), nb::arg("threads"));
  m.def("svm_kernel_dot_each", &kernel_dot_each_py, nb::arg("kernel"), nb::arg("gamma"), nb::arg("coef0"),
        nb::arg("degree"), nb::arg("given"), nb::arg("rows"), nb::arg("coef"), nb::arg("rows_starts"),
        nb::arg("columns"), nb::arg("columns_starts"), nb::arg("threads"));
  m.def("kernel_names", &kernel_names_py);
  m.def("svm_diagonal", &diagonal_py, nb::arg("kernel"), nb::arg("gamma"), nb::arg("coef0"),
        nb::arg("degree"), nb::arg("squares"));
  m.def("svm_solve", &solve_py, nb::arg("kernel"), nb::arg("gamma"), nb::arg("coef0"), nb::arg("degree"),
        nb::arg("rows"), nb::arg("wide"), nb::arg("c"), nb::arg("low"), nb::arg("high"),
        nb::arg("start").none(), nb::arg("kernel_dot").none(), nb::arg("row_of").none(), nb::arg("tolerance"),
        nb::arg("seconds"), nb::arg("steps"), nb::arg("bytes"), nb::arg("threads"));
  m.def("svm_solve_path", &solve_path_py, nb::arg("kernel"), nb::arg("gamma"), nb::arg("coef0"),
        nb::arg("degree"), nb::arg("rows"), nb::arg("wide"), nb::arg("c"), nb::arg("low"), nb::arg("high"),
        nb::arg("costs"), nb::arg("tolerance"), nb::arg("seconds"), nb::arg("steps"), nb::arg("bytes"),
        nb::arg("threads"));
  m.def("svm_solve_given", &solve_given_py, nb::arg("matrix"), nb::arg("chosen").none(), nb::arg("c"),
        nb::arg("low"), nb::arg("high"), nb::arg("start").none(), nb::arg("row_of").none(),
        nb::arg("tolerance"), nb::arg("seconds"), nb::arg("steps"), nb::arg("bytes"), nb::arg("threads"));
  m.def("svm_trace_steps", &trace_steps_py, nb::arg("matrix"), nb::arg("c"), nb::arg("low"), nb::arg("high"),
        nb::arg("tolerance"), nb::arg("steps"));
  m.def("svm_kernel_dot", &kernel_dot_py, nb::arg("kernel"), nb::arg("gamma"), nb::arg("coef0"),
        nb::arg("degree"), nb::arg("rows"), nb::arg("coef"), nb::arg("columns"), nb::arg("wide"),
        nb::arg("threads"));
  m.def("svm_matrix", &matrix_py, nb::arg("kernel"), nb::arg("gamma"), nb::arg("coef0"), nb::arg("degree"),
        nb::arg("rows"), nb::arg("columns"), nb::arg("threads"));
  m.def("svm_gram", &gram_py, nb::arg("kernel"), nb::arg("rows"), nb::arg("wide"), nb::arg("threads"));
  add_stored<double>(m);
  add_stored<float>(m);
}

}  // namespace hedgerow::bindings

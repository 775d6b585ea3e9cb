// Linear machines.
#include "bindings/bindings.hpp"
#include "linear/binary_svm.hpp"
#include "linear/crammer_singer.hpp"
#include "linear/l1.hpp"
#include "linear/products.hpp"

namespace hedgerow::bindings {
namespace {

// Borrowed for the call; the holder keeps the arrays.
struct HeldRows {
  std::optional<InMatrix<double>> dense;
  std::optional<In<int64_t>> start;
  std::optional<In<int32_t>> column;
  std::optional<In<double>> values;
  int64_t columns;

  explicit HeldRows(const nb::tuple& rows)
      : dense(nb::cast<std::optional<InMatrix<double>>>(rows[0])),
        start(nb::cast<std::optional<In<int64_t>>>(rows[1])),
        column(nb::cast<std::optional<In<int32_t>>>(rows[2])),
        values(nb::cast<std::optional<In<double>>>(rows[3])),
        columns(nb::cast<int64_t>(rows[4])) {
    if (!dense && (!start || !column || !values || start->shape(0) == 0))
      throw nb::value_error("rows are a dense matrix, or three arrays of a sparse one");
  }

  linear::Rows rows() const {
    if (dense) return {static_cast<int64_t>(dense->shape(0)), columns, dense->data()};
    const auto n = static_cast<int64_t>(start->shape(0)) - 1;
    for (int64_t i = 0; i < n; ++i)
      if (start->data()[i] > start->data()[i + 1])
        throw nb::value_error("places of sparse rows must not fall");
    if (start->data()[0] != 0 || start->data()[n] != static_cast<int64_t>(column->shape(0)) ||
        column->shape(0) != values->shape(0))
      throw nb::value_error("places, columns and values of sparse rows do not fit together");
    for (size_t k = 0; k < column->shape(0); ++k)
      if (column->data()[k] < 0 || column->data()[k] >= columns)
        throw nb::value_error("a column is out of range");
    return {n, columns, values->data(), start->data(), column->data()};
  }
};

nb::tuple linear_solve(const nb::tuple& rows_in, In<double> target, In<double> cost, In<int8_t> side,
                       double epsilon, bool squared, bool intercept, bool dual, double tol, double seconds,
                       int64_t iterations, std::optional<In<double>> start_w, double start_b,
                       std::optional<In<double>> start_beta, std::optional<InMatrix<double>> products,
                       uint64_t seed, int threads) {
  const HeldRows held(rows_in);
  const linear::Rows rows = held.rows();
  const auto n = static_cast<size_t>(rows.n);
  same_length(target.shape(0), n, "target");
  same_length(cost.shape(0), n, "cost");
  same_length(side.shape(0), n, "side");
  const linear::BinarySvm svm{target.data(), cost.data(), side.data(), epsilon, squared, intercept};
  const linear::Limits limits{tol, seconds, iterations};
  linear::Answer start;
  const bool begun = start_w && start_beta;
  if (begun) {
    same_length(start_beta->shape(0), n, "start_beta");
    if (static_cast<int64_t>(start_w->shape(0)) != rows.d)
      throw nb::value_error("start_w needs one number a column");
    start.w.assign(start_w->data(), start_w->data() + rows.d);
    start.b = start_b;
    start.beta.assign(start_beta->data(), start_beta->data() + n);
  }
  const auto wide = static_cast<size_t>(linear::padded(rows.d + (intercept ? 1 : 0)));
  if (products && (products->shape(0) != wide || products->shape(1) != wide))
    throw nb::value_error("products are those of linear_products for these rows");
  linear::Answer answer = work_freely(threads, [&](ThreadTeam& team) {
    return dual ? linear::descend(rows, svm, limits, begun ? &start : nullptr, seed, team)
                : linear::newton(rows, svm, limits, begun ? &start : nullptr,
                                 products ? products->data() : nullptr, team);
  });
  const size_t lines = answer.progress.size() / 3;
  return nb::make_tuple(give(std::move(answer.w)), answer.b, give(std::move(answer.beta)), answer.iterations,
                        static_cast<int>(answer.ending), give_matrix(std::move(answer.progress), lines, 3));
}

OutMatrix<double> linear_products(const nb::tuple& rows_in, bool intercept, int threads) {
  const HeldRows held(rows_in);
  const linear::Rows rows = held.rows();
  const auto wide = static_cast<size_t>(linear::padded(rows.d + (intercept ? 1 : 0)));
  auto mean =
      work_freely(threads, [&](ThreadTeam& team) { return linear::mean_products(rows, intercept, team); });
  return give_matrix(std::move(mean), wide, wide);
}

// w, beta, iterations, ending, progress
nb::tuple give_answer(linear::Answer&& answer) {
  const size_t lines = answer.progress.size() / 3;
  return nb::make_tuple(give(std::move(answer.w)), give(std::move(answer.beta)), answer.iterations,
                        static_cast<int>(answer.ending), give_matrix(std::move(answer.progress), lines, 3));
}

nb::tuple linear_solve_l1(const nb::tuple& columns_in, In<double> sign, In<double> cost, double tol,
                          double seconds, int64_t iterations, uint64_t seed) {
  const HeldRows held(columns_in);
  const linear::Rows columns = held.rows();
  same_length(sign.shape(0), static_cast<size_t>(columns.d), "sign");
  same_length(cost.shape(0), static_cast<size_t>(columns.d), "cost");
  return give_answer(work_freely(1, [&](ThreadTeam& team) {
    return linear::descend_columns(columns, sign.data(), cost.data(), {tol, seconds, iterations}, seed, team);
  }));
}

nb::tuple linear_solve_classes(const nb::tuple& rows_in, In<int32_t> codes, int32_t classes, In<double> cost,
                               double tol, double seconds, int64_t iterations, uint64_t seed) {
  const HeldRows held(rows_in);
  const linear::Rows rows = held.rows();
  same_length(codes.shape(0), static_cast<size_t>(rows.n), "codes");
  same_length(cost.shape(0), static_cast<size_t>(rows.n), "cost");
  for (int64_t i = 0; i < rows.n; ++i)
    if (codes.data()[i] < 0 || codes.data()[i] >= classes) throw nb::value_error("a class is out of range");
  return give_answer(work_freely(1, [&](ThreadTeam& team) {
    return linear::descend_classes(rows, codes.data(), classes, cost.data(), {tol, seconds, iterations}, seed,
                                   team);
  }));
}

}  // namespace

void add_linear(nb::module_& m) {
  m.def("linear_solve", &linear_solve, nb::arg("rows"), nb::arg("target"), nb::arg("cost"), nb::arg("side"),
        nb::kw_only(), nb::arg("epsilon"), nb::arg("squared"), nb::arg("intercept"), nb::arg("dual"),
        nb::arg("tol"), nb::arg("seconds"), nb::arg("iterations"), nb::arg("start_w").none(),
        nb::arg("start_b"), nb::arg("start_beta").none(), nb::arg("products").none(), nb::arg("seed"),
        nb::arg("threads"));
  m.def("linear_products", &linear_products, nb::arg("rows"), nb::kw_only(), nb::arg("intercept"),
        nb::arg("threads"));
  m.def("linear_solve_l1", &linear_solve_l1, nb::arg("columns"), nb::arg("sign"), nb::arg("cost"),
        nb::kw_only(), nb::arg("tol"), nb::arg("seconds"), nb::arg("iterations"), nb::arg("seed"));
  m.def("linear_solve_classes", &linear_solve_classes, nb::arg("rows"), nb::arg("codes"), nb::arg("classes"),
        nb::arg("cost"), nb::kw_only(), nb::arg("tol"), nb::arg("seconds"), nb::arg("iterations"),
        nb::arg("seed"));
}

}  // namespace hedgerow::bindings

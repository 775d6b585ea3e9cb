#include "gradient/level_codes.hpp"

#include <algorithm>
#include <cmath>

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRows = 1024;  // a task

double code_of(const LevelTables& tables, int64_t k, double x) {
  if (!(x >= 0.0)) return NAN;
  const int64_t size = tables.start[k + 1] - tables.start[k];
  const auto whole = x < static_cast<double>(size) ? static_cast<int64_t>(x) : -1;
  return static_cast<double>(whole) == x ? tables.code[tables.start[k] + whole] : tables.unseen[k];
}

template <class T>
void code_rows(const LevelTables& tables, const T* data, const Matrix& m, int64_t n_columns, int64_t begin,
               int64_t end, double* out) {
  for (int64_t i = begin; i < end; ++i) {
    const T* row = data + i * m.row_stride;
    double* to = out + i * n_columns;
    for (int64_t j = 0; j < n_columns; ++j) to[j] = static_cast<double>(row[j * m.column_stride]);
    for (int64_t k = 0; k < tables.n_categories; ++k)
      to[tables.column[k]] = code_of(tables, k, to[tables.column[k]]);
  }
}

}  // namespace

void code_levels(const LevelTables& tables, const Matrix& rows, int64_t n_columns, double* out,
                 ThreadTeam& team) {
  team.run((rows.n_rows + kRows - 1) / kRows, [&](int64_t task, int) {
    const int64_t begin = task * kRows, end = std::min(rows.n_rows, begin + kRows);
    if (rows.wide)
      code_rows(tables, static_cast<const double*>(rows.data), rows, n_columns, begin, end, out);
    else
      code_rows(tables, static_cast<const float*>(rows.data), rows, n_columns, begin, end, out);
  });
}

}  // namespace hedgerow::gradient

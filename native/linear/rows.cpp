#include "linear/rows.hpp"

#include "linear/kernels.hpp"

namespace hedgerow::linear {

double Rows::dot(int64_t i, const double* w) const {
  if (!sparse()) return dense_dot(values + i * d, w, d);
  double sum[2] = {};
  int64_t k = start[i];
  const int64_t end = start[i + 1];
  for (; k + 2 <= end; k += 2) {
    sum[0] += values[k] * w[column[k]];
    sum[1] += values[k + 1] * w[column[k + 1]];
  }
  if (k < end) sum[0] += values[k] * w[column[k]];
  return sum[0] + sum[1];
}

void Rows::add(int64_t i, double step, double* w) const {
  if (!sparse()) return dense_axpy(step, values + i * d, w, d);
  for (int64_t k = start[i]; k < start[i + 1]; ++k) w[column[k]] += step * values[k];
}

double Rows::square(int64_t i) const {
  if (!sparse()) return dense_dot(values + i * d, values + i * d, d);
  double sum = 0;
  for (int64_t k = start[i]; k < start[i + 1]; ++k) sum += values[k] * values[k];
  return sum;
}

void Rows::fetch(int64_t i) const {
#if defined(__GNUC__)
  const int64_t begin = sparse() ? start[i] : i * d, end = sparse() ? start[i + 1] : begin + d;
  for (int64_t k = begin; k < end; k += 8) __builtin_prefetch(values + k);
  if (sparse())
    for (int64_t k = begin; k < end; k += 16) __builtin_prefetch(column + k);
#else
  (void)i;
#endif
}

void times(const Rows& rows, const double* w, double bias, double* out, ThreadTeam& team) {
  const Split split{rows.n, passes(rows)};
  team.run(split.tasks, [&](int64_t task, int) {
    const int64_t begin = split.begin(task), end = split.end(task);
    if (!rows.sparse())
      return dense_times(rows.values + begin * rows.d, end - begin, rows.d, w, bias, out + begin);
    for (int64_t i = begin; i < end; ++i) out[i] = rows.dot(i, w) + bias;
  });
}

double transposed(const Rows& rows, const double* v, double* out, ThreadTeam& team) {
  const Split split{rows.n, sums(rows)};
  std::vector<double> part(split.tasks * (rows.d + 1), 0.0);
  team.run(split.tasks, [&](int64_t task, int) {
    const int64_t begin = split.begin(task), end = split.end(task);
    double* mine = part.data() + task * (rows.d + 1);
    std::vector<int32_t> row;
    std::vector<double> value;
    for (int64_t i = begin; i < end; ++i) {
      if (v[i] == 0) continue;
      mine[rows.d] += v[i];
      if (rows.sparse()) {
        rows.add(i, v[i], mine);
        continue;
      }
      row.push_back(static_cast<int32_t>(i - begin));
      value.push_back(v[i]);
    }
    if (!rows.sparse())
      dense_add(rows.values + begin * rows.d, rows.d, row.data(), value.data(),
                static_cast<int64_t>(row.size()), mine);
  });
  double total = 0;
  for (int64_t task = 0; task < split.tasks; ++task) total += part[task * (rows.d + 1) + rows.d];
  const Split wide{rows.d, std::clamp<int64_t>(rows.d / 4096, 1, 64)};
  team.run(wide.tasks, [&](int64_t task, int) {
    std::copy(part.data() + wide.begin(task), part.data() + wide.end(task), out + wide.begin(task));
    for (int64_t other = 1; other < split.tasks; ++other)
      for (int64_t j = wide.begin(task); j < wide.end(task); ++j) out[j] += part[other * (rows.d + 1) + j];
  });
  return total;
}

}  // namespace hedgerow::linear

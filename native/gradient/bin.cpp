#include "gradient/bin.hpp"

#include <cmath>

#include "common/simd.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRows = 4096;  // a task of encoding

// Between two neighbours, low <= middle < high even for adjacent numbers.
double middle_of(double low, double high) {
  const double middle = low / 2 + high / 2;
  return middle >= high || middle < low ? low : middle;
}

// Of each worker.
std::vector<CountingMemory> counting_memory(int64_t n_rows, const ThreadTeam& team) {
  std::vector<CountingMemory> memory(team.size());
  for (auto& own : memory) own.reserve(n_rows);
  return memory;
}

// Codes of a stretch of one column; `padded`: 256 edges, infinite after the last. Eight halvings, no branch.
template <class T>
int64_t encode_stretch(const T* cells, int64_t stride, int64_t n, const double* padded, int n_bins,
                       uint8_t* codes) {
  int64_t missing = 0;
  for (int64_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(cells[i * stride]);
    int at = 0;
#pragma GCC unroll 8
    for (int half = 128; half > 0; half /= 2) at += padded[at + half - 1] < x ? half : 0;
    const bool is_missing = x != x;
    missing += is_missing;
    codes[i] = static_cast<uint8_t>(is_missing ? n_bins : at);
  }
  return missing;
}

}  // namespace

std::vector<double> edges_of(const ValueCells& cells, int max_bins) {
  const auto& count = cells.count;
  const size_t n = count.size();
  auto edge_after = [&](size_t k) { return middle_of(cells.high[k], cells.low[k + 1]); };
  std::vector<double> edges;
  if (n <= static_cast<size_t>(max_bins)) {
    for (size_t k = 0; k + 1 < n; ++k) edges.push_back(edge_after(k));
    return edges;
  }
  int64_t left = 0;  // rows that are not in a bin of their own
  for (int64_t c : count) left += c;
  const double fair = static_cast<double>(left) / max_bins;
  std::vector<uint8_t> alone(n);
  int64_t bins_left = max_bins;
  for (size_t k = 0; k < n; ++k)
    if (static_cast<double>(count[k]) >= fair) {
      alone[k] = 1;
      left -= count[k];
      --bins_left;
    }
  double wanted = bins_left > 0 ? static_cast<double>(left) / static_cast<double>(bins_left) : HUGE_VAL;
  int64_t here = 0;
  for (size_t k = 0; k + 1 < n && static_cast<int>(edges.size()) < max_bins - 1; ++k) {
    here += count[k];
    if (!alone[k]) left -= count[k];
    const bool before_one = alone[k + 1] && static_cast<double>(here) >= std::max(1.0, wanted / 2);
    if (!alone[k] && static_cast<double>(here) < wanted && !before_one) continue;
    edges.push_back(edge_after(k));
    here = 0;
    if (!alone[k]) {
      --bins_left;
      wanted = bins_left > 0 ? static_cast<double>(left) / static_cast<double>(bins_left) : HUGE_VAL;
    }
  }
  return edges;
}

std::vector<ValueCells> count_columns(const std::vector<ValueCells>& before,
                                      const std::vector<NumberColumn>& columns, int64_t n_rows,
                                      ThreadTeam& team) {
  std::vector<ValueCells> cells(columns.size());
  auto memory = counting_memory(n_rows, team);
  team.run(static_cast<int64_t>(columns.size()), [&](int64_t j, int worker) {
    cells[j] = count_values(before[j], columns[j], n_rows, memory[worker]);
  });
  return cells;
}

std::vector<std::vector<double>> bin_edges(const std::vector<NumberColumn>& columns, int64_t n_rows,
                                           int max_bins, ThreadTeam& team) {
  std::vector<std::vector<double>> edges(columns.size());
  auto memory = counting_memory(n_rows, team);
  team.run(static_cast<int64_t>(columns.size()), [&](int64_t j, int worker) {
    edges[j] = edges_of(count_values({}, columns[j], n_rows, memory[worker]), max_bins);
  });
  return edges;
}

std::vector<int64_t> bin_codes(const std::vector<NumberColumn>& columns, int64_t n_rows,
                               const std::vector<std::vector<double>>& edges,
                               const std::vector<int64_t>& place, uint8_t* codes, ThreadTeam& team) {
  const size_t d = columns.size();
  std::vector<double> padded(d * 256, HUGE_VAL);
  for (size_t j = 0; j < d; ++j) std::copy(edges[j].begin(), edges[j].end(), padded.begin() + j * 256);
  const int64_t tasks = (n_rows + kRows - 1) / kRows;
  std::vector<int64_t> missing(tasks * d), total(d);
  team.run(tasks, [&](int64_t task, int) {
    const int64_t begin = task * kRows, n = std::min(n_rows, begin + kRows) - begin;
    for (size_t j = 0; j < d; ++j) {
      const NumberColumn& c = columns[j];
      uint8_t* out = codes + place[j] * n_rows + begin;
      const double* own = padded.data() + j * 256;
      const int n_bins = static_cast<int>(edges[j].size()) + 1;
      missing[task * d + j] = c.wide ? encode_stretch(static_cast<const double*>(c.data) + begin * c.stride,
                                                      c.stride, n, own, n_bins, out)
                                     : encode_stretch(static_cast<const float*>(c.data) + begin * c.stride,
                                                      c.stride, n, own, n_bins, out);
    }
  });
  for (int64_t task = 0; task < tasks; ++task)
    for (size_t j = 0; j < d; ++j) total[j] += missing[task * d + j];
  return total;
}

void group_codes(const BinnedTable& table, uint8_t* grouped, ThreadTeam& team) {
  const auto& groups = table.groups.groups;
  const int64_t blocks = (table.n_rows + kRows - 1) / kRows;
  team.run(blocks * static_cast<int64_t>(table.groups.n_dense), [&](int64_t task, int) {
    const Group& group = groups[task / blocks];
    const int64_t begin = task % blocks * kRows, end = std::min(table.n_rows, begin + kRows);
    const auto width = static_cast<int64_t>(group.columns.size());
    uint8_t* out = grouped + group.codes_start;
    for (int64_t k = 0; k < width; ++k) {
      const uint8_t* codes = table.column(group.columns[k]);
      for (int64_t i = begin; i < end; ++i) out[i * width + k] = codes[i];
    }
  });
}

}  // namespace hedgerow::gradient

#include "gradient/sparse.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "gradient/bin.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRowsPerOther = 8;    // at most one row in so many has another code
constexpr int64_t kEnoughColumns = 32;  // below, to read a row's entries takes longer than its codes

// Four counters each, so that equal codes in a row do not wait for each other.
int32_t usual_code(const uint8_t* codes, int64_t n, int64_t min_rows) {
  std::array<std::array<int64_t, kMaxCodes>, 4> counts{};
  int64_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k) ++counts[k][codes[i + k]];
  for (; i < n; ++i) ++counts[0][codes[i]];
  int32_t usual = 0;
  int64_t most = 0;
  for (int code = 0; code < kMaxCodes; ++code) {
    const int64_t rows = counts[0][code] + counts[1][code] + counts[2][code] + counts[3][code];
    if (rows > most) most = rows, usual = code;
  }
  if (n - most < min_rows) return kNeverSplit;
  return n - most <= n / kRowsPerOther ? usual : kNotSparse;
}

// Calls visit(row) where the code is not the usual one; eight rows at once where all are.
template <class Visit>
void visit_others(const uint8_t* codes, int64_t n, int32_t usual, Visit visit) {
  const uint64_t all_usual = 0x0101010101010101u * static_cast<uint64_t>(usual);
  int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t eight;
    std::memcpy(&eight, codes + i, 8);
    if (eight == all_usual) continue;
    for (int64_t k = i; k < i + 8; ++k)
      if (codes[k] != usual) visit(k);
  }
  for (; i < n; ++i)
    if (codes[i] != usual) visit(i);
}

}  // namespace

std::vector<int32_t> usual_codes(const uint8_t* codes, size_t columns, int64_t n_rows, int64_t min_rows,
                                 ThreadTeam& team) {
  std::vector<int32_t> found(columns);
  team.run(static_cast<int64_t>(columns),
           [&](int64_t j, int) { found[j] = usual_code(codes + j * n_rows, n_rows, min_rows); });
  const auto many = std::count_if(found.begin(), found.end(), [](int32_t usual) { return usual >= 0; });
  if (many < kEnoughColumns)
    for (int32_t& usual : found) usual = std::min(usual, kNotSparse);
  return found;
}

Entries write_entries(const BinnedTable& table, ThreadTeam& team) {
  const auto& groups = table.groups.groups;
  const int64_t n = table.n_rows, first = static_cast<int64_t>(table.groups.n_dense),
                many = static_cast<int64_t>(table.groups.n_sparse());
  Entries out;
  out.start.assign(many * (n + 1), 0);
  team.run(many, [&](int64_t g, int) {  // entries of row i are counted at i + 1
    int64_t* count = out.start.data() + g * (n + 1) + 1;
    for (int32_t j : groups[first + g].columns)
      visit_others(table.column(j), n, table.columns[j].usual, [&](int64_t i) { ++count[i]; });
  });
  int64_t total = 0;
  for (int64_t& s : out.start) s = total += s;
  out.entries.resize(total);
  team.run(many, [&](int64_t g, int) {
    const Group& group = groups[first + g];
    std::vector<int64_t> next(out.start.begin() + g * (n + 1), out.start.begin() + (g + 1) * (n + 1));
    for (int32_t j : group.columns) {
      const uint8_t* codes = table.column(j);
      const int64_t cell = table.groups.cells_of[j] - group.cells_start;
      visit_others(codes, n, table.columns[j].usual,
                   [&](int64_t i) { out.entries[next[i]++] = static_cast<uint16_t>(cell + codes[i]); });
    }
  });
  return out;
}

std::vector<SparseBins> bin_entries(const std::vector<SparseColumn>& columns, int64_t n_rows, int max_bins,
                                    uint8_t* codes, ThreadTeam& team) {
  std::vector<SparseBins> bins(columns.size());
  team.run(static_cast<int64_t>(columns.size()), [&](int64_t j, int) {
    const SparseColumn& own = columns[j];
    ValueCells zeros;
    if (own.n < n_rows) zeros = {0, {n_rows - own.n}, {0.0}, {0.0}};
    const std::vector<double> edges = edges_of(count_values(zeros, own.values, own.n), max_bins);
    auto code_of = [&](double x) {
      return static_cast<uint8_t>(std::lower_bound(edges.begin(), edges.end(), x) - edges.begin());
    };
    uint8_t* out = codes + j * n_rows;
    std::memset(out, code_of(0.0), static_cast<size_t>(n_rows));
    for (int64_t e = 0; e < own.n; ++e) {
      const double x = own.values[e];
      bins[j].has_missing = bins[j].has_missing || x != x;
      out[own.row[e]] = x != x ? static_cast<uint8_t>(edges.size() + 1) : code_of(x);
    }
    bins[j].edges = edges;
  });
  return bins;
}

}  // namespace hedgerow::gradient

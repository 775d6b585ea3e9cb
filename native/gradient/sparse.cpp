#include "gradient/sparse.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "gradient/bin.hpp"

namespace hedgerow::gradient {
namespace {

constexpr int64_t kRowsPerOther = 8;    // at most one row in so many has another code
constexpr int64_t kEnoughColumns = 32;  // below, to read a row's entries takes longer than its codes
constexpr int64_t kFewRows = 1024;      // one row in so many, or fewer, is looked for

using Counts = std::array<int64_t, kMaxCodes>;  // of the rows with a code

// Four counters each, so that equal codes in a row do not wait for each other.
Counts count_codes(const uint8_t* codes, int64_t n) {
  std::array<Counts, 4> counts{};
  int64_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; ++k) ++counts[k][codes[i + k]];
  for (; i < n; ++i) ++counts[0][codes[i]];
  for (int k = 1; k < 4; ++k)
    for (int code = 0; code < kMaxCodes; ++code) counts[0][code] += counts[k][code];
  return counts[0];
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

// count(j): rows of each code.   codes_of(j, written): the codes, which may be written there.
template <class Count, class CodesOf>
Others others_of(size_t columns, int64_t n_rows, int64_t min_rows, ThreadTeam& team, Count count,
                 CodesOf codes_of) {
  const auto d = static_cast<int64_t>(columns);
  Others out;
  out.usual.resize(columns);
  std::vector<int64_t> many(columns);
  team.run(d, [&](int64_t j, int) {
    const Counts counts = count(j);
    const auto most = std::max_element(counts.begin(), counts.end());
    many[j] = n_rows - *most;
    out.usual[j] = many[j] < min_rows                 ? kNeverSplit
                   : many[j] > n_rows / kRowsPerOther ? kNotSparse
                                                      : static_cast<int32_t>(most - counts.begin());
  });
  if (std::count_if(out.usual.begin(), out.usual.end(), [](int32_t u) { return u >= 0; }) < kEnoughColumns)
    for (int32_t& usual : out.usual) usual = std::min(usual, kNotSparse);
  out.start.assign(columns + 1, 0);
  for (size_t j = 0; j < columns; ++j) out.start[j + 1] = out.start[j] + (out.usual[j] >= 0 ? many[j] : 0);
  out.row.resize(out.start[columns]);
  out.code.resize(out.start[columns]);
  std::vector<std::vector<uint8_t>> written(team.size());
  team.run(d, [&](int64_t j, int worker) {
    if (out.usual[j] < 0) return;
    const uint8_t* codes = codes_of(j, written[worker]);
    int64_t at = out.start[j];
    visit_others(codes, n_rows, out.usual[j], [&](int64_t i) {
      out.row[at] = static_cast<uint32_t>(i);
      out.code[at++] = codes[i];
    });
  });
  return out;
}

}  // namespace

Others find_others(const uint8_t* codes, size_t columns, int64_t n_rows, int64_t min_rows, ThreadTeam& team) {
  auto codes_of = [&](int64_t j) { return codes + j * n_rows; };
  return others_of(
      columns, n_rows, min_rows, team, [&](int64_t j) { return count_codes(codes_of(j), n_rows); },
      [&](int64_t j, std::vector<uint8_t>&) { return codes_of(j); });
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
      for (int64_t o = table.other_start[j]; o < table.other_start[j + 1]; ++o) ++count[table.other_row[o]];
  });
  int64_t total = 0;
  for (int64_t& s : out.start) s = total += s;
  out.entries.resize(total);
  team.run(many, [&](int64_t g, int) {
    const Group& group = groups[first + g];
    std::vector<int64_t> next(out.start.begin() + g * (n + 1), out.start.begin() + (g + 1) * (n + 1));
    for (int32_t j : group.columns) {
      const int64_t cell = table.groups.cells_of[j] - group.cells_start;
      for (int64_t o = table.other_start[j]; o < table.other_start[j + 1]; ++o)
        out.entries[next[table.other_row[o]]++] = static_cast<uint16_t>(cell + table.other_code[o]);
    }
  });
  return out;
}

void write_codes(const BinnedTable& table, int32_t j, int64_t begin, int64_t end, uint8_t* codes) {
  std::memset(codes, table.columns[j].usual, static_cast<size_t>(end - begin));
  const uint32_t* last = table.other_row + table.other_start[j + 1];
  const uint32_t* at = std::lower_bound(table.other_row + table.other_start[j], last, begin);
  for (; at < last && *at < end; ++at) codes[*at - begin] = table.other_code[at - table.other_row];
}

void write_codes_of(const BinnedTable& table, int32_t j, const uint32_t* rows, int64_t n, uint8_t* codes) {
  const int64_t begin = rows[0], end = rows[n - 1] + int64_t{1};
  if (n * kFewRows > end - begin) return write_codes(table, j, begin, end, codes + begin);
  const uint32_t* last = table.other_row + table.other_start[j + 1];
  const uint32_t* at = table.other_row + table.other_start[j];
  for (int64_t k = 0; k < n; ++k) {
    at = std::lower_bound(at, last, rows[k]);
    codes[rows[k]] = at < last && *at == rows[k] ? table.other_code[at - table.other_row]
                                                 : static_cast<uint8_t>(table.columns[j].usual);
  }
}

SparseBins bin_entries(const std::vector<SparseColumn>& columns, int64_t n_rows, int max_bins,
                       int64_t min_rows, ThreadTeam& team) {
  const size_t d = columns.size();
  SparseBins bins;
  bins.edges.resize(d);
  bins.has_missing.resize(d);
  auto code_of = [&](int64_t j, double x) {
    const auto& edges = bins.edges[j];
    return static_cast<uint8_t>(x != x ? edges.size() + 1
                                       : std::lower_bound(edges.begin(), edges.end(), x) - edges.begin());
  };
  auto count = [&](int64_t j) {
    const SparseColumn& own = columns[j];
    ValueCells zeros;
    if (own.n < n_rows) zeros = {0, {n_rows - own.n}, {0.0}, {0.0}};
    CountingMemory memory;
    bins.edges[j] = edges_of(count_values(zeros, own.values, own.n, memory), max_bins);
    Counts counts{};
    for (int64_t e = 0; e < own.n; ++e) ++counts[code_of(j, own.values[e])];
    bins.has_missing[j] = counts[bins.edges[j].size() + 1] > 0;
    counts[code_of(j, 0.0)] += n_rows - own.n;
    return counts;
  };
  auto write_column = [&](int64_t j, uint8_t* codes) {
    std::memset(codes, code_of(j, 0.0), static_cast<size_t>(n_rows));
    for (int64_t e = 0; e < columns[j].n; ++e) codes[columns[j].row[e]] = code_of(j, columns[j].values[e]);
  };
  bins.others = others_of(d, n_rows, min_rows, team, count, [&](int64_t j, std::vector<uint8_t>& written) {
    written.resize(n_rows);
    write_column(j, written.data());
    return written.data();
  });
  std::vector<int64_t> dense;
  for (size_t j = 0; j < d; ++j)
    if (bins.others.usual[j] == kNotSparse) dense.push_back(static_cast<int64_t>(j));
  bins.codes.resize(dense.size() * n_rows);
  team.run(static_cast<int64_t>(dense.size()),
           [&](int64_t k, int) { write_column(dense[k], bins.codes.data() + k * n_rows); });
  return bins;
}

}  // namespace hedgerow::gradient

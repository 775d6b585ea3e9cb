#include "boost/coarse.hpp"

#include <algorithm>

namespace hedgerow {
namespace {

// Coarse codes of about equal numbers of rows; a value is never divided between two.
template <class T>
void make_coarse(const T* codes, int64_t n_codes, int64_t n_rows, uint8_t* coarse, uint32_t* order,
                 int64_t* bin_start, int64_t* last_code) {
  std::vector<int64_t> place(n_codes + 2, 0);
  for (int64_t i = 0; i < n_rows; ++i) ++place[static_cast<int64_t>(codes[i]) + 1];
  for (int64_t c = 1; c <= n_codes + 1; ++c) place[c] += place[c - 1];
  const int64_t present = place[n_codes];
  std::vector<uint8_t> bin_of(n_codes + 1, kCoarseMissing);
  std::fill(bin_start, bin_start + kCoarse, present);
  std::fill(last_code, last_code + kCoarse, -1);
  int bin = -1;
  int64_t next = 0;  // rows before the next coarse code may begin
  for (int64_t c = 0; c < n_codes; ++c) {
    if (place[c] >= next && bin + 1 < kCoarseMissing) {
      ++bin;
      bin_start[bin] = place[c];
      next = (bin + 1) * present / kCoarseMissing + 1;
    }
    bin_of[c] = static_cast<uint8_t>(bin);
    last_code[bin] = c;
  }
  for (int64_t i = 0; i < n_rows; ++i) {
    const int64_t code = codes[i];
    coarse[i] = bin_of[code];
    if (code < n_codes) order[place[code]++] = static_cast<uint32_t>(i);
  }
  for (int64_t c = 0; c < n_codes; ++c) order[place[c] - 1] |= kLastOfCode;
}

void put_together(const std::vector<uint8_t>& by_column, int64_t n_columns, int64_t n_rows,
                  std::vector<uint8_t>& out, ThreadTeam& team) {
  constexpr int64_t rows = 4096;  // a task
  const int64_t teams = teams_of(n_columns), parts = (n_rows + rows - 1) / rows;
  out.resize(teams * n_rows * kTogether);
  team.run(teams * parts, [&](int64_t task, int) {
    const int64_t team = task / parts, begin = task % parts * rows, end = std::min(n_rows, begin + rows);
    for (int64_t j = team * kTogether; j < std::min(n_columns, (team + 1) * kTogether); ++j) {
      const uint8_t* from = by_column.data() + j * n_rows;
      uint8_t* to = out.data() + team * n_rows * kTogether + j % kTogether;
      for (int64_t i = begin; i < end; ++i) to[i * kTogether] = from[i];
    }
  });
}

}  // namespace

CoarseColumns coarse_columns(const std::vector<CodeColumn>& columns, int64_t n_rows, ThreadTeam& team) {
  const auto d = static_cast<int64_t>(columns.size());
  CoarseColumns out;
  out.order_start.assign(d, -1);
  out.bin_start.assign(d * kCoarse, 0);
  out.last_code.assign(d * kCoarse, -1);
  int64_t ordered = 0;
  for (int64_t j = 0; j < d; ++j)
    if (many_numbers(columns[j])) out.order_start[j] = n_rows * ordered++;
  out.order.resize(n_rows * ordered);
  std::vector<uint8_t> by_column(d * n_rows);
  team.run(d, [&](int64_t j, int) {
    const CodeColumn& c = columns[j];
    uint8_t* coarse = by_column.data() + j * n_rows;
    if (many_levels(c)) return;
    with_codes(c, [&](const auto* codes) {
      if (many_numbers(c))
        return make_coarse(codes, c.n_codes, n_rows, coarse, out.order.data() + out.order_start[j],
                           out.bin_start.data() + j * kCoarse, out.last_code.data() + j * kCoarse);
      for (int64_t i = 0; i < n_rows; ++i)
        coarse[i] =
            static_cast<uint8_t>(static_cast<int64_t>(codes[i]) == c.n_codes ? kCoarseMissing : codes[i]);
      for (int64_t b = 0; b < c.n_codes; ++b) out.last_code[j * kCoarse + b] = b;
    });
  });
  put_together(by_column, d, n_rows, out.coarse, team);
  return out;
}

}  // namespace hedgerow

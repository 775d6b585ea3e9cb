#include "forest/records.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "forest/ordered.hpp"
#include "grow/row_set.hpp"
#include "grow/sparse_columns.hpp"

namespace hedgerow {

namespace {

bool are_float32(const CodeColumn& column) {
  return std::all_of(column.values, column.values + column.n_codes,
                     [](double x) { return static_cast<double>(static_cast<float>(x)) == x; });
}

constexpr int64_t kFewCodes = 2048;  // a table of their values stays in the nearest cache

// The numbers of a column, or nothing where they are few, missing, or not float32.
std::vector<uint32_t> ordered_numbers(const CodeColumn& column, int64_t n_rows) {
  if (column.n_codes <= kFewCodes || column.n_levels || !are_float32(column)) return {};
  std::vector<uint32_t> out(n_rows);
  for (int64_t i = 0; i < n_rows; ++i) {
    const uint32_t code = code_at(column, static_cast<uint32_t>(i));
    if (code == column.n_codes) return {};
    out[i] = ordered_bits(static_cast<float>(column.values[code]));
  }
  return out;
}

void add_entries(const GrowInput& input, Records& out) {
  out.entry_start.assign(input.n_rows + 1, 0);
  for (const CodeColumn& column : input.columns) {
    out.largest_code = std::max(out.largest_code, static_cast<uint32_t>(column.n_codes));
    for (int64_t e = 0; e < column.n_entries; ++e) ++out.entry_start[column.entry_rows[e] + 1];
  }
  std::partial_sum(out.entry_start.begin(), out.entry_start.end(), out.entry_start.begin());
  out.entry_columns.resize(out.entry_start.back());
  std::vector<int64_t> end(out.entry_start.begin(), out.entry_start.end() - 1);
  for (size_t j = 0; j < input.columns.size(); ++j)
    for (int64_t e = 0; e < input.columns[j].n_entries; ++e)
      out.entry_columns[end[input.columns[j].entry_rows[e]]++] = static_cast<int32_t>(j);
}

}  // namespace

Records make_records(const GrowInput& input, bool numbers, RecordPlace place, ThreadTeam& team) {
  const auto d = static_cast<int32_t>(input.columns.size());
  Records out;
  out.offset.resize(d);
  out.width.resize(d);
  out.ordered.resize(d);
  if (is_sparse(input)) {
    add_entries(input, out);
    return out;
  }
  if (numbers)
    team.run(d, [&](int64_t j, int) { out.ordered[j] = ordered_numbers(input.columns[j], input.n_rows); });
  int64_t end = 0;
  for (const int width : {4, 2, 1})  // widest first: every code is aligned
    for (int32_t j = 0; j < d; ++j)
      if ((out.has_numbers(j) ? 4 : input.columns[j].width) == width) {
        out.offset[j] = static_cast<int32_t>(end);
        out.width[j] = static_cast<uint8_t>(width);
        end += width;
      }
  for (int32_t j = 0; j < d; ++j)
    if (!out.has_numbers(j))
      out.largest_code = std::max(out.largest_code, static_cast<uint32_t>(input.columns[j].n_codes));
  out.stride = (end + 3) / 4 * 4;
  const int64_t size = out.stride * input.n_rows;
  if (place.bytes && place.size < size) throw std::invalid_argument("the place for records is too small");
  if (!place.bytes) out.own.resize(size);
  out.bytes = place.bytes ? place.bytes : out.own.data();
  constexpr int64_t kRows = 1024;
  team.run((input.n_rows + kRows - 1) / kRows, [&](int64_t chunk, int) {
    const int64_t first = chunk * kRows, last = std::min(input.n_rows, first + kRows);
    for (int32_t j = 0; j < d; ++j) {
      const int width = out.width[j];
      const uint8_t* codes = out.column(input, j) + first * width;
      uint8_t* to = out.bytes + first * out.stride + out.offset[j];
      auto copy = [&](auto bytes) {
        for (int64_t i = first; i < last; ++i, codes += bytes, to += out.stride)
          std::memcpy(to, codes, bytes);
      };
      if (width == 1) copy(std::integral_constant<size_t, 1>{});
      if (width == 2) copy(std::integral_constant<size_t, 2>{});
      if (width == 4) copy(std::integral_constant<size_t, 4>{});
    }
  });
  return out;
}

}  // namespace hedgerow

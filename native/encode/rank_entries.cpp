#include "encode/rank_entries.hpp"

#include <algorithm>

namespace hedgerow {
namespace {

// The different numbers of a column, ascending; zero among them where a row has no entry.
template <class T>
std::vector<double> distinct(const T* values, int64_t n, bool some_rest, int64_t& missing) {
  std::vector<double> out;
  out.reserve(n + 1);
  for (int64_t e = 0; e < n; ++e)
    if (values[e] == values[e]) out.push_back(static_cast<double>(values[e]) + 0.0);  // -0 and 0 are one
  missing = n - static_cast<int64_t>(out.size());
  if (some_rest) out.push_back(0.0);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

template <class T>
void rank(const EntryColumns& columns, ThreadTeam& team, EntryCodes& out) {
  const auto* all = static_cast<const T*>(columns.values);
  std::vector<std::vector<double>> values(columns.n_columns);
  team.run(columns.n_columns, [&](int64_t j, int) {
    const int64_t begin = columns.start[j], n = columns.start[j + 1] - begin;
    values[j] = distinct(all + begin, n, n < columns.n_rows, out.n_missing[j]);
    const auto& own = values[j];
    auto code = [&](double x) {
      return static_cast<uint32_t>(std::lower_bound(own.begin(), own.end(), x) - own.begin());
    };
    out.n_codes[j] = static_cast<int64_t>(own.size());
    out.rest[j] = n < columns.n_rows ? code(0.0) : 0;
    for (int64_t e = begin; e < begin + n; ++e)
      out.codes[e] = all[e] == all[e] ? code(static_cast<double>(all[e])) : static_cast<uint32_t>(own.size());
  });
  for (const auto& own : values) {
    out.value_start.push_back(static_cast<int64_t>(out.values.size()));
    out.values.insert(out.values.end(), own.begin(), own.end());
  }
  out.value_start.push_back(static_cast<int64_t>(out.values.size()));
}

}  // namespace

EntryCodes rank_entries(const EntryColumns& columns, ThreadTeam& team) {
  EntryCodes out;
  out.codes.resize(columns.start[columns.n_columns]);
  out.rest.resize(columns.n_columns);
  out.n_codes.resize(columns.n_columns);
  out.n_missing.resize(columns.n_columns);
  if (columns.wide)
    rank<double>(columns, team, out);
  else
    rank<float>(columns, team, out);
  return out;
}

}  // namespace hedgerow

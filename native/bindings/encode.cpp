// Columns of numbers -> rank codes.
#include "bindings/bindings.hpp"
#include "encode/infinite.hpp"
#include "encode/rank.hpp"
#include "encode/rank_entries.hpp"

namespace hedgerow::bindings {
namespace {

std::vector<FloatColumn> float_columns(const std::vector<AnyColumn>& columns, size_t n) {
  std::vector<FloatColumn> in;
  for (const auto& c : columns) {
    same_length(c.shape(0), n, "a column");
    in.push_back({c.data(), c.stride(0), is_wide(c.dtype())});
  }
  return in;
}

nb::list rank_columns_py(const std::vector<AnyColumn>& columns, int threads) {
  const size_t n = columns.empty() ? 0 : columns[0].shape(0);
  if (n > 0xffffffffull) throw nb::value_error("more than 2^32 - 1 rows");
  const std::vector<FloatColumn> in = float_columns(columns, n);
  auto ranked =
      work_freely(threads, [&](ThreadTeam& team) { return rank_columns(in, static_cast<int64_t>(n), team); });
  nb::list out;
  for (auto& r : ranked) {
    uint8_t* data = r.codes.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<uint8_t*>(p); });
    nb::object codes;
    if (r.width == 1)
      codes = nb::cast(Out<uint8_t>(data, {n}, owner));
    else if (r.width == 2)
      codes = nb::cast(Out<uint16_t>(reinterpret_cast<uint16_t*>(data), {n}, owner));
    else
      codes = nb::cast(Out<uint32_t>(reinterpret_cast<uint32_t*>(data), {n}, owner));
    out.append(nb::make_tuple(codes, r.n_codes, r.n_missing));
  }
  return out;
}

nb::list distinct_values_py(const std::vector<AnyColumn>& columns, const std::vector<AnyColumn>& codes,
                            const In<int64_t>& n_codes, int threads) {
  const size_t n = columns.empty() ? 0 : columns[0].shape(0);
  same_length(codes.size(), columns.size(), "codes");
  same_length(n_codes.shape(0), columns.size(), "n_codes");
  const std::vector<FloatColumn> in = float_columns(columns, n);
  std::vector<CodedColumn> coded;
  std::vector<std::vector<double>> values;
  std::vector<double*> out;
  for (size_t j = 0; j < columns.size(); ++j) {
    same_length(codes[j].shape(0), n, "a column of codes");
    coded.push_back({codes[j].data(), static_cast<int>(codes[j].itemsize()), n_codes.data()[j]});
    values.emplace_back(n_codes.data()[j]);
  }
  for (auto& column : values) out.push_back(column.data());
  work_freely(threads, [&](ThreadTeam& team) {
    distinct_values(in, coded, static_cast<int64_t>(n), out.data(), team);
    return 0;
  });
  nb::list all;
  for (auto& column : values) all.append(give(std::move(column)));
  return all;
}

// Whether a cell is an infinity; NaN is none.
bool any_infinite_py(const AnyMatrix& rows, int threads) {
  const Matrix m = matrix(rows);
  return work_freely(threads, [&](ThreadTeam& team) {
    return any_infinite(m.data, m.wide, m.n_rows, static_cast<int64_t>(rows.shape(1)), m.row_stride,
                        m.column_stride, team);
  });
}

nb::tuple rank_entries_py(const In<int64_t>& start, const AnyColumn& values, int64_t n_rows, int threads) {
  if (start.shape(0) < 2) throw nb::value_error("a table has at least one column");
  const auto n_columns = static_cast<int64_t>(start.shape(0)) - 1;
  same_length(values.shape(0), static_cast<size_t>(start.data()[n_columns]), "values of entries");
  const EntryColumns columns{n_rows, n_columns, start.data(), values.data(), is_wide(values.dtype())};
  EntryCodes out = work_freely(threads, [&](ThreadTeam& team) { return rank_entries(columns, team); });
  return nb::make_tuple(give(std::move(out.codes)), give(std::move(out.rest)), give(std::move(out.n_codes)),
                        give(std::move(out.n_missing)), give(std::move(out.value_start)),
                        give(std::move(out.values)));
}

}  // namespace

void add_encode(nb::module_& m) {
  m.def("rank_columns", &rank_columns_py, nb::arg("columns"), nb::arg("threads"));
  m.def("distinct_values", &distinct_values_py, nb::arg("columns"), nb::arg("codes"), nb::arg("n_codes"),
        nb::arg("threads"));
  m.def("any_infinite", &any_infinite_py, nb::arg("rows"), nb::arg("threads"));
  m.def("rank_entries", &rank_entries_py, nb::arg("start"), nb::arg("values"), nb::arg("n_rows"),
        nb::arg("threads"));
}

}  // namespace hedgerow::bindings

// Columns of numbers -> rank codes.
#include "bindings/bindings.hpp"
#include "encode/rank.hpp"
#include "encode/rank_entries.hpp"

namespace hedgerow::bindings {
namespace {

nb::list rank_columns_py(const std::vector<AnyColumn>& columns, int threads) {
  std::vector<FloatColumn> in;
  const size_t n = columns.empty() ? 0 : columns[0].shape(0);
  if (n > 0xffffffffull) throw nb::value_error("more than 2^32 - 1 rows");
  for (const auto& c : columns) {
    same_length(c.shape(0), n, "a column");
    in.push_back({c.data(), c.stride(0), is_wide(c.dtype())});
  }
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
  m.def("rank_entries", &rank_entries_py, nb::arg("start"), nb::arg("values"), nb::arg("n_rows"),
        nb::arg("threads"));
}

}  // namespace hedgerow::bindings

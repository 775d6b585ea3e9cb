// Columns of numbers -> rank codes.
#include "bindings/bindings.hpp"
#include "encode/rank.hpp"

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

}  // namespace

void add_encode(nb::module_& m) {
  m.def("rank_columns", &rank_columns_py, nb::arg("columns"), nb::arg("threads"));
}

}  // namespace hedgerow::bindings

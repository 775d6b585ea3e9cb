// Forests whose rows lie in several places: what one place has to say.
#include "forest/shard.hpp"

#include "bindings/grown.hpp"
#include "grow/row_set.hpp"

namespace hedgerow::bindings {
namespace {

How how_by_name(const std::string& how) {
  if (how == "all") return How::kAll;
  if (how == "bootstrap") return How::kBootstrap;
  if (how == "subsample") return How::kSubsample;
  throw nb::value_error("rows are drawn by 'all', 'bootstrap' or 'subsample'");
}

Out<uint32_t> draw_counts_of_places_py(const std::string& how, int64_t n_order, int64_t size, uint64_t seed,
                                       int64_t tree, const In<int64_t>& place, const In<double>& begin,
                                       const In<double>& end, double line_end) {
  PlacePlan plan{how_by_name(how), n_order,    size,
                 line_end,         seed,       place.data(),
                 begin.data(),     end.data(), static_cast<int64_t>(place.shape(0))};
  for (int64_t i = 0; i < plan.n; ++i)
    if (plan.place[i] < (i ? plan.place[i - 1] + 1 : 0) || plan.place[i] >= n_order)
      throw nb::value_error("places must ascend and be below the number of rows that may be drawn");
  if (line_end > 0) {
    same_length(begin.shape(0), place.shape(0), "begin");
    same_length(end.shape(0), place.shape(0), "end");
  }
  std::vector<uint32_t> counts(plan.n);
  work_freely(1, [&](ThreadTeam&) {
    draw_counts_of_places(plan, tree, counts.data());
    return 0;
  });
  return give(std::move(counts));
}

Out<int64_t> count_codes_py(const AnyColumn& codes, int64_t n_codes, const In<uint32_t>& rows,
                            const In<int32_t>& classes, const In<uint32_t>& counts, int n_classes) {
  const CodeColumn column = code_column(codes, n_codes, 0, 0);
  const size_t n = codes.shape(0);
  same_length(classes.shape(0), n, "classes");
  same_length(counts.shape(0), n, "counts");
  for (size_t k = 0; k < rows.shape(0); ++k) {
    const uint32_t row = rows.data()[k];
    if (row >= n || code_at(column, row) > n_codes || classes.data()[row] < 0 ||
        classes.data()[row] >= n_classes)
      throw nb::value_error("a row, a code or a class is out of range");
  }
  std::vector<int64_t> cells((n_codes + 1) * (n_classes + 1), 0);
  work_freely(1, [&](ThreadTeam&) {
    count_codes(column, rows.data(), static_cast<int64_t>(rows.shape(0)), classes.data(), counts.data(),
                n_classes, cells.data());
    return 0;
  });
  return give(std::move(cells));
}

}  // namespace

void add_forest_shard(nb::module_& m) {
  m.def("draw_counts_of_places", &draw_counts_of_places_py, nb::arg("how"), nb::arg("n_order"),
        nb::arg("size"), nb::arg("seed"), nb::arg("tree"), nb::arg("place"), nb::arg("begin"), nb::arg("end"),
        nb::arg("line_end"));
  m.def("count_codes", &count_codes_py, nb::arg("codes"), nb::arg("n_codes"), nb::arg("rows"),
        nb::arg("classes"), nb::arg("counts"), nb::arg("n_classes"));
}

}  // namespace hedgerow::bindings

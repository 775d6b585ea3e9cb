// Forests: which rows each tree draws, many trees at once, their prediction.
#include "door.hpp"
#include "forest/draws.hpp"

namespace hedgerow::door {
namespace {

How how_of(const std::string& how) {
  if (how == "all") return How::kAll;
  if (how == "bootstrap") return How::kBootstrap;
  if (how == "subsample") return How::kSubsample;
  throw nb::value_error("rows are drawn by 'all', 'bootstrap' or 'subsample'");
}

DrawPlan draw_plan(const std::string& how, int64_t n_rows, int64_t size, const In<uint32_t>& order,
                   const In<double>& line, uint64_t seed) {
  DrawPlan plan;
  plan.how = how_of(how);
  plan.n_rows = n_rows;
  plan.size = size;
  plan.order = order.data();
  plan.n_order = static_cast<int64_t>(order.shape(0));
  plan.seed = seed;
  if (n_rows < 1 || plan.n_order < 1 || size < 1) throw nb::value_error("there must be rows to draw");
  for (int64_t k = 0; k < plan.n_order; ++k)
    if (plan.order[k] >= n_rows) throw nb::value_error("a row number is out of range");
  if (line.shape(0)) {
    same_length(line.shape(0), order.shape(0), "the line of weights");
    plan.line = line.data();
  }
  return plan;
}

Out<uint32_t> draw_counts_py(const std::string& how, int64_t n_rows, int64_t size, const In<uint32_t>& order,
                             const In<double>& line, uint64_t seed, int64_t tree) {
  const DrawPlan plan = draw_plan(how, n_rows, size, order, line, seed);
  std::vector<uint32_t> counts(n_rows);
  work_freely(1, [&](Crew&) {
    draw_counts(plan, tree, counts.data());
    return 0;
  });
  return give(std::move(counts));
}

Out<uint64_t> hash_rows_py(const std::vector<AnyColumn>& columns, size_t n_rows) {
  std::vector<uint64_t> hashes(n_rows, 0);
  for (const auto& column : columns) {
    same_length(column.shape(0), n_rows, "a column");
    const auto n = static_cast<int64_t>(n_rows);
    if (is_wide(column.dtype()))
      hash_numbers(hashes.data(), static_cast<const double*>(column.data()), column.stride(0), n);
    else
      hash_numbers(hashes.data(), static_cast<const float*>(column.data()), column.stride(0), n);
  }
  return give(std::move(hashes));
}

Out<uint64_t> hash_more_py(const In<uint64_t>& hashes, const In<uint64_t>& words) {
  same_length(words.shape(0), hashes.shape(0), "a column");
  std::vector<uint64_t> out(hashes.data(), hashes.data() + hashes.shape(0));
  hash_more(out.data(), words.data(), static_cast<int64_t>(out.size()));
  return give(std::move(out));
}

}  // namespace

void add_forest(nb::module_& m) {
  m.def("draw_counts", &draw_counts_py, nb::arg("how"), nb::arg("n_rows"), nb::arg("size"), nb::arg("order"),
        nb::arg("line"), nb::arg("seed"), nb::arg("tree"));
  m.def("hash_rows", &hash_rows_py, nb::arg("columns"), nb::arg("n_rows"));
  m.def("hash_more", &hash_more_py, nb::arg("hashes"), nb::arg("words"));
  m.def("tree_seed", &tree_seed, nb::arg("seed"), nb::arg("tree"));
}

}  // namespace hedgerow::door

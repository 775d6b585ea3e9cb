// What is a function of a tree: the leaf of a row, weakest links.
#include "bindings/bindings.hpp"
#include "prune/weakest_link.hpp"
#include "walk/walk.hpp"

namespace hedgerow::bindings {
namespace {

PackedTree packed_tree(const InMatrix<uint8_t>& nodes, int feature_bits, const In<uint64_t>& words,
                       const AnyMatrix& rows) {
  if (nodes.shape(0) == 0) throw nb::value_error("a tree has at least one node");
  const size_t wanted = feature_bits ? sizeof(NarrowNode) : sizeof(WideNode);
  if (nodes.shape(1) != wanted)
    throw nb::value_error("packed nodes are 8 bytes (narrow) or 16 bytes (wide) each");
  if (feature_bits && is_wide(rows.dtype())) throw nb::type_error("narrow nodes are for float32 rows");
  return {nodes.data(), feature_bits, words.data(), words.shape(0) > 0};
}

Out<int32_t> leaves_py(const InMatrix<uint8_t>& nodes, int feature_bits, const In<uint64_t>& words,
                       const AnyMatrix& rows, int threads) {
  const PackedTree tree = packed_tree(nodes, feature_bits, words, rows);
  const Matrix m = matrix(rows);
  std::vector<int32_t> leaf(rows.shape(0));
  work_freely(threads, [&](ThreadTeam& team) {
    leaves_of(tree, m, leaf.data(), team);
    return 0;
  });
  return give(std::move(leaf));
}

OutMatrix<double> values_py(const InMatrix<uint8_t>& nodes, int feature_bits, const In<uint64_t>& words,
                            const AnyMatrix& rows, const InMatrix<double>& values, int threads) {
  const PackedTree tree = packed_tree(nodes, feature_bits, words, rows);
  if (values.shape(0) != nodes.shape(0)) throw nb::value_error("values need one row a node");
  const Matrix m = matrix(rows);
  const size_t outputs = values.shape(1), n = rows.shape(0);
  auto* data = new double[std::max<size_t>(1, n * outputs)];  // not cleared: every cell is written
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  work_freely(threads, [&](ThreadTeam& team) {
    values_of(tree, m, values.data(), static_cast<int>(outputs), data, team);
    return 0;
  });
  return OutMatrix<double>(data, {n, outputs}, owner);
}

nb::tuple weakest_links_py(In<int32_t> parent, In<double> risk) {
  same_length(risk.shape(0), parent.shape(0), "risk");
  const auto n = static_cast<int64_t>(parent.shape(0));
  for (int64_t t = 1; t < n; ++t)
    if (parent.data()[t] < 0 || parent.data()[t] >= t)
      throw nb::value_error("parents must come before children");
  Cuts cuts = weakest_links(parent.data(), risk.data(), n);
  return nb::make_tuple(give(std::move(cuts.alpha)), give(std::move(cuts.order)), give(std::move(cuts.risk)));
}

}  // namespace

void add_tree(nb::module_& m) {
  m.def("leaves", &leaves_py, nb::arg("nodes"), nb::arg("feature_bits"), nb::arg("words"), nb::arg("rows"),
        nb::arg("threads"));
  m.def("values", &values_py, nb::arg("nodes"), nb::arg("feature_bits"), nb::arg("words"), nb::arg("rows"),
        nb::arg("values"), nb::arg("threads"));
  m.def("weakest_links", &weakest_links_py, nb::arg("parent"), nb::arg("risk"));
}

}  // namespace hedgerow::bindings

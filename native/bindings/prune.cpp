// Trees with multiway splits, fractional instances or surrogates: where rows end in them, and their pruning
// by raising branches.
#include "prune/raising.hpp"

#include "bindings/bindings.hpp"

namespace hedgerow::bindings {
namespace {

// The arrays that tree/pack.py makes of any tree.
using Nodes = InMatrix<uint8_t>;

MultiwayTree multiway_tree(const Nodes& nodes, const In<uint64_t>& words, const Nodes& surrogates,
                           const In<int64_t>& surrogate_begin, const In<uint64_t>& surrogate_words,
                           const In<double>& part) {
  if (nodes.shape(0) == 0) throw nb::value_error("a tree has at least one node");
  if (nodes.shape(1) != sizeof(MultiwayNode) || surrogates.shape(1) != sizeof(SurrogateNode))
    throw nb::value_error("packed nodes are 40 bytes each, surrogates 32");
  if (surrogate_begin.shape(0) != nodes.shape(0) + 1 || part.shape(0) != nodes.shape(0))
    throw nb::value_error("a part and a place of surrogates for each node, and one place more");
  return {reinterpret_cast<const MultiwayNode*>(nodes.data()),
          static_cast<int64_t>(nodes.shape(0)),
          words.data(),
          reinterpret_cast<const SurrogateNode*>(surrogates.data()),
          surrogate_begin.data(),
          surrogate_words.data(),
          part.data()};
}

Out<int32_t> multiway_leaves_py(const Nodes& nodes, const In<uint64_t>& words, const Nodes& surrogates,
                                const In<int64_t>& surrogate_begin, const In<uint64_t>& surrogate_words,
                                const In<double>& part, const AnyMatrix& rows, int threads) {
  const MultiwayTree tree = multiway_tree(nodes, words, surrogates, surrogate_begin, surrogate_words, part);
  const Matrix m = matrix(rows);
  std::vector<int32_t> leaf(rows.shape(0));
  work_freely(threads, [&](ThreadTeam& team) {
    multiway_leaves(tree, m, leaf.data(), team);
    return 0;
  });
  return give(std::move(leaf));
}

OutMatrix<double> multiway_values_py(const Nodes& nodes, const In<uint64_t>& words, const Nodes& surrogates,
                                     const In<int64_t>& surrogate_begin, const In<uint64_t>& surrogate_words,
                                     const In<double>& part, const AnyMatrix& rows,
                                     const InMatrix<double>& values, int threads) {
  const MultiwayTree tree = multiway_tree(nodes, words, surrogates, surrogate_begin, surrogate_words, part);
  if (values.shape(0) != nodes.shape(0)) throw nb::value_error("values need one row a node");
  const Matrix m = matrix(rows);
  const size_t n = rows.shape(0), outputs = values.shape(1);
  std::vector<double> out(n * outputs);
  work_freely(threads, [&](ThreadTeam& team) {
    multiway_values(tree, m, values.data(), static_cast<int>(outputs), out.data(), team);
    return 0;
  });
  return give_matrix(std::move(out), n, outputs);
}

nb::tuple multiway_ends_py(const Nodes& nodes, const In<uint64_t>& words, const Nodes& surrogates,
                           const In<int64_t>& surrogate_begin, const In<uint64_t>& surrogate_words,
                           const In<double>& part, const AnyMatrix& rows, int threads) {
  const MultiwayTree tree = multiway_tree(nodes, words, surrogates, surrogate_begin, surrogate_words, part);
  const Matrix m = matrix(rows);
  Ends ends = work_freely(threads, [&](ThreadTeam& team) { return multiway_ends(tree, m, team); });
  return nb::make_tuple(give(std::move(ends.row)), give(std::move(ends.leaf)), give(std::move(ends.share)));
}

nb::tuple raised_py(const Nodes& nodes, const In<uint64_t>& words, const Nodes& surrogates,
                    const In<int64_t>& surrogate_begin, const In<uint64_t>& surrogate_words,
                    const In<double>& part, const AnyMatrix& rows, const In<int32_t>& classes,
                    std::optional<In<double>> weight, int n_classes, double log_confidence, double z,
                    double tolerance, int threads) {
  RaisingInput input{multiway_tree(nodes, words, surrogates, surrogate_begin, surrogate_words, part),
                     matrix(rows),
                     classes.data(),
                     weight ? weight->data() : nullptr,
                     n_classes,
                     log_confidence,
                     z,
                     tolerance};
  same_length(classes.shape(0), rows.shape(0), "classes");
  if (weight) same_length(weight->shape(0), rows.shape(0), "weight");
  for (size_t i = 0; i < classes.shape(0); ++i)
    if (classes.data()[i] < 0 || classes.data()[i] >= n_classes)
      throw nb::value_error("a class is not in 0 .. n_classes - 1");
  Raised found = work_freely(threads, [&](ThreadTeam& team) { return raise_branches(input, team); });
  return nb::make_tuple(give(std::move(found.test)), give(std::move(found.moved)),
                        give_matrix(std::move(found.counts), nodes.shape(0), static_cast<size_t>(n_classes)),
                        give(std::move(found.n_rows)));
}

}  // namespace

void add_prune(nb::module_& m) {
  m.def("multiway_leaves", &multiway_leaves_py, nb::arg("nodes"), nb::arg("words"), nb::arg("surrogates"),
        nb::arg("surrogate_begin"), nb::arg("surrogate_words"), nb::arg("part"), nb::arg("rows"),
        nb::arg("threads"));
  m.def("multiway_values", &multiway_values_py, nb::arg("nodes"), nb::arg("words"), nb::arg("surrogates"),
        nb::arg("surrogate_begin"), nb::arg("surrogate_words"), nb::arg("part"), nb::arg("rows"),
        nb::arg("values"), nb::arg("threads"));
  m.def("multiway_ends", &multiway_ends_py, nb::arg("nodes"), nb::arg("words"), nb::arg("surrogates"),
        nb::arg("surrogate_begin"), nb::arg("surrogate_words"), nb::arg("part"), nb::arg("rows"),
        nb::arg("threads"));
  m.def("raised", &raised_py, nb::arg("nodes"), nb::arg("words"), nb::arg("surrogates"),
        nb::arg("surrogate_begin"), nb::arg("surrogate_words"), nb::arg("part"), nb::arg("rows"),
        nb::arg("classes"), nb::arg("weight").none(), nb::arg("n_classes"), nb::arg("log_confidence"),
        nb::arg("z"), nb::arg("tolerance"), nb::arg("threads"));
}

}  // namespace hedgerow::bindings

// Questions, points and their costs -> the best tree of questions.
#include "optimal/search.hpp"

#include "bindings/bindings.hpp"

namespace hedgerow::bindings {
namespace {

void check_problem(const InMatrix<uint64_t>& bits, const InMatrix<int64_t>& channels, const In<int64_t>& base,
                   const In<int64_t>& farthest, const In<int32_t>& group, const InMatrix<uint16_t>& cells) {
  const size_t n = base.shape(0);
  same_length(farthest.shape(0), n, "farthest");
  if (channels.shape(1) != n || channels.shape(0) == 0)
    throw nb::value_error("channels need an entry a point, and there is at least one channel");
  if (bits.shape(1) != (n + 63) / 64) throw nb::value_error("one bit a point, in words of 64");
  if (group.shape(0) != bits.shape(0)) throw nb::value_error("a group for each question");
  if (cells.shape(1) != n) throw nb::value_error("a cell for each point, in each group");
  for (size_t q = 0; q < group.shape(0); ++q)
    if (group.data()[q] < 0 || static_cast<size_t>(group.data()[q]) >= cells.shape(0))
      throw nb::value_error("a question is of no group");
  for (size_t q = 0; n % 64 && q < bits.shape(0); ++q)
    if (bits.data()[(q + 1) * bits.shape(1) - 1] >> (n % 64))
      throw nb::value_error("bits behind the last point");
}

// Parents before children, the yes side first, siblings next to each other.
void flatten(const optimal::Tree& root, std::vector<int32_t>& question, std::vector<int32_t>& first_child) {
  std::vector<const optimal::Node*> nodes{root.get()};
  for (size_t at = 0; at < nodes.size(); ++at) {
    const optimal::Node* node = nodes[at];
    question.push_back(node ? node->question : -1);
    first_child.push_back(node ? static_cast<int32_t>(nodes.size()) : -1);
    if (!node) continue;
    nodes.push_back(node->yes.get());
    nodes.push_back(node->no.get());
  }
}

nb::dict optimal_tree_py(const InMatrix<uint64_t>& bits, const InMatrix<int64_t>& channels,
                         const In<int64_t>& base, const In<int64_t>& farthest, const In<int32_t>& group,
                         const InMatrix<uint16_t>& cells, bool of_classes, double factor,
                         const In<int64_t>& least, double price, int max_depth, int64_t max_splits,
                         double seconds, int threads) {
  check_problem(bits, channels, base, farthest, group, cells);
  if (channels.shape(0) < least.shape(0) + (of_classes ? 1 : 2))
    throw nb::value_error("savings, or weights and sums, stand before the limits");
  optimal::Problem problem;
  problem.n_points = static_cast<int64_t>(base.shape(0));
  problem.n_questions = static_cast<int>(bits.shape(0));
  problem.bits = bits.data();
  problem.n_channels = static_cast<int>(channels.shape(0));
  problem.channels = channels.data();
  problem.base = base.data();
  problem.farthest = farthest.data();
  problem.n_groups = static_cast<int>(cells.shape(0));
  problem.group = group.data();
  problem.cells = cells.data();
  problem.of_classes = of_classes;
  problem.factor = factor;
  problem.n_limits = static_cast<int>(least.shape(0));
  problem.least = least.data();
  problem.price = price;
  problem.max_depth = max_depth;
  problem.max_splits = max_splits;
  problem.seconds = seconds;
  optimal::Found found =
      work_freely(threads, [&](ThreadTeam& team) { return optimal::find_best_tree(problem, team); });
  // Ctrl-C: what was found so far is returned, with the exception for the caller to raise.
  nb::object interrupt = nb::none();
  if (found.interrupted && PyErr_Occurred()) interrupt = nb::borrow(nb::python_error().value());
  std::vector<int32_t> question, first_child;
  flatten(found.solution.tree, question, first_child);
  nb::dict out;
  out["question"] = give(std::move(question));
  out["first_child"] = give(std::move(first_child));
  out["cost"] = found.solution.cost;
  out["lower"] = found.solution.lower;
  out["n_sets"] = found.n_sets;
  out["interrupt"] = interrupt;
  return out;
}

}  // namespace

void add_optimal(nb::module_& m) {
  m.def("optimal_tree", &optimal_tree_py, nb::kw_only(), nb::arg("bits"), nb::arg("channels"),
        nb::arg("base"), nb::arg("farthest"), nb::arg("group"), nb::arg("cells"), nb::arg("of_classes"),
        nb::arg("factor"), nb::arg("least"), nb::arg("price"), nb::arg("max_depth"), nb::arg("max_splits"),
        nb::arg("seconds"), nb::arg("threads"));
}

}  // namespace hedgerow::bindings

#include "walk/walk.hpp"

#include <limits>
#include <vector>

#include "check.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

constexpr uint32_t kMissingFirst = 1u << 31, kSubsetNode = 1u << 30, kFeatureMask = kSubsetNode - 1;

// A leaf leads to itself, whatever it is asked.
WideNode leaf_node(int32_t number) { return {kInf, number, kMissingFirst}; }

struct Drawn {
  std::vector<WideNode> nodes;
  std::vector<uint64_t> words;
  std::vector<int> levels;  // by column; 0: numbers
};

// Cells are rounded to float, so that matrices of both widths say the same; thresholds are not.
double draw_number(Dice& dice) {
  switch (dice.between(0, 9)) {
    case 0:
      return 0.0;
    case 1:
      return -0.0;
    case 2:
      return kInf;
    case 3:
      return -kInf;
    case 4:
      return 1e-40f;  // denormal as a float
    case 5:
      return 0.1;  // no float: a threshold that is rounded
    default:
      return static_cast<double>(dice.between(-16, 16)) / 4;
  }
}

Drawn draw_tree(Dice& dice, int64_t splits, int64_t columns, bool subsets) {
  Drawn tree;
  for (int64_t j = 0; j < columns; ++j)
    tree.levels.push_back(subsets && dice.chance(0.5) ? static_cast<int>(dice.between(1, 150)) : 0);
  std::vector<int32_t> leaves{0};
  tree.nodes.push_back(leaf_node(0));
  for (int64_t k = 0; k < splits; ++k) {
    const auto at = static_cast<size_t>(dice.between(0, static_cast<int64_t>(leaves.size()) - 1));
    const int32_t parent = leaves[at];
    const auto child = static_cast<int32_t>(tree.nodes.size());
    leaves[at] = child;
    leaves.push_back(child + 1);
    WideNode node{draw_number(dice), child, static_cast<uint32_t>(dice.between(0, columns - 1))};
    if (const int levels = tree.levels[node.feature]) {
      node.feature |= kSubsetNode;
      node.threshold = static_cast<double>(tree.words.size());
      for (int word = 0; word <= levels / 64; ++word) tree.words.push_back(dice.bits());
    }
    if (dice.chance(0.5)) node.feature |= kMissingFirst;
    tree.nodes[parent] = node;
    tree.nodes.push_back(leaf_node(child));
    tree.nodes.push_back(leaf_node(child + 1));
  }
  return tree;
}

std::vector<double> draw_rows(Dice& dice, const Drawn& tree, int64_t n) {
  std::vector<double> x;
  for (int64_t i = 0; i < n; ++i)
    for (const int levels : tree.levels)
      x.push_back(dice.chance(0.2) ? kNan
                  : levels         ? static_cast<double>(dice.between(0, levels))
                                   : static_cast<float>(draw_number(dice)));
  return x;
}

int32_t leaf_of(const Drawn& tree, const double* row) {
  int32_t at = 0;
  while (tree.nodes[at].child != at) {
    const WideNode& node = tree.nodes[at];
    const double x = row[node.feature & kFeatureMask];
    bool first;
    if (std::isnan(x))
      first = (node.feature & kMissingFirst) != 0;
    else if (node.feature & kSubsetNode)
      first = tree.words[static_cast<size_t>(node.threshold) + static_cast<size_t>(x) / 64] >>
                  (static_cast<int>(x) % 64) &
              1;
    else
      first = x <= node.threshold;
    at = node.child + (first ? 0 : 1);
  }
  return at;
}

// The same tree in nodes of half the size, as thresholds of float32 numbers allow.
std::vector<NarrowNode> narrow_nodes(const Drawn& tree, int feature_bits) {
  std::vector<NarrowNode> nodes;
  for (const WideNode& node : tree.nodes) {
    auto threshold = static_cast<float>(node.threshold);
    if (threshold > node.threshold)
      threshold = std::nextafter(threshold, -std::numeric_limits<float>::infinity());
    const uint32_t missing_first = node.feature >> 31, feature = node.feature & kFeatureMask;
    nodes.push_back({threshold, static_cast<uint32_t>(node.child) << (feature_bits + 1) |
                                    missing_first << feature_bits | feature});
  }
  return nodes;
}

void check_answers(const PackedTree& packed, const Drawn& tree, const Matrix& matrix,
                   const std::vector<int32_t>& wanted, ThreadTeam& team) {
  const int64_t n = matrix.n_rows;
  std::vector<int32_t> leaf(n, -7);
  leaves_of(packed, matrix, leaf.data(), team);
  CHECK(leaf == wanted);
  const int outputs = 3;
  std::vector<double> values(tree.nodes.size() * outputs), out(n * outputs, -7.0);
  for (size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k) / 8;
  values_of(packed, matrix, values.data(), outputs, out.data(), team);
  for (int64_t i = 0; i < n; ++i)
    for (int k = 0; k < outputs; ++k) CHECK(out[i * outputs + k] == values[wanted[i] * outputs + k]);
}

// The matrix as T, with the given strides, embedded in cells that must not be read.
template <class T>
void check_matrix(const Drawn& tree, const std::vector<double>& x, int64_t n, int64_t row_stride,
                  int64_t column_stride, const std::vector<int32_t>& wanted, ThreadTeam& team) {
  const auto columns = static_cast<int64_t>(tree.levels.size());
  const int64_t lowest =
      std::min<int64_t>(0, (n - 1) * row_stride) + std::min<int64_t>(0, (columns - 1) * column_stride);
  const int64_t highest =
      std::max<int64_t>(0, (n - 1) * row_stride) + std::max<int64_t>(0, (columns - 1) * column_stride);
  std::vector<T> cells(highest - lowest + 1, static_cast<T>(-12345));
  T* origin = cells.data() - lowest;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < columns; ++j)
      origin[i * row_stride + j * column_stride] = static_cast<T>(x[i * columns + j]);
  const Matrix matrix{origin, sizeof(T) == 8, n, row_stride, column_stride};
  const PackedTree wide{tree.nodes.data(), 0, tree.words.data(), !tree.words.empty()};
  check_answers(wide, tree, matrix, wanted, team);
  if (sizeof(T) == 8 || !tree.words.empty()) return;
  const int feature_bits = 3 + static_cast<int>(n % 3);
  const auto narrow = narrow_nodes(tree, feature_bits);
  check_answers({narrow.data(), feature_bits, nullptr, false}, tree, matrix, wanted, team);
}
void check_tree(Dice& dice, int64_t splits, int64_t columns, int64_t n, bool subsets, ThreadTeam& team) {
  const Drawn tree = draw_tree(dice, splits, columns, subsets);
  const auto x = draw_rows(dice, tree, n);
  std::vector<int32_t> wanted;
  for (int64_t i = 0; i < n; ++i) wanted.push_back(leaf_of(tree, x.data() + i * columns));
  check_matrix<double>(tree, x, n, columns, 1, wanted, team);  // row-major
  check_matrix<double>(tree, x, n, 1, n, wanted, team);        // column-major
  check_matrix<float>(tree, x, n, columns, 1, wanted, team);
  check_matrix<float>(tree, x, n, 1, n, wanted, team);
  check_matrix<double>(tree, x, n, 2 * columns + 1, 2, wanted, team);  // a slice
  check_matrix<float>(tree, x, n, -columns, 1, wanted, team);          // upside down
}

}  // namespace

TEST(walk_is_the_naive_walk) {
  Dice dice(31);
  Stop stop;
  ThreadTeam team(1, stop);
  for (int round = 0; round < 700; ++round) {
    check::scene() = "round " + std::to_string(round);
    check_tree(dice, dice.between(0, 30), dice.between(1, 5), dice.between(1, 45), round % 2, team);
  }
}

TEST(walk_of_many_rows_by_many_threads) {
  Dice dice(32);
  Stop stop;
  for (const int threads : {1, 2, 8}) {
    ThreadTeam team(threads, stop);
    check_tree(dice, 200, 5, 4096 * 2 + 77, threads != 2, team);
  }
}

TEST(walk_of_no_rows) {
  Stop stop;
  ThreadTeam team(2, stop);
  const WideNode leaf = leaf_node(0);
  leaves_of({&leaf, 0, nullptr, false}, {nullptr, true, 0, 1, 1}, nullptr, team);
  values_of({&leaf, 0, nullptr, false}, {nullptr, false, 0, 1, 1}, nullptr, 2, nullptr, team);
}

// The kernels of forests against plain loops: buckets of classes, random thresholds, slim trees.
#include <algorithm>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "forest/blocks.hpp"
#include "forest/bucket_scan.hpp"
#include "forest/gini_scan.hpp"
#include "forest/ordered.hpp"
#include "forest/places.hpp"
#include "forest/random_scan.hpp"
#include "forest/slim.hpp"
#include "forest/sweep.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;

namespace {

struct Buckets {
  int width, classes;
  int64_t n;
  std::vector<uint32_t> counts, whole;
  double total = 0;
};

Buckets draw_buckets(Dice& dice) {
  Buckets b;
  b.width = 4 << dice.between(0, 3);
  b.classes = static_cast<int>(dice.between(b.width / 2 + 1, b.width));
  b.n = dice.between(1, 40);
  b.counts.assign(b.n * b.width, 0);
  b.whole.assign(b.width, 0);
  for (int64_t i = 0; i < b.n; ++i)
    for (int k = 0; k < b.classes; ++k)
      if (dice.chance(0.15)) {
        const auto count = static_cast<uint32_t>(dice.between(1, dice.chance(0.1) ? 60000 : 3));
        b.counts[i * b.width + k] = count;
        b.whole[k] += count;
        b.total += count;
      }
  return b;
}

double gini_share(const std::vector<double>& left, const std::vector<uint32_t>& whole, double weight,
                  double total) {
  double squares = 0, right = 0;
  for (size_t k = 0; k < left.size(); ++k) {
    squares += left[k] * left[k];
    right += (whole[k] - left[k]) * (whole[k] - left[k]);
  }
  return (weight > 0 ? squares / weight : 0.0) + (weight < total ? right / (total - weight) : 0.0);
}

TEST(a_sweep_knows_both_sides_of_every_bucket) {
  Dice dice(71);
  for (int round = 0; round < 300; ++round) {
    const Buckets b = draw_buckets(dice);
    std::vector<uint32_t> counts = b.counts;
    Swept swept;
    sweep_classes(counts.data(), b.n, b.width, b.whole.data(), swept);
    std::vector<double> left(b.width, 0.0);
    int64_t at = 0;
    double weight = 0;
    for (int64_t i = 0; i <= b.n; ++i) {
      double squares = 0, right = 0, inside = 0, most_left = 0, most_right = 0;
      for (int k = 0; k < b.width; ++k) {
        squares += left[k] * left[k];
        right += (b.whole[k] - left[k]) * (b.whole[k] - left[k]);
        if (i == b.n) continue;
        CHECK(counts[i * b.width + k] == left[k]);
        const double here = b.counts[i * b.width + k];
        inside += here;
        if (here > 0) most_left = std::max(most_left, left[k]);
        left[k] += here;
        if (here > 0) most_right = std::max(most_right, b.whole[k] - left[k]);
      }
      if (i < b.n && inside == 0) continue;
      CHECK(swept.bucket[at] == i);
      CHECK(swept.weight[at] == weight);
      CHECK(swept.left[at] == squares);
      CHECK(swept.right[at] == right);
      if (i < b.n) {
        CHECK(swept.most_left[at] == most_left);
        CHECK(swept.most_right[at] == most_right);
        ++at;
      }
      weight += inside;
    }
    CHECK(swept.size == at);
  }
}

// Rows of a bucket in any order: where the bound says that none beats `best`, none does.
TEST(no_threshold_within_a_bucket_is_above_its_bound) {
  Dice dice(72);
  for (int round = 0; round < 300; ++round) {
    const Buckets b = draw_buckets(dice);
    if (b.total == 0) continue;
    std::vector<uint32_t> counts = b.counts;
    Swept swept;
    sweep_classes(counts.data(), b.n, b.width, b.whole.data(), swept);
    double most = 0;
    for (const uint32_t w : b.whole) most = std::max(most, static_cast<double>(w));
    const double best = most * (0.3 + 0.8 * dice.unit());
    bound_within(swept, b.total, best);
    for (int64_t at = 0; at < swept.size; ++at) {
      if (swept.excess[at] > 0) continue;
      const int64_t i = swept.bucket[at];
      std::vector<double> left(counts.begin() + i * b.width, counts.begin() + (i + 1) * b.width);
      double weight = swept.weight[at];
      std::vector<int> order(b.width);
      for (int k = 0; k < b.width; ++k) order[k] = k;
      for (int k = b.width; k > 1; --k) std::swap(order[k - 1], order[dice.between(0, k - 1)]);
      for (const int k : order) {
        const double part = std::floor(b.counts[i * b.width + k] * dice.unit() + 0.5);
        left[k] += part;
        weight += part;
        CHECK(gini_share(left, b.whole, weight, b.total) <= best * (1 + 1e-12));
      }
    }
  }
}

TEST(random_thresholds_count_what_is_on_their_left) {
  Dice dice(73);
  for (int round = 0; round < 200; ++round) {
    const int64_t n = dice.between(1, 200);
    const int classes = round % 2 ? 2 : static_cast<int>(dice.between(3, 20));
    const TagLayout tag{3, classes == 2 ? 1 : 5};
    std::vector<uint32_t> codes(n), tags(n);
    const auto last = static_cast<uint32_t>(dice.bits() >> 32);
    std::vector<double> left(classes, 0.0), counted(classes, 0.0);
    int64_t rows = 0;
    for (int64_t i = 0; i < n; ++i) {
      codes[i] = dice.chance(0.1) ? last : static_cast<uint32_t>(dice.bits() >> 32);
      const auto label = static_cast<uint32_t>(dice.between(0, classes - 1));
      const auto count = static_cast<uint32_t>(dice.between(1, 7));
      tags[i] = label << 3 | count;
      counted[label] += count;
      if (codes[i] > last) continue;
      left[label] += count;
      ++rows;
    }
    if (classes == 2) {
      const PairBelow below = count_pair_below(codes.data(), tags.data(), n, last, tag);
      CHECK(below.rows == rows);
      CHECK(below.weight == left[0] + left[1]);
      CHECK(below.ones == left[1]);
    }
    std::vector<uint32_t> above(n);
    CHECK(take_above(codes.data(), tags.data(), n, last, tag, above.data(), counted) == rows);
    CHECK(counted == left);
    const auto [low, high] = find_range(codes.data(), n);
    CHECK(low == *std::min_element(codes.begin(), codes.end()));
    CHECK(high == *std::max_element(codes.begin(), codes.end()));
  }
}

TEST(codes_of_a_byte_are_counted_as_others) {
  Dice dice(76);
  for (int round = 0; round < 100; ++round) {
    const int64_t n = dice.between(1, 200);
    const TagLayout tag{2, 4};
    std::vector<uint8_t> bytes(n);
    std::vector<uint32_t> codes(n), tags(n), above(n);
    for (int64_t i = 0; i < n; ++i) {
      codes[i] = bytes[i] = static_cast<uint8_t>(dice.chance(0.8) ? 0 : dice.between(1, 255));
      tags[i] = static_cast<uint32_t>(dice.between(0, round % 2 ? 1 : 9) << 2 | dice.between(1, 3));
    }
    const auto last = static_cast<uint32_t>(dice.between(0, 255));
    std::vector<double> left(10, 500.0), same = left;
    CHECK(take_above(bytes.data(), tags.data(), n, last, tag, above.data(), left) ==
          take_above(codes.data(), tags.data(), n, last, tag, above.data(), same));
    CHECK(left == same);
    CHECK(find_range(bytes.data(), n) == find_range(codes.data(), n));
    const PairBelow a = count_pair_below(bytes.data(), tags.data(), n, last, tag);
    const PairBelow b = count_pair_below(codes.data(), tags.data(), n, last, tag);
    CHECK(a.rows == b.rows && a.weight == b.weight && a.ones == b.ones);
  }
}

// A node's cells in one column: codes, classes and whole weights.
struct Cells {
  TagLayout tag{4, 0};
  std::vector<uint32_t> code, label, count;
  NodeStats node;

  size_t size() const { return code.size(); }
  uint64_t key(size_t i) const {
    return uint64_t{code[i]} << tag.bits() | label[i] << tag.count_bits | count[i];
  }
  uint32_t lowest() const { return *std::min_element(code.begin(), code.end()); }

  // What the largest gain is, the lowest threshold that is as good (the first code on its right), and what is
  // on its left: by trying all of them.
  struct Best {
    double gain = -kInfinity;
    uint32_t first_right = 0;
    int64_t rows = 0;
    std::vector<double> left;
  };
  Best best(int64_t least) const {
    Best best;
    std::vector<uint32_t> codes = code;
    std::sort(codes.begin(), codes.end());
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    for (const uint32_t first : codes) {
      std::vector<double> left(node.moments.size(), 0.0);
      int64_t rows = 0;
      for (size_t i = 0; i < size(); ++i)
        if (code[i] < first) {
          left[label[i]] += count[i];
          ++rows;
        }
      if (rows < least || static_cast<int64_t>(size()) - rows < least) continue;
      double weight = 0, merit = 0, squares_right = 0;
      for (size_t k = 0; k < left.size(); ++k) {
        weight += left[k];
        merit += left[k] * left[k];
        squares_right += (node.moments[k] - left[k]) * (node.moments[k] - left[k]);
      }
      const double gain = merit / weight + squares_right / (node.weight - weight) - node.merit;
      if (gain > best.gain + node.tie()) best = {gain, first, rows, left};
    }
    return best;
  }
};

Cells draw_cells(Dice& dice, int64_t most, int classes) {
  Cells cells;
  cells.tag.label_bits = classes == 2 ? 1 : 5;
  cells.tag.count_bits = dice.chance(0.2) ? 14 : 4;  // large weights: squares do not fit in 32 bits
  const int64_t n = dice.between(2, most), codes = dice.chance(0.5) ? 200 : 5000;
  const double low = dice.unit();
  cells.node.moments.assign(classes, 0.0);
  for (int64_t i = 0; i < n; ++i) {
    cells.code.push_back(dice.chance(low) ? 3 : static_cast<uint32_t>(dice.between(3, codes)));
    cells.label.push_back(static_cast<uint32_t>(dice.between(0, dice.chance(0.5) ? 1 : classes - 1)));
    cells.count.push_back(static_cast<uint32_t>(dice.between(1, (1 << cells.tag.count_bits) - 1)));
  }
  cells.label[0] = 0, cells.label[1] = 1;  // pure nodes are not split
  NodeStats& node = cells.node;
  for (int64_t i = 0; i < n; ++i) node.moments[cells.label[i]] += cells.count[i];
  node.end = n;
  for (const double m : node.moments) node.weight += m;
  for (const double m : node.moments) node.merit += m * m / node.weight;
  node.impurity = 1 - node.merit / node.weight;
  return cells;
}

// With all keys, or without those of the lowest code. `largest(range, floor)`, `locate(range, gain, cut)`.
template <class Key, class Largest, class Locate>
void check_scan(const Cells& cells, int64_t least, bool sorted, Largest largest, Locate locate) {
  const Cells::Best best = cells.best(least);
  const uint32_t lowest = cells.lowest();
  for (const bool leave_out : {false, true}) {
    std::vector<Key> keys;
    for (size_t i = 0; i < cells.size(); ++i)
      if (!leave_out || cells.code[i] > lowest) keys.push_back(static_cast<Key>(cells.key(i)));
    if (keys.empty() || *std::max_element(cells.code.begin(), cells.code.end()) == lowest) continue;
    if (sorted) std::sort(keys.begin(), keys.end());
    const auto n = static_cast<int64_t>(keys.size());
    const auto [low, high] = std::minmax_element(keys.begin(), keys.end());
    const KeyRange<Key> range{keys.data(), n, *low, *high, static_cast<int64_t>(cells.size()) - n, lowest};
    const double found = largest(range, -kInfinity);
    if (best.gain == -kInfinity) {
      CHECK(found == -kInfinity);
      continue;
    }
    CHECK_NEAR(found, best.gain, 1e-11 * cells.node.weight);
    CHECK(largest(range, found + 1e-9 * cells.node.weight) == -kInfinity);
    CountCut cut;
    locate(range, found, cut);
    CHECK(cut.position == best.rows);
    CHECK(cut.left == best.left);
    CHECK(cut.high_code == best.first_right);
    uint32_t below = 0;
    for (const uint32_t code : cells.code)
      if (code < best.first_right) below = std::max(below, code);
    CHECK(cut.low_code == below);
  }
}

TEST(sorted_keys_have_the_gini_of_every_threshold) {
  Dice dice(78);
  GiniScan scan;
  for (int round = 0; round < 400; ++round) {
    const Cells cells =
        draw_cells(dice, round % 50 ? 60 : 3000, round % 3 ? static_cast<int>(dice.between(3, 20)) : 2);
    const int64_t least = round % 4 ? 1 : dice.between(2, 9);
    auto check = [&](auto key) {
      using Key = decltype(key);
      check_scan<Key>(
          cells, least, true,
          [&](const KeyRange<Key>& range, double floor) {
            return scan.largest(range, cells.node, cells.tag, least, floor);
          },
          [&](const KeyRange<Key>& range, double gain, CountCut& cut) {
            scan.locate(range, cells.node, cells.tag, least, gain, cut);
          });
    };
    if (cells.tag.bits() + 13 <= 32) check(uint32_t{});
    check(uint64_t{});
  }
}

TEST(buckets_find_the_same_as_all_thresholds) {
  Dice dice(79);
  BucketScan scan;
  for (int round = 0; round < 200; ++round) {
    const Cells cells = draw_cells(dice, 900, round % 3 ? static_cast<int>(dice.between(3, 20)) : 2);
    check_scan<uint64_t>(
        cells, 1, false,
        [&](const KeyRange<uint64_t>& range, double floor) {
          return scan.largest(range, cells.node, cells.tag, floor);
        },
        [&](const KeyRange<uint64_t>& range, double gain, CountCut& cut) {
          scan.locate(range, cells.node, cells.tag, gain, cut);
        });
  }
}

TEST(keys_are_made_of_the_rows_above_a_code) {
  Dice dice(80);
  for (int round = 0; round < 100; ++round) {
    const int64_t n = dice.between(1, 300);
    std::vector<uint8_t> codes((n + 63) / 64 * 64, 255);
    std::vector<uint64_t> rows(n), keys(n), wanted;
    const auto last = static_cast<uint32_t>(dice.between(0, 255));
    for (int64_t i = 0; i < n; ++i) {
      codes[i] = static_cast<uint8_t>(dice.chance(0.6) ? last : dice.between(0, 255));
      rows[i] = static_cast<uint64_t>(dice.between(0, 99)) << 32 | static_cast<uint64_t>(i);
      if (codes[i] > last) wanted.push_back(uint64_t{codes[i]} << 7 | rows[i] >> 32);
    }
    keys.resize(keys_above(codes.data(), rows.data(), n, last, 7, keys.data()));
    CHECK(keys == wanted);
  }
}

// Wide tables: the subtree's columns, whatever their width, are the table's.
TEST(blocks_of_wide_tables_have_the_codes_of_their_rows) {
  Dice dice(77);
  const int64_t n_rows = 3001;
  const int32_t d = 275;
  std::vector<std::vector<uint32_t>> codes(d, std::vector<uint32_t>(n_rows));
  std::vector<std::vector<uint8_t>> stored(d);
  GrowInput input;
  input.n_rows = n_rows;
  std::vector<double> target(n_rows);
  for (double& y : target) y = dice.unit();
  input.target = target.data();
  for (int32_t j = 0; j < d; ++j) {
    CodeColumn column;
    column.width = j % 40 == 7 ? 4 : j % 40 == 9 ? 2 : 1;
    column.n_codes = j % 5 ? 200 : 1;
    stored[j].resize(n_rows * column.width);
    for (int64_t i = 0; i < n_rows; ++i) {
      codes[j][i] = static_cast<uint32_t>(dice.between(0, column.n_codes - 1));
      std::memcpy(stored[j].data() + i * column.width, &codes[j][i], column.width);  // little end first
    }
    column.codes = stored[j].data();
    input.columns.push_back(column);
  }
  Stop stop;
  ThreadTeam team(1, stop);
  const Records records = make_records(input, false, {}, team);
  Blocks blocks(input, records, false);
  blocks.begin(nullptr);
  for (const int64_t n : {int64_t{1}, int64_t{15}, int64_t{16}, int64_t{777}, Blocks::kMostRowsByColumn}) {
    std::vector<uint64_t> rows, numbers;
    for (int64_t i = 0; i < n; ++i) rows.push_back(static_cast<uint64_t>(dice.between(0, n_rows - 1)));
    numbers = rows;
    for (uint64_t& row : numbers) row |= uint64_t{5} << 32;
    std::vector<uint64_t> constant((d + 63) / 64, 0);
    CHECK(blocks.level_of(n, 0) == 1);
    blocks.renumber(0, 1, numbers.data(), n, constant);
    for (int64_t i = 0; i < n; ++i) {
      CHECK(numbers[i] == (uint64_t{5} << 32 | static_cast<uint64_t>(i)));
      CHECK(blocks.target(1)[i] == target[rows[i]]);
    }
    for (int32_t j = 0; j < d; ++j) {
      const auto [base, stride] = blocks.source(1, n, j);
      bool varies = false;
      for (int64_t i = 0; i < n; ++i) {
        uint32_t code = 0;
        std::memcpy(&code, base + i * stride, input.columns[j].width);
        CHECK(code == codes[j][rows[i]]);
        varies |= codes[j][rows[i]] != codes[j][rows[0]];
      }
      CHECK((constant[j >> 6] >> (j & 63) & 1) == !varies);
    }
  }
}

TEST(numbers_keep_their_order_as_whole_numbers) {
  Dice dice(74);
  const auto infinity = std::numeric_limits<float>::infinity();
  std::vector<float> numbers{-infinity, -3e38f, -1.0f, -1e-40f, 0.0f, 1e-45f, 1.0f, 1.5f, 3e38f, infinity};
  for (int i = 0; i < 200; ++i) numbers.push_back(static_cast<float>(std::exp(40 * dice.unit() - 20)));
  for (const float a : numbers) {
    CHECK(from_ordered(ordered_bits(a)) == a);
    for (const float b : numbers) CHECK((a < b) == (ordered_bits(a) < ordered_bits(b)));
  }
  for (int i = 0; i < 200; ++i) {
    const double exact = dice.unit() - 0.5;
    const float down = rounded_down(exact);
    CHECK(down <= exact);
    CHECK(std::nextafter(down, infinity) > exact);
  }
}

TEST(equal_rows_have_one_place) {
  Dice dice(75);
  std::vector<uint32_t> table;
  Places<uint32_t> places(table, 3);
  for (int i = 0; i < 3000; ++i) {
    const uint32_t row[] = {static_cast<uint32_t>(dice.between(0, 9)),
                            static_cast<uint32_t>(dice.between(0, 9)),
                            static_cast<uint32_t>(dice.between(0, 9))};
    const uint32_t place = places.of(row);
    CHECK(place < table.size() / 3);
    CHECK(std::equal(row, row + 3, table.begin() + 3 * place));
  }
  CHECK(table.size() / 3 <= 1000);
}

SlimView view_of(const SlimTree& slim) {
  return {slim.n_classes,          static_cast<int64_t>(slim.first_child.size()),
          slim.first_child.data(), slim.feature.data(),
          slim.threshold.data(),   slim.n_rows.data(),
          slim.place.data(),       slim.table.data()};
}

// Three classes:     0: column 4         missing cells go second
//                   / \                    ~4
//                  1   2: column 0
//                     / \                .
//                    3   4
TEST(a_slim_tree_is_made_whole_again) {
  GrownTree tree;
  tree.n_moments = 3;
  tree.feature = {4, -1, 0, -1, -1};
  tree.first_child = {1, -1, 3, -1, -1};
  tree.n_children = {2, 0, 2, 0, 0};
  tree.missing_branch = {1, -1, 0, -1, -1};
  tree.kind = {kThreshold, kLeaf, kThreshold, kLeaf, kLeaf};
  tree.threshold = {0.5, kInfinity, -2, kInfinity, kInfinity};
  tree.value = {5, 2, 3, 0, 2, 0, 5, 0, 3, 5, 0, 0, 0, 0, 3};
  tree.n_rows = {7, 2, 5, 4, 1};
  CHECK(can_be_slim(tree));
  const SlimTree slim = slimmed(tree);
  CHECK(slim.table.size() == 9);
  const SlimView view = view_of(slim);
  check_slim(view, 2, 3, 3);
  const GrownTree again = made_whole(view, "gini");
  CHECK(again.feature == tree.feature);
  CHECK(again.first_child == tree.first_child);
  CHECK(again.n_children == tree.n_children);
  CHECK(again.missing_branch == tree.missing_branch);
  CHECK(again.kind == tree.kind);
  CHECK(again.value == tree.value);
  CHECK(again.n_rows == tree.n_rows);
  CHECK(again.weight[0] == 10);
  CHECK_NEAR(again.impurity[0], 1 - 0.25 - 0.04 - 0.09, 1e-15);
  CHECK(again.impurity[1] == 0);
  tree.kind[2] = kSubset;
  CHECK(!can_be_slim(tree));
}

}  // namespace

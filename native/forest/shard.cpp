#include "forest/shard.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "common/random.hpp"
#include "forest/random_scan.hpp"
#include "grow/grid.hpp"
#include "grow/row_set.hpp"
#include "grow/rule_scan.hpp"

namespace hedgerow {
namespace {

// A set of places: its rows are found by counting the bits before a place.
class Places {
 public:
  Places(const int64_t* place, int64_t n, int64_t n_order)
      : bits_(n_order / 64 + 1, 0), before_(n_order / 64 + 1) {
    for (int64_t i = 0; i < n; ++i) bits_[place[i] / 64] |= uint64_t{1} << (place[i] % 64);
    int64_t sum = 0;
    for (size_t k = 0; k < bits_.size(); ++k) {
      before_[k] = static_cast<uint32_t>(sum);
      sum += std::popcount(bits_[k]);
    }
  }
  // -1: it is elsewhere.
  int64_t row(int64_t place) const {
    const uint64_t word = bits_[place / 64], bit = uint64_t{1} << (place % 64);
    return word & bit ? int64_t{before_[place / 64]} + std::popcount(word & (bit - 1)) : -1;
  }

 private:
  std::vector<uint64_t> bits_;
  std::vector<uint32_t> before_;
};

void bootstrap(const PlacePlan& plan, Random random, uint32_t* counts) {
  const Places places(plan.place, plan.n, plan.n_order);
  const auto n = static_cast<double>(plan.n_order);
  for (int64_t i = 0; i < plan.size; ++i) {
    const int64_t row = places.row(static_cast<int64_t>(random.unit() * n));
    if (row >= 0) ++counts[row];
  }
}

// The first stretch that ends after a point has it, if it is here; the last one has what is beyond all.
void bootstrap_on_line(const PlacePlan& plan, Random random, uint32_t* counts) {
  const bool has_last = plan.n && plan.place[plan.n - 1] == plan.n_order - 1;
  for (int64_t i = 0; i < plan.size; ++i) {
    const double point = random.unit() * plan.line_end;
    const int64_t row = std::upper_bound(plan.end, plan.end + plan.n, point) - plan.end;
    if (row < plan.n && point >= plan.begin[row])
      ++counts[row];
    else if (point >= plan.line_end && has_last)
      ++counts[plan.n - 1];
  }
}

void subsample(const PlacePlan& plan, Random random, uint32_t* counts) {
  auto left = static_cast<double>(plan.n_order), wanted = static_cast<double>(plan.size);
  int64_t row = 0;
  for (int64_t k = 0; k < plan.n_order && wanted > 0 && row < plan.n; ++k, left -= 1) {
    const bool taken = random.unit() * left < wanted;
    wanted -= taken;
    if (plan.place[row] == k) counts[row++] = taken;
  }
}

// The codes as what they are stored as.
template <class Visit>
void visit_codes(const CodeColumn& column, Visit visit) {
  if (column.width == 1)
    visit(static_cast<const uint8_t*>(column.codes));
  else if (column.width == 2)
    visit(static_cast<const uint16_t*>(column.codes));
  else
    visit(static_cast<const uint32_t*>(column.codes));
}

// One entry for each code and class that occur, which stands for all rows that have them.
struct CellRows {
  std::vector<uint32_t> list, code;  // in the order of the list
  std::vector<double> weight, term;
  std::vector<int64_t> before;  // rows of the codes before that of the entry, and at the end all
  RowSet<uint32_t> rows;

  CellRows(const CellColumn& column, const CriterionTraits& traits, int n_moments) {
    const int width = traits.of_classes ? n_moments + 1 : kNumberCell;
    std::vector<uint32_t> label;
    int64_t n_before = 0;
    for (int64_t c = 0; c <= column.n_codes; ++c) {
      const double* cell = column.cells + c * width;
      const auto n = static_cast<int64_t>(cell[traits.of_classes ? n_moments : 1]);
      auto add = [&](double w, double t, uint32_t k) {
        weight.push_back(w);
        term.push_back(t);
        label.push_back(k);
        code.push_back(static_cast<uint32_t>(c));
        before.push_back(n_before);
      };
      if (!traits.of_classes && n) add(cell[0], cell[2], 0);
      for (int k = 0; traits.of_classes && k < n_moments; ++k)
        if (cell[k] > 0) add(cell[k], 0, static_cast<uint32_t>(k));
      n_before += n;
    }
    before.push_back(n_before);
    rows.n = static_cast<int64_t>(weight.size());
    rows.row_bits = bits_for(rows.n);
    rows.label_bits = traits.of_classes ? bits_for(n_moments) : 0;
    if (rows.row_bits + rows.label_bits + 2 > 32)
      throw std::invalid_argument(
          "a column has too many levels and classes to be split by sums: leave it out, or give workers more "
          "memory");
    rows.weight = weight.data();
    rows.before = before.data();
    rows.term = traits.of_classes ? nullptr : term.data();
    for (uint32_t i = 0; i < weight.size(); ++i)
      list.push_back(i | label[i] << rows.row_bits |
                     (i && code[i] != code[i - 1] ? RowSet<uint32_t>::kBoundary : 0) |
                     (code[i] == column.n_codes ? RowSet<uint32_t>::kMissing : 0));
  }
};

// The list with one boundary: at a random threshold between the lowest and the highest value. The last code
// of the column that is not above it; -1: there is none.
int64_t leave_random_boundary(const CellColumn& column, CellRows& made, int64_t last, uint64_t key,
                              int32_t number) {
  double threshold;
  if (last < 1 ||
      !draw_between(key, number, column.values[made.code[0]], column.values[made.code[last - 1]], threshold))
    return -1;
  const int64_t last_code =
      std::upper_bound(column.values, column.values + column.n_codes, threshold) - column.values - 1;
  for (uint32_t& e : made.list) e &= ~RowSet<uint32_t>::kBoundary;
  for (int64_t i = 0; i < last; ++i)
    if (made.code[i] > last_code) {
      made.list[i] |= RowSet<uint32_t>::kBoundary;
      break;
    }
  return last_code;
}

}  // namespace

void draw_counts_of_places(const PlacePlan& plan, int64_t tree, uint32_t* counts) {
  std::fill_n(counts, plan.n, plan.how == How::kAll ? 1u : 0u);
  const Random random = drawing(plan.seed, tree);
  if (plan.how == How::kSubsample)
    subsample(plan, random, counts);
  else if (plan.how == How::kBootstrap)
    plan.line_end > 0 ? bootstrap_on_line(plan, random, counts) : bootstrap(plan, random, counts);
}

void count_codes(const CodeColumn& column, const uint32_t* rows, int64_t n, const int32_t* classes,
                 const double* weight, int n_classes, double* cells) {
  visit_codes(column, [&](const auto* codes) {
    for (int64_t k = 0; k < n; ++k) {
      const uint32_t row = rows[k];
      double* cell = cells + codes[row] * (int64_t{n_classes} + 1);
      cell[classes[row]] += weight[row];
      cell[n_classes] += 1;
    }
  });
}

void sum_codes(const CodeColumn& column, const uint32_t* rows, int64_t n, const double* target,
               const double* weight, const NodeStats& node, double* cells) {
  for (int64_t c = 0; c <= column.n_codes; ++c) {
    cells[c * kNumberCell + 3] = kInfinity;
    cells[c * kNumberCell + 4] = -kInfinity;
  }
  visit_codes(column, [&](const auto* codes) {
    for (int64_t k = 0; k < n; ++k) {
      const uint32_t row = rows[k];
      double* cell = cells + codes[row] * kNumberCell;
      const double w = weight[row], y = target[row];
      cell[0] += w;
      cell[1] += 1;
      cell[2] += round_to_grid(w * (y - node.centre), node.grid);
      cell[3] = std::min(cell[3], y);
      cell[4] = std::max(cell[4], y);
    }
  });
}

CellSplit split_of_cells(const CellColumn& column, const NodeStats& node, const CriterionEntry& criterion,
                         const MomentContext& context, const Limits& limits, uint64_t key, int32_t number,
                         Stop& stop) {
  CellRows made(column, criterion.traits, context.n_moments);
  NodeStats own = node;
  own.begin = 0;
  own.end = made.rows.n;
  const auto rule = criterion.functions.scan32(made.rows, limits, context, stop);
  const Guard guard{};
  const int64_t last = present_entries(made.list.data(), made.rows.n);
  ScanScratch scratch;
  SubsetScratch subset;
  CellSplit split;
  Candidate best;
  if (column.n_levels) {
    Random random(mix(key ^ (0xd1342543de82ef95ull * static_cast<uint64_t>(number + 1))));
    best = limits.random_splits ? rule->random_subset(made.list.data(), own, guard, random, scratch, subset)
                                : rule->best_subset(made.list.data(), own, guard, scratch, subset);
    split.gain = best.gain;
  } else {
    if (limits.random_splits) {
      split.last_code = leave_random_boundary(column, made, last, key, number);
      if (split.last_code < 0) return {};
    }
    uint8_t distinct = 0;
    split.gain = rule->largest(made.list.data(), own, guard, -kInfinity, scratch, distinct);
    if (split.gain > -kInfinity) best = rule->locate(made.list.data(), own, guard, split.gain, scratch);
  }
  if (!best.found()) return {};
  split.first.assign(column.n_codes + 1, 0);
  if (column.n_levels) {
    for (int64_t g = 0; g < subset.groups.size; ++g)
      split.first[made.code[subset.groups.begin[g]]] = subset.goes_left[g];
  } else {
    const uint32_t before = made.code[best.position - 1];
    std::fill(split.first.begin(), split.first.begin() + before + 1, 1);
    if (!limits.random_splits) split.last_code = before;
    if (best.position == last) split.last_code = -1;
  }
  split.first[column.n_codes] = best.missing_left;
  return split;
}

}  // namespace hedgerow

#include "gradient/choose.hpp"

#include <algorithm>
#include <cstring>

#include "common/simd.hpp"

namespace hedgerow::gradient {
namespace {

struct Side {
  double gradient, hessian;  // real, not in units
};

// Values and scores in real numbers; for everything but plain number columns.
class Scorer {
 public:
  Scorer(const NodeSums& node, const SplitOptions& options, const Units& units, double extra_l2)
      : node_(node), units_(units), l1_(options.l1), l2_(options.l2 + extra_l2) {}

  Side side(int64_t word) const {
    return {static_cast<double>(gradient_of(word)) * units_.gradient,
            static_cast<double>(hessian_of(word)) * units_.hessian};
  }
  double value(Side s) const {
    return std::clamp(newton_step(s.gradient, s.hessian, l1_, l2_), node_.low, node_.high);
  }
  double score(Side s, double v) const {
    return -(2.0 * s.gradient * v + (s.hessian + l2_) * v * v + 2.0 * l1_ * std::fabs(v));
  }
  double score(int64_t word) const {
    const Side s = side(word);
    return score(s, value(s));
  }

 private:
  const NodeSums& node_;
  const Units& units_;
  double l1_, l2_;
};

// Hessians of a side, in units.
struct Limits {
  int64_t least;   // below, the split cannot be
  int64_t enough;  // from here on it needs no min_rows rows
  int64_t sure;    // from here on it has min_rows rows for certain, or enough
  int64_t min_rows;

  bool allow(int64_t n_rows, int64_t hessian) const { return n_rows >= min_rows || hessian >= enough; }
};

int64_t in_units(double hessian, const Units& units) {
  const double wanted = std::ceil(hessian / units.hessian);
  return std::max<int64_t>(1, wanted < 0x1.0p62 ? static_cast<int64_t>(wanted) : int64_t{1} << 62);
}

Limits limits_of(const SplitOptions& options, const Units& units, bool counted) {
  const int64_t least = in_units(options.min_hessian, units);
  const int64_t enough =
      std::max(in_units(options.enough_hessian, units), kFewestRows * units.largest_hessian);
  if (counted) return {least, enough, 0, options.min_rows};
  return {std::max(least, std::min(enough, options.min_rows * units.least_hessian)), enough,
          std::min(enough, options.min_rows * units.largest_hessian), options.min_rows};
}

constexpr int kLanes = 8;
constexpr double kRoundingRoom = 1e-10;

// Sums of the codes up to each.
struct Prefix {
  alignas(64) int64_t word[kMaxCodes];
  int64_t rows[kMaxCodes];  // where rows were counted
};

// Two loops, and lanes of their own for the largest: so both are vector instructions.
HEDGEROW_CLONES double plain_scores(const Prefix& prefix, int n, double total_g, double total_h, double l2,
                                    double least, double* scores) {
  for (int k = 0; k < n; ++k) {
    const double gl = static_cast<int32_t>(gradient_of(prefix.word[k]));
    const double hl = static_cast<int32_t>(prefix.word[k]);
    const double gr = total_g - gl, dl = hl + l2, dr = total_h - hl + l2;
    scores[k] = (gl * gl * dr + gr * gr * dl) / (dl * dr);  // one division takes half the time of two
  }
  for (int k = 0; k < n; ++k) {
    const double hl = static_cast<int32_t>(prefix.word[k]), hr = total_h - hl;
    const double smaller = hl < hr ? hl : hr;
    scores[k] = smaller >= least ? scores[k] : -1.0;
  }
  double most[kLanes];
  for (double& lane : most) lane = -1.0;
  int k = 0;
  for (; k + kLanes <= n; k += kLanes)
    for (int lane = 0; lane < kLanes; ++lane)
      most[lane] = scores[k + lane] > most[lane] ? scores[k + lane] : most[lane];
  for (; k < n; ++k) most[0] = scores[k] > most[0] ? scores[k] : most[0];
  return *std::max_element(most, most + kLanes);
}

using Words [[gnu::vector_size(8 * kLanes)]] = int64_t;
using Doubles [[gnu::vector_size(8 * kLanes)]] = double;

// What the splits of a number column are compared with, in units.
struct Bar {
  double total_g, total_h, l2;
  double least;       // hessian of a side
  double least_rise;  // of the two scores, over G^2 / (H + 2 l2)
};

// Does some split raise the scores that much? With t = gl - G dl / (dl + dr) the two scores are
// t^2 (dl + dr) / (dl dr) + G^2 / (dl + dr): to compare needs no division, and codes without rows do no harm.
HEDGEROW_AVX512 bool reaches(const int64_t* cells, int n, int64_t before, const Bar& bar) {
  const double both = bar.total_h + 2.0 * bar.l2, mean = bar.total_g / both,
               most_hl = bar.total_h - bar.least;
  const Words none = {}, lane = {0, 1, 2, 3, 4, 5, 6, 7};
  Words sum = none + before, any = none;
  for (int k = 0; k < n; k += kLanes) {
    Words v;
    std::memcpy(&v, cells + k, sizeof v);
    v += __builtin_shufflevector(none, v, 7, 8, 9, 10, 11, 12, 13, 14);
    v += __builtin_shufflevector(none, v, 6, 7, 8, 9, 10, 11, 12, 13);
    v += __builtin_shufflevector(none, v, 4, 5, 6, 7, 8, 9, 10, 11);
    sum = v + __builtin_shufflevector(sum, sum, 7, 7, 7, 7, 7, 7, 7, 7);
    const Doubles gl = __builtin_convertvector(sum >> 32, Doubles);
    const Doubles hl = __builtin_convertvector(sum & 0xffffffff, Doubles);
    const Doubles dl = hl + bar.l2, t = gl - mean * dl;
    const Doubles over = t * t * both - bar.least_rise * (dl * (both - dl));
    any |= (over >= 0.0) & (hl >= bar.least) & (hl <= most_hl) & (lane < n - k);
  }
  return any[0] | any[1] | any[2] | any[3] | any[4] | any[5] | any[6] | any[7];
}

// A column of a node: what a split of it goes by, and the best so far.
class Chooser {
 protected:
  Chooser(const BinnedColumn& column, int32_t number, const int64_t* cells, const uint32_t* counts,
          const NodeSums& node, const SplitOptions& options, const Units& units, double extra_l2)
      : column_(column),
        cells_(cells),
        counts_(counts),
        node_(node),
        options_(options),
        units_(units),
        limits_(limits_of(options, units, counts != nullptr)),
        scorer_(node, options, units, extra_l2) {
    best_.column = number;
  }

  // Where rows were counted.
  bool enough_rows(int64_t n_left, int64_t left) const {
    return limits_.allow(n_left, hessian_of(left)) &&
           limits_.allow(node_.n_rows - n_left, hessian_of(node_.total) - hessian_of(left));
  }

  bool worth_taking(double gain) const { return gain > best_.gain && gain > node_.least_gain; }

  Split found() {
    if (best_.bin < 0) return Split{};
    const int64_t hessian = hessian_of(best_.left);
    best_.sure = counts_ || std::min(hessian, hessian_of(node_.total) - hessian) >= limits_.sure;
    return best_;
  }

  const BinnedColumn& column_;
  const int64_t* cells_;
  const uint32_t* counts_;
  const NodeSums& node_;
  const SplitOptions& options_;
  const Units& units_;
  const Limits limits_;
  const Scorer scorer_;
  Split best_;
};

class NumberChooser : Chooser {
 public:
  NumberChooser(const BinnedColumn& column, int32_t number, const int64_t* cells, const uint32_t* counts,
                const NodeSums& node, const SplitOptions& options, const Units& units)
      : Chooser(column, number, cells, counts, node, options, units, 0.0) {}

  // A split that gains less than the bar is not wanted.
  Split choose(double bar) {
    const int64_t missing = column_.has_missing ? cells_[column_.n_bins] : 0;
    const uint32_t missing_rows = column_.has_missing && counts_ ? counts_[column_.n_bins] : 0;
    if (HEDGEROW_HAS_AVX512 && !counts_ && plain() && !may_reach(std::max(bar, node_.least_gain), missing))
      return Split{};
    // The last bin on the left leaves the right side to missing cells.
    scan(0, 0, missing != 0 ? column_.n_bins : column_.n_bins - 1, false);
    if (missing != 0) scan(missing, missing_rows, column_.n_bins - 1, true);
    return found();
  }

 private:
  bool plain() const { return !options_.bounded && options_.l1 == 0.0; }

  // False only if no split gains as much: what rounding may change is left room for.
  bool may_reach(double gain, int64_t missing) const {
    const double g = static_cast<double>(gradient_of(node_.total));
    const double h = static_cast<double>(hessian_of(node_.total)), l2 = options_.l2 / units_.hessian;
    const double own = g * g / (h + l2);
    const double wanted = own + 2.0 * gain * units_.hessian / (units_.gradient * units_.gradient);
    const Bar bar{g, h, l2, static_cast<double>(limits_.least),
                  wanted - g * g / (h + 2.0 * l2) - kRoundingRoom * wanted};
    return reaches(cells_, column_.n_bins, 0, bar) ||
           (missing != 0 && reaches(cells_, column_.n_bins - 1, missing, bar));
  }

  void scan(int64_t missing, uint32_t missing_rows, int n, bool missing_left) {
    add_up(missing, missing_rows, n);
    alignas(64) double scores[kMaxCodes];
    if (plain()) {
      const double most =
          plain_scores(prefix_, n, static_cast<double>(gradient_of(node_.total)),
                       static_cast<double>(hessian_of(node_.total)), options_.l2 / units_.hessian,
                       static_cast<double>(limits_.least), scores);
      if (!counts_ && !worth_taking(gain_of(most))) return;
    } else {
      bounded_scores(n, scores);
    }
    int at = -1;
    double most = -1.0;
    for (int k = 0; k < n; ++k)
      if (scores[k] > most && (!counts_ || enough_rows(prefix_.rows[k], prefix_.word[k])))
        most = scores[k], at = k;
    if (at >= 0) take(at, gain_of(most), missing_left);
  }

  void add_up(int64_t sum, int64_t rows, int n) {
    for (int code = 0; code < n; ++code) prefix_.word[code] = sum += cells_[code];
    for (int code = 0; counts_ && code < n; ++code) prefix_.rows[code] = rows += counts_[code];
  }

  void bounded_scores(int n, double* scores) {
    for (int k = 0; k < n; ++k) {
      const int64_t left = prefix_.word[k], right = node_.total - left;
      scores[k] = -1.0;
      if (std::min(hessian_of(left), hessian_of(right)) < limits_.least) continue;
      const Side l = scorer_.side(left), r = scorer_.side(right);
      const double vl = scorer_.value(l), vr = scorer_.value(r);
      if (column_.monotone * (vr - vl) < 0) continue;
      scores[k] = scorer_.score(l, vl) + scorer_.score(r, vr);
    }
  }

  double gain_of(double score) const {
    if (!plain()) return 0.5 * (score - scorer_.score(node_.total));
    const double g = static_cast<double>(gradient_of(node_.total));
    const double own = g * g / (static_cast<double>(hessian_of(node_.total)) + options_.l2 / units_.hessian);
    return 0.5 * (score - own) * units_.gradient * units_.gradient / units_.hessian;
  }

  void take(int k, double gain, bool missing_left) {
    if (!worth_taking(gain)) return;
    best_.gain = gain;
    best_.bin = k;
    best_.left = prefix_.word[k];
    best_.missing_left = missing_left;
  }

  Prefix prefix_;
};

class CategoryChooser : Chooser {
 public:
  CategoryChooser(const BinnedColumn& column, int32_t number, const int64_t* cells, const uint32_t* counts,
                  const NodeSums& node, const SplitOptions& options, const Units& units)
      : Chooser(column, number, cells, counts, node, options, units,
                column.n_codes() <= options.few_levels ? 0.0 : options.category_l2) {
    best_.categorical = true;
  }

  Split choose() {
    own_ = scorer_.score(node_.total);
    choose_set();
    best_.missing_left =
        column_.has_missing && (best_.levels[column_.n_bins >> 6] >> (column_.n_bins & 63) & 1);
    return found();
  }

 private:
  int64_t rows(int code) const { return counts_ ? counts_[code] : 0; }

  void choose_set() {
    // Rows of a level by its share of the hessian: the same whether or not rows were counted.
    const double rows_per_unit = static_cast<double>(node_.n_rows) /
                                 static_cast<double>(std::max<int64_t>(1, hessian_of(node_.total)));
    std::vector<std::pair<double, int>> order;
    for (int code = 0; code < column_.n_codes(); ++code) {
      const Side s = scorer_.side(cells_[code]);
      const int64_t own = hessian_of(cells_[code]);
      if (own == 0 || static_cast<double>(own) * rows_per_unit < options_.min_level_rows) continue;
      order.emplace_back(s.gradient / (s.hessian + options_.category_smoothing), code);
    }
    std::sort(order.begin(), order.end());
    cost_ =
        options_.category_cost * units_.noise * static_cast<double>(std::max<size_t>(order.size(), 1) - 1);
    try_beginnings(order);
    std::reverse(order.begin(), order.end());
    try_beginnings(order);
  }

  void try_beginnings(const std::vector<std::pair<double, int>>& order) {
    const size_t most = (order.size() + 1) / 2;
    std::vector<int> set;
    int64_t sum = 0, n_rows = 0;
    for (size_t k = 0; k < most; ++k) {
      set.push_back(order[k].second);
      sum += cells_[order[k].second];
      n_rows += rows(order[k].second);
      consider(set, sum, n_rows);
    }
  }

  void consider(const std::vector<int>& set, int64_t left, int64_t n_left) {
    const int64_t right = node_.total - left;
    if (std::min(hessian_of(left), hessian_of(right)) < limits_.least) return;
    if (counts_ && !enough_rows(n_left, left)) return;
    const double gain = 0.5 * (scorer_.score(left) + scorer_.score(right) - own_) - cost_;
    if (!worth_taking(gain)) return;
    best_.gain = gain;
    best_.bin = 0;
    best_.left = left;
    best_.levels = {};
    for (int code : set) best_.levels[code >> 6] |= uint64_t{1} << (code & 63);
  }

  double own_ = 0.0, cost_ = 0.0;
};

}  // namespace

void NodeSums::set_least_gain(const SplitOptions& options, const Units& units) {
  const double h = static_cast<double>(hessian_of(total)) * units.hessian, n = static_cast<double>(n_rows);
  const double v = std::fabs(static_cast<double>(gradient_of(total)) * units.gradient / h);
  const double apart = n * (units.gradient + v * units.hessian);
  const double pretended = h > 0.0 && !units.hessian_counts ? apart * apart / (4.0 * h) : 0.0;
  // At worst rounding pretends so much; of millions of rows that is more than what many true splits gain.
  // Chance alone makes the noise, so that no more is asked for.
  least_gain = std::max(options.min_gain, std::min(pretended, units.noise));
}

double leaf_value(int64_t word, const NodeSums& bounds, const SplitOptions& options, const Units& units) {
  const Scorer scorer(bounds, options, units, 0.0);
  return scorer.value(scorer.side(word));
}

Split choose_split(const BinnedColumn& column, int32_t number, const int64_t* cells, const uint32_t* counts,
                   const NodeSums& node, const SplitOptions& options, const Units& units, double bar) {
  if (column.usual >= 0) {  // the side without the usual code may be too small whatever the split
    const int64_t other = hessian_of(node.total) - hessian_of(cells[column.usual]);
    if (other < limits_of(options, units, counts != nullptr).least) return Split{};
  }
  if (column.categorical)
    return CategoryChooser(column, number, cells, counts, node, options, units).choose();
  return NumberChooser(column, number, cells, counts, node, options, units).choose(bar);
}

bool may_suffice(int64_t n_rows, const SplitOptions& options, const Units& units) {
  return limits_of(options, units, true).allow(n_rows, n_rows * units.largest_hessian);
}

void fill_goes_left(const Split& split, const BinnedColumn& column, uint8_t* goes_left) {
  for (int code = 0; code < kMaxCodes; ++code)
    goes_left[code] = split.categorical ? split.levels[code >> 6] >> (code & 63) & 1 : code <= split.bin;
  if (column.has_missing && !split.categorical) goes_left[column.n_bins] = split.missing_left;
}

}  // namespace hedgerow::gradient

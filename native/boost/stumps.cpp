#include "boost/stumps.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "boost/merits.hpp"

namespace hedgerow {
namespace {

constexpr int kTogether = 8;  // columns in one pass
constexpr int64_t kBlock = int64_t{1}
                           << 17;  // rows whose sums are made together; sums of blocks are added in order
constexpr double kTied = 1e-11;    // merits this close are equal; the first column, then the lowest code wins

constexpr uint32_t kLastOfCode = 1u << 31;  // in `order`: the next row has another code

template <class Work>
void with_codes(const CodeColumn& column, Work work) {
  if (column.width == 1)
    work(static_cast<const uint8_t*>(column.codes));
  else if (column.width == 2)
    work(static_cast<const uint16_t*>(column.codes));
  else
    work(static_cast<const uint32_t*>(column.codes));
}

bool many_levels(const CodeColumn& c) { return c.n_levels > 0 && c.n_codes >= kCoarse; }
bool many_numbers(const CodeColumn& c) { return c.n_levels == 0 && c.n_codes >= kCoarse; }

// Coarse codes of about equal numbers of rows; a value is never divided between two.
template <class T>
void make_coarse(const T* codes, int64_t n_codes, int64_t n_rows, uint8_t* coarse, uint32_t* order,
                 int64_t* bin_start, int64_t* last_code) {
  std::vector<int64_t> place(n_codes + 2, 0);
  for (int64_t i = 0; i < n_rows; ++i) ++place[static_cast<int64_t>(codes[i]) + 1];
  for (int64_t c = 1; c <= n_codes + 1; ++c) place[c] += place[c - 1];
  const int64_t present = place[n_codes];
  std::vector<uint8_t> bin_of(n_codes + 1, kCoarseMissing);
  std::fill(bin_start, bin_start + kCoarse, present);
  std::fill(last_code, last_code + kCoarse, -1);
  int bin = -1;
  int64_t next = 0;  // rows before the next coarse code may begin
  for (int64_t c = 0; c < n_codes; ++c) {
    if (place[c] >= next && bin + 1 < kCoarseMissing) {
      ++bin;
      bin_start[bin] = place[c];
      next = (bin + 1) * present / kCoarseMissing + 1;
    }
    bin_of[c] = static_cast<uint8_t>(bin);
    last_code[bin] = c;
  }
  for (int64_t i = 0; i < n_rows; ++i) {
    const int64_t code = codes[i];
    coarse[i] = bin_of[code];
    if (code < n_codes) order[place[code]++] = static_cast<uint32_t>(i);
  }
  for (int64_t c = 0; c < n_codes; ++c) order[place[c] - 1] |= kLastOfCode;
}

// Weights by coarse code and group. sums: group x column x kCoarse.
template <int Columns>
void add_block(const uint8_t* coarse, int64_t n_rows, int64_t begin, int64_t end, const uint16_t* group,
               const double* weight, double* sums) {
  const uint8_t* column[Columns];
  for (int j = 0; j < Columns; ++j) column[j] = coarse + j * n_rows;
  for (int64_t i = begin; i < end; ++i) {
    double* at = sums + static_cast<int64_t>(group[i]) * (Columns * kCoarse);
    const double w = weight[i];
    for (int j = 0; j < Columns; ++j) at[j * kCoarse + column[j][i]] += w;
  }
}

void add_columns(int columns, const uint8_t* coarse, int64_t n_rows, int64_t begin, int64_t end,
                 const uint16_t* group, const double* weight, double* sums) {
  switch (columns) {
    case 8:
      return add_block<8>(coarse, n_rows, begin, end, group, weight, sums);
    case 7:
      return add_block<7>(coarse, n_rows, begin, end, group, weight, sums);
    case 6:
      return add_block<6>(coarse, n_rows, begin, end, group, weight, sums);
    case 5:
      return add_block<5>(coarse, n_rows, begin, end, group, weight, sums);
    case 4:
      return add_block<4>(coarse, n_rows, begin, end, group, weight, sums);
    case 3:
      return add_block<3>(coarse, n_rows, begin, end, group, weight, sums);
    case 2:
      return add_block<2>(coarse, n_rows, begin, end, group, weight, sums);
    default:
      return add_block<1>(coarse, n_rows, begin, end, group, weight, sums);
  }
}

// The sums of one column, code by code: groups beside each other. codes + 1 rows, the last for missing cells.
struct ColumnSums {
  std::vector<double> mass;  // code x group
  std::vector<double> missing, total;
  int64_t codes = 0;
};

struct Found {
  double merit = -std::numeric_limits<double>::infinity();
  int64_t code =
      -1;  // numbers: the last code of the first side; categories: how many levels, in the order used
  bool missing_first = false;
  int order_by = 0;  // categories: the group whose share orders the levels
  bool any() const { return code >= 0; }
  // Equal merits: the lower code.
  void offer(const Found& other) {
    if (!other.any()) return;
    if (!any() || other.merit > merit + kTied || (other.merit >= merit - kTied && other.code < code))
      *this = other;
  }
};

template <class Merit>
class Search {
 public:
  explicit Search(const StumpInput& input) : in_(input), groups_(input.n_groups) {}

  BestStump run(Crew& crew) {
    const auto d = static_cast<int64_t>(in_.columns.size());
    add_up(crew);
    if (groups_ == 2) give_signs(crew);
    found_.assign(d, {});
    crew.run(d, [&](int64_t j, int) { found_[j] = boundaries(j); });
    double best = -std::numeric_limits<double>::infinity();
    for (const Found& f : found_) best = std::max(best, f.merit);
    crew.run(d, [&](int64_t j, int) { refine(j, best); });
    int32_t winner = -1;
    for (int64_t j = 0; j < d; ++j)
      if (found_[j].any() && (winner < 0 || found_[j].merit > found_[winner].merit + kTied))
        winner = static_cast<int32_t>(j);
    return winner < 0 ? BestStump{} : described(winner);
  }

 private:
  void give_signs(Crew& crew) {
    signed_.resize(in_.n_rows);
    crew.run((in_.n_rows + kBlock - 1) / kBlock, [&](int64_t block, int) {
      for (int64_t i = block * kBlock; i < std::min(in_.n_rows, (block + 1) * kBlock); ++i)
        signed_[i] = in_.group[i] ? in_.weight[i] : -in_.weight[i];
    });
  }

  void add_up(Crew& crew) {
    const auto d = static_cast<int64_t>(in_.columns.size());
    const int64_t teams = (d + kTogether - 1) / kTogether,
                  blocks = std::max<int64_t>(1, (in_.n_rows + kBlock - 1) / kBlock);
    const int64_t team_size = int64_t{groups_} * kTogether * kCoarse;
    std::vector<double> sums(teams * blocks * team_size, 0.0);
    crew.run(teams * blocks, [&](int64_t task, int) {
      const int64_t team = task % teams, block = task / teams;
      const int64_t first = team * kTogether, many = std::min<int64_t>(kTogether, d - first);
      add_columns(static_cast<int>(many), in_.coarse + first * in_.n_rows, in_.n_rows, block * kBlock,
                  std::min(in_.n_rows, (block + 1) * kBlock), in_.group, in_.weight,
                  sums.data() + task * team_size);
    });
    sums_.assign(d, {});
    crew.run(d, [&](int64_t j, int) {
      const int64_t team = j / kTogether, many = std::min<int64_t>(kTogether, d - team * kTogether);
      const CodeColumn& c = in_.columns[j];
      ColumnSums& to = sums_[j];
      to.codes = c.n_codes < kCoarse ? c.n_codes : kCoarseMissing;
      to.missing.assign(groups_, 0.0);
      to.total.assign(groups_, 0.0);
      if (many_levels(c)) return add_levels(c, to);
      to.mass.assign(to.codes * groups_, 0.0);
      for (int64_t block = 0; block < blocks; ++block) {
        const double* from = sums.data() + (block * teams + team) * team_size + (j % kTogether) * kCoarse;
        for (int g = 0; g < groups_; ++g, from += many * kCoarse) {
          for (int64_t b = 0; b < to.codes; ++b) to.mass[b * groups_ + g] += from[b];
          to.missing[g] += from[kCoarseMissing];
        }
      }
      finish(to);
    });
  }

  void add_levels(const CodeColumn& c, ColumnSums& to) {
    to.codes = c.n_codes;
    to.mass.assign((to.codes + 1) * groups_, 0.0);
    with_codes(c, [&](const auto* codes) {
      for (int64_t i = 0; i < in_.n_rows; ++i)
        to.mass[static_cast<int64_t>(codes[i]) * groups_ + in_.group[i]] += in_.weight[i];
    });
    for (int g = 0; g < groups_; ++g) to.missing[g] = to.mass[to.codes * groups_ + g];
    to.mass.resize(to.codes * groups_);
    finish(to);
  }

  void finish(ColumnSums& to) const {
    for (int64_t b = 0; b < to.codes; ++b)
      for (int g = 0; g < groups_; ++g) to.total[g] += to.mass[b * groups_ + g];
    for (int g = 0; g < groups_; ++g) to.total[g] += to.missing[g];
  }

  bool has_missing(const ColumnSums& sums) const {
    return std::any_of(sums.missing.begin(), sums.missing.end(), [](double m) { return m > 0; });
  }

  // Merit when the present cells `below` are on the first side, with missing cells on the second or the
  // first.
  double merit(const ColumnSums& sums, const double* below, bool missing_first,
               std::vector<double>& sides) const {
    double* first = sides.data();
    double* second = first + groups_;
    for (int g = 0; g < groups_; ++g) {
      first[g] = below[g] + (missing_first ? sums.missing[g] : 0.0);
      second[g] = std::max(0.0, sums.total[g] - first[g]);
    }
    return Merit::of(first, second, groups_);
  }

  void try_both(const ColumnSums& sums, const double* below, int64_t code, int order_by, bool missing,
                Found& best, std::vector<double>& sides) const {
    consider(merit(sums, below, false, sides), code, false, order_by, best);
    if (missing) consider(merit(sums, below, true, sides), code, true, order_by, best);
  }

  static void consider(double merit, int64_t code, bool missing_first, int order_by, Found& best) {
    if (merit >= best.merit - kTied) best.offer({merit, code, missing_first, order_by});
  }

  Found boundaries(int64_t j) const {
    const CodeColumn& c = in_.columns[j];
    return c.n_levels > 0 ? level_boundaries(sums_[j]) : number_boundaries(j);
  }

  Found number_boundaries(int64_t j) const {
    const ColumnSums& sums = sums_[j];
    if (sums.codes == 0) return {};  // nothing but missing cells
    const bool missing = has_missing(sums);
    const int64_t* last_code = in_.last_code + j * kCoarse;
    Found best;
    std::vector<double> below(groups_, 0.0), sides(2 * groups_);
    const int64_t end = last_bin(j);
    for (int64_t b = 0; b <= end; ++b) {
      for (int g = 0; g < groups_; ++g) below[g] += sums.mass[b * groups_ + g];
      if (b < end)
        try_both(sums, below.data(), last_code[b], 0, missing, best, sides);
      else if (missing)  // missing cells against all others
        best.offer({merit(sums, below.data(), false, sides), last_code[b], false, 0});
    }
    return best;
  }

  // Levels in the order of their share of one group: for two groups the best subset is a beginning of that
  // order; for more, the best of the orders by each group is taken.
  Found level_boundaries(const ColumnSums& sums) const {
    const bool missing = has_missing(sums);
    Found best;
    std::vector<double> sides(2 * groups_);
    for (int by = groups_ == 2 ? 1 : 0; by < groups_; ++by) {
      const std::vector<int32_t> order = levels_by(sums, by);
      std::vector<double> below(groups_, 0.0);
      const auto many = static_cast<int64_t>(order.size());
      Found here;
      for (int64_t k = 0; k < many; ++k) {
        for (int g = 0; g < groups_; ++g) below[g] += sums.mass[order[k] * int64_t{groups_} + g];
        if (k + 1 < many)
          try_both(sums, below.data(), k, by, missing, here, sides);
        else if (missing)
          here.offer({merit(sums, below.data(), false, sides), k, false, by});
      }
      if (here.any() && (!best.any() || here.merit > best.merit + kTied)) best = here;
    }
    return best;
  }

  std::vector<int32_t> levels_by(const ColumnSums& sums, int by) const {
    std::vector<int32_t> order;
    std::vector<double> share(sums.codes, 0.0);
    for (int64_t level = 0; level < sums.codes; ++level) {
      double weight = 0;
      for (int g = 0; g < groups_; ++g) weight += sums.mass[level * groups_ + g];
      if (!(weight > 0)) continue;
      share[level] = sums.mass[level * groups_ + by] / weight;
      order.push_back(static_cast<int32_t>(level));
    }
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return share[a] < share[b]; });
    return order;
  }

  int64_t last_bin(int64_t j) const {
    const int64_t* last_code = in_.last_code + j * kCoarse;
    int64_t end = kCoarseMissing - 1;
    while (end > 0 && last_code[end] < 0) --end;
    return end;
  }

  // No threshold inside the coarse code is worth more than this.
  double bound(const ColumnSums& sums, const double* below, const double* inside, bool missing_first,
               std::vector<double>& sides) const {
    if (groups_ == 2) {
      const double one[2] = {below[0] + inside[0], below[1]}, other[2] = {below[0], below[1] + inside[1]};
      return std::max(merit(sums, one, missing_first, sides), merit(sums, other, missing_first, sides));
    }
    if constexpr (requires { Merit::most(below, inside, 0); }) {
      double* first = sides.data();
      double* second = first + groups_;
      for (int g = 0; g < groups_; ++g) {
        first[g] = below[g] + (missing_first ? sums.missing[g] : 0.0);
        second[g] = std::max(0.0, sums.total[g] - first[g] - inside[g]);
      }
      return Merit::most(first, inside, groups_) + Merit::most(second, inside, groups_);
    }
    return std::numeric_limits<double>::infinity();
  }

  void refine(int64_t j, double best) {
    if (!many_numbers(in_.columns[j])) return;
    const ColumnSums& sums = sums_[j];
    const bool missing = has_missing(sums);
    const int64_t end = last_bin(j);
    const int64_t* bin_start = in_.bin_start + j * kCoarse;
    const uint32_t* order = in_.order + in_.order_start[j];
    std::vector<double> below(groups_, 0.0), sides(2 * groups_);
    for (int64_t b = 0; b <= end; ++b) {
      const double* inside = sums.mass.data() + b * groups_;
      double most = bound(sums, below.data(), inside, false, sides);
      if (missing) most = std::max(most, bound(sums, below.data(), inside, true, sides));
      if (most >= best - kTied) {
        with_codes(in_.columns[j], [&](const auto* codes) {
          if (groups_ == 2)
            inner_two(sums, codes, order, bin_start[b], bin_start[b + 1], below, missing, found_[j]);
          else
            inner(sums, codes, order, bin_start[b], bin_start[b + 1], below, missing, found_[j], sides);
        });
        best = std::max(best, found_[j].merit);
      }
      for (int g = 0; g < groups_; ++g) below[g] += inside[g];
    }
  }

  template <class T>
  void inner(const ColumnSums& sums, const T* codes, const uint32_t* order, int64_t begin, int64_t end,
             std::vector<double> below, bool missing, Found& best, std::vector<double>& sides) const {
    for (int64_t i = begin; i + 1 < end; ++i) {
      const uint32_t row = order[i] & ~kLastOfCode;
      below[in_.group[row]] += in_.weight[row];
      if (order[i] & kLastOfCode)
        try_both(sums, below.data(), static_cast<int64_t>(codes[row]), 0, missing, best, sides);
    }
  }

  // The same for two groups: one load a row, the group in the sign of the weight.
  template <class T>
  void inner_two(const ColumnSums& sums, const T* codes, const uint32_t* order, int64_t begin, int64_t end,
                 const std::vector<double>& below, bool missing, Found& best) const {
    double mass[2] = {below[0], below[1]};
    auto worth = [&](double lower, double upper) {
      const double first[2] = {lower, upper};
      const double second[2] = {std::max(0.0, sums.total[0] - lower), std::max(0.0, sums.total[1] - upper)};
      return Merit::of(first, second, 2);
    };
    for (int64_t i = begin; i + 1 < end; ++i) {
      const uint32_t row = order[i] & ~kLastOfCode;
      mass[0] += std::max(0.0, -signed_[row]);
      mass[1] += std::max(0.0, signed_[row]);
      if (!(order[i] & kLastOfCode)) continue;
      const double here = worth(mass[0], mass[1]);
      if (here >= best.merit - kTied) best.offer({here, static_cast<int64_t>(codes[row]), false, 0});
      if (!missing) continue;
      const double with_missing = worth(mass[0] + sums.missing[0], mass[1] + sums.missing[1]);
      if (with_missing >= best.merit - kTied)
        best.offer({with_missing, static_cast<int64_t>(codes[row]), true, 0});
    }
  }

  BestStump described(int32_t j) const {
    const CodeColumn& c = in_.columns[j];
    const Found& f = found_[j];
    const ColumnSums& sums = sums_[j];
    BestStump out;
    out.column = j;
    out.missing_first = f.missing_first;
    out.merit = f.merit;
    out.missing = sums.missing;
    out.first.assign(groups_, 0.0);
    if (c.n_levels > 0) {
      const auto order = levels_by(sums, f.order_by);
      out.level_first.assign(c.n_levels, 0);
      for (int64_t k = 0; k <= f.code; ++k) {
        out.level_first[order[k]] = 1;
        for (int g = 0; g < groups_; ++g) out.first[g] += sums.mass[order[k] * int64_t{groups_} + g];
      }
    } else {
      out.code = f.code;
      mass_up_to(j, f.code, out.first);
    }
    for (int g = 0; g < groups_; ++g) {
      if (f.missing_first) out.first[g] += sums.missing[g];
      out.second.push_back(std::max(0.0, sums.total[g] - out.first[g]));
    }
    return out;
  }

  void mass_up_to(int64_t j, int64_t code, std::vector<double>& mass) const {
    const int64_t* last_code = in_.last_code + j * kCoarse;
    int64_t b = 0;
    for (; b < kCoarseMissing && last_code[b] >= 0 && last_code[b] <= code; ++b)
      for (int g = 0; g < groups_; ++g) mass[g] += sums_[j].mass[b * groups_ + g];
    if (b == kCoarseMissing || last_code[b] < 0 || !many_numbers(in_.columns[j])) return;
    const int64_t* bin_start = in_.bin_start + j * kCoarse;
    const uint32_t* order = in_.order + in_.order_start[j];
    with_codes(in_.columns[j], [&](const auto* codes) {
      for (int64_t i = bin_start[b]; i < bin_start[b + 1]; ++i) {
        const uint32_t row = order[i] & ~kLastOfCode;
        if (static_cast<int64_t>(codes[row]) > code) break;
        mass[in_.group[row]] += in_.weight[row];
      }
    });
  }

  const StumpInput& in_;
  int groups_;
  std::vector<ColumnSums> sums_;
  std::vector<Found> found_;
  std::vector<double> signed_;  // two groups: the weight, below zero for the first group
};

}  // namespace

CoarseColumns coarse_columns(const std::vector<CodeColumn>& columns, int64_t n_rows, Crew& crew) {
  const auto d = static_cast<int64_t>(columns.size());
  CoarseColumns out;
  out.coarse.resize(d * n_rows);
  out.order_start.assign(d, -1);
  out.bin_start.assign(d * kCoarse, 0);
  out.last_code.assign(d * kCoarse, -1);
  int64_t ordered = 0;
  for (int64_t j = 0; j < d; ++j)
    if (many_numbers(columns[j])) out.order_start[j] = n_rows * ordered++;
  out.order.resize(n_rows * ordered);
  crew.run(d, [&](int64_t j, int) {
    const CodeColumn& c = columns[j];
    uint8_t* coarse = out.coarse.data() + j * n_rows;
    if (many_levels(c)) return;
    with_codes(c, [&](const auto* codes) {
      if (many_numbers(c))
        return make_coarse(codes, c.n_codes, n_rows, coarse, out.order.data() + out.order_start[j],
                           out.bin_start.data() + j * kCoarse, out.last_code.data() + j * kCoarse);
      for (int64_t i = 0; i < n_rows; ++i)
        coarse[i] =
            static_cast<uint8_t>(static_cast<int64_t>(codes[i]) == c.n_codes ? kCoarseMissing : codes[i]);
      for (int64_t b = 0; b < c.n_codes; ++b) out.last_code[j * kCoarse + b] = b;
    });
  });
  return out;
}

BestStump best_stump(const StumpInput& input, Crew& crew) {
  if (input.merit == "error") return Search<LeastError>(input).run(crew);
  if (input.merit == "exponential") return Search<LeastLoss>(input).run(crew);
  if (input.merit == "silence") return Search<OneSide>(input).run(crew);
  if (input.merit == "gini") return Search<LeastGini>(input).run(crew);
  throw std::invalid_argument("unknown merit '" + input.merit + "'");
}

std::vector<double> word_masses(const int64_t* start, const int32_t* row, int64_t n_columns,
                                const uint16_t* group, int n_groups, const double* weight, Crew& crew) {
  constexpr int64_t kColumns = 1024;  // a task
  std::vector<double> mass(n_columns * n_groups, 0.0);
  crew.run((n_columns + kColumns - 1) / kColumns, [&](int64_t task, int) {
    for (int64_t j = task * kColumns; j < std::min(n_columns, (task + 1) * kColumns); ++j)
      for (int64_t i = start[j]; i < start[j + 1]; ++i) mass[j * n_groups + group[row[i]]] += weight[row[i]];
  });
  return mass;
}

}  // namespace hedgerow

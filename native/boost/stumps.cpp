#include "boost/stumps.hpp"

#include <algorithm>
#include <stdexcept>

#include "boost/masses.hpp"
#include "boost/merits.hpp"
#include "common/simd.hpp"

namespace hedgerow {
namespace {

constexpr int64_t kFew = 32;  // rows inside a coarse code that are bounded together

// Groups: as in Masses.
template <class Merit, int Groups>
class Search : Masses<Groups> {
 public:
  Search(const StumpInput& input, ThreadTeam& team) : Masses<Groups>(input, team) {}

  BestStump run() {
    const auto d = static_cast<int64_t>(in_.columns.size());
    if (!this->weigh()) return {};
    this->add_up();
    sums_.resize(d);
    found_.resize(d);
    most_.resize(d);
    team_.run(d, [&](int64_t j, int) { boundaries(j); });
    double best = kNothing;
    for (const Found& f : found_) best = std::max(best, f.merit);
    team_.run(d, [&](int64_t j, int) { refine(j, best); });
    int32_t winner = -1;
    for (int64_t j = 0; j < d; ++j)
      if (found_[j].any() && (winner < 0 || found_[j].merit > found_[winner].merit + kTied))
        winner = static_cast<int32_t>(j);
    return winner < 0 ? BestStump{} : this->described(winner, found_[winner]);
  }

 private:
  using Base = Masses<Groups>;
  using Base::add, Base::groups, Base::last_bin, Base::levels_by, Base::sums_of;
  using Base::in_, Base::sums_, Base::team_, Base::unit_;
  template <class T>
  using Row = typename Base::template Row<T>;

  // Merit when the present cells `below` are on the first side, with missing cells on the second or the
  // first.
  double merit(const ColumnSums& sums, const Mass* below, bool missing_first) const {
    Row<double> first(groups()), second(groups());
    for (int g = 0; g < groups(); ++g) {
      const Mass mass = below[g] + (missing_first ? sums.missing[g] : 0);
      first[g] = unit_ * static_cast<double>(mass);
      second[g] = unit_ * static_cast<double>(sums.total[g] - mass);
    }
    return Merit::of(first.data(), second.data(), groups());
  }

  void try_both(const ColumnSums& sums, const Mass* below, int64_t code, int order_by, Found& best) const {
    consider(merit(sums, below, false), code, false, order_by, best);
    if (sums.any_missing) consider(merit(sums, below, true), code, true, order_by, best);
  }

  static void consider(double merit, int64_t code, bool missing_first, int order_by, Found& best) {
    if (merit >= best.merit - kTied) best.offer({merit, code, missing_first, order_by});
  }

  void boundaries(int64_t j) {
    sums_[j] = sums_of(j);
    if (in_.columns[j].n_levels > 0)
      level_boundaries(j);
    else if (sums_[j].codes > 0)  // else nothing but missing cells
      number_boundaries(j);
  }

  // Also looks into the most promising coarse code at once: what is found there rules out most of the others.
  void number_boundaries(int64_t j) {
    const ColumnSums& sums = sums_[j];
    const int64_t* last_code = in_.last_code + j * kCoarse;
    Found& best = found_[j];
    Row<Mass> below(groups()), promising(groups());
    const bool many = many_numbers(in_.columns[j]);
    const int64_t end = last_bin(j);
    std::vector<double>& most = most_[j];
    int64_t top = 0;
    for (int64_t b = 0; b <= end; ++b) {
      const Mass* inside = sums.mass.data() + b * groups();
      if (many) {
        most.push_back(bound(sums, below.data(), inside));
        if (b == 0 || most[b] > most[top]) {
          top = b;
          promising = below;
        }
      }
      for (int g = 0; g < groups(); ++g) below[g] += inside[g];
      if (b < end)
        try_both(sums, below.data(), last_code[b], 0, best);
      else if (sums.any_missing)  // missing cells against all others
        best.offer({merit(sums, below.data(), false), last_code[b], false, 0});
    }
    if (!many || most[top] < best.merit - kTied) return;
    look_into(j, top, promising, best.merit);
    most[top] = kNothing;
  }

  // Levels in the order of their share of one group: for two groups the best subset is a beginning of that
  // order; for more, the best of the orders by each group is taken.
  void level_boundaries(int64_t j) {
    const ColumnSums& sums = sums_[j];
    Found& best = found_[j];
    for (int by = groups() == 2 ? 1 : 0; by < groups(); ++by) {
      const std::vector<int32_t> order = levels_by(sums, by);
      Row<Mass> below(groups());
      const auto many = static_cast<int64_t>(order.size());
      Found here;
      for (int64_t k = 0; k < many; ++k) {
        for (int g = 0; g < groups(); ++g) below[g] += sums.mass[order[k] * int64_t{groups()} + g];
        if (k + 1 < many)
          try_both(sums, below.data(), k, by, here);
        else if (sums.any_missing)
          here.offer({merit(sums, below.data(), false), k, false, by});
      }
      if (here.any() && (!best.any() || here.merit > best.merit + kTied)) best = here;
    }
  }

  // No threshold that has `below` and some of `inside` before it, but not all, is worth more than this.
  double bound(const ColumnSums& sums, const Mass* below, const Mass* inside) const {
    const double most = bound(sums, below, inside, false);
    return sums.any_missing ? std::max(most, bound(sums, below, inside, true)) : most;
  }

  double bound(const ColumnSums& sums, const Mass* below, const Mass* inside, bool missing_first) const {
    if constexpr (Groups == 2) {
      const Mass one[2] = {below[0] + inside[0], below[1]}, other[2] = {below[0], below[1] + inside[1]};
      return std::max(merit(sums, one, missing_first), merit(sums, other, missing_first));
    } else {
      Row<double> low(groups()), rest(groups()), more(groups());
      for (int g = 0; g < groups(); ++g) {
        const Mass mass = below[g] + (missing_first ? sums.missing[g] : 0);
        low[g] = unit_ * static_cast<double>(mass);
        more[g] = unit_ * static_cast<double>(inside[g]);
        rest[g] = unit_ * static_cast<double>(sums.total[g] - mass - inside[g]);
      }
      return Merit::most(low.data(), more.data(), groups()) + Merit::most(rest.data(), more.data(), groups());
    }
  }

  void refine(int64_t j, double best) {
    const ColumnSums& sums = sums_[j];
    Row<Mass> below(groups());
    for (size_t b = 0; b < most_[j].size(); ++b) {
      if (most_[j][b] >= best - kTied) {
        look_into(j, static_cast<int64_t>(b), below, best);
        best = std::max(best, found_[j].merit);
      }
      for (int g = 0; g < groups(); ++g) below[g] += sums.mass[static_cast<int64_t>(b) * groups() + g];
    }
  }

  // Every threshold inside a coarse code that could be worth `floor`.
  void look_into(int64_t j, int64_t bin, Row<Mass> below, double floor) {
    const ColumnSums& sums = sums_[j];
    const int64_t* bin_start = in_.bin_start + j * kCoarse;
    const uint32_t* order = in_.order + in_.order_start[j];
    Row<Mass> inside(groups());
    for (int64_t at = bin_start[bin]; at < bin_start[bin + 1]; at += kFew) {
      const int64_t end = std::min(bin_start[bin + 1], at + kFew);
      std::fill(inside.begin(), inside.end(), 0);
      for (int64_t i = at; i < end; ++i) add(order[i], inside.data());
      Row<Mass> after = below;
      for (int g = 0; g < groups(); ++g) after[g] += inside[g];
      Found last_one;
      try_both(sums, after.data(), 0, 0, last_one);
      if (std::max(last_one.merit, bound(sums, below.data(), inside.data())) >= floor - kTied) {
        const int64_t last = std::min(end, bin_start[bin + 1] - 1);  // beyond it, a boundary
        with_codes(in_.columns[j],
                   [&](const auto* codes) { one_by_one(sums, codes, order, at, last, below, found_[j]); });
        floor = std::max(floor, found_[j].merit);
      }
      below = after;
    }
  }

  template <class T>
  void one_by_one(const ColumnSums& sums, const T* codes, const uint32_t* order, int64_t begin, int64_t end,
                  Row<Mass> below, Found& best) const {
    for (int64_t i = begin; i < end; ++i) {
      add(order[i], below.data());
      if (order[i] & kLastOfCode)
        try_both(sums, below.data(), static_cast<int64_t>(codes[order[i] & ~kLastOfCode]), 0, best);
    }
  }

  std::vector<Found> found_;
  std::vector<std::vector<double>> most_;  // per column and coarse code: no threshold inside is worth more
};

template <class Merit>
BestStump search(const StumpInput& input, ThreadTeam& team) {
  if (input.n_groups == 2) return Search<Merit, 2>(input, team).run();
  if constexpr (requires(const double* mass) { Merit::most(mass, mass, 0); })
    return Search<Merit, 0>(input, team).run();
  throw std::invalid_argument("merit '" + input.merit + "' is for two groups");
}

template <class Code>
HEDGEROW_INLINE void answer(const Code* codes, int64_t n, Code last, Code none, double first, double second,
                            double missing, double* out) {
  for (int64_t i = 0; i < n; ++i) {
    const double present = codes[i] <= last ? first : second;
    out[i] = codes[i] == none ? missing : present;
  }
}

HEDGEROW_CLONES void answers(const uint8_t* codes, int64_t n, uint8_t last, uint8_t none, double first,
                             double second, double missing, double* out) {
  answer(codes, n, last, none, first, second, missing, out);
}
HEDGEROW_CLONES void answers(const uint16_t* codes, int64_t n, uint16_t last, uint16_t none, double first,
                             double second, double missing, double* out) {
  answer(codes, n, last, none, first, second, missing, out);
}
HEDGEROW_CLONES void answers(const uint32_t* codes, int64_t n, uint32_t last, uint32_t none, double first,
                             double second, double missing, double* out) {
  answer(codes, n, last, none, first, second, missing, out);
}

}  // namespace

BestStump best_stump(const StumpInput& input, ThreadTeam& team) {
  if (input.merit == "error") return search<LeastError>(input, team);
  if (input.merit == "exponential") return search<LeastLoss>(input, team);
  if (input.merit == "silence") return search<OneSide>(input, team);
  if (input.merit == "gini") return search<LeastGini>(input, team);
  throw std::invalid_argument("unknown merit '" + input.merit + "'");
}

void side_answers(const CodeColumn& column, int64_t n_rows, int64_t last, double first, double second,
                  double missing, double* out) {
  with_codes(column, [&](const auto* codes) {
    using Code = std::remove_cvref_t<decltype(*codes)>;
    answers(codes, n_rows, static_cast<Code>(last), static_cast<Code>(column.n_codes), first, second, missing,
            out);
  });
}

}  // namespace hedgerow

// Weights of rows as whole numbers, and their sums by column, code and group: what every merit is computed
// from.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

#include "boost/coarse.hpp"
#include "boost/stumps.hpp"

namespace hedgerow {

using Mass = int64_t;
constexpr double kWhole = 0x1p60;             // the total weight
constexpr int64_t kBlock = int64_t{1} << 17;  // rows whose masses are added up in one task
constexpr double kTied = 1e-11;  // merits this close are equal; the first column, then the lowest code wins
constexpr double kNothing = -std::numeric_limits<double>::infinity();

// Masses by coarse code and group, of a team of columns. sums: group x column x kCoarse.
template <class GroupOf>
void add_rows(const uint8_t* coarse, GroupOf group_of, const Mass* mass, int64_t n, Mass* sums) {
  for (int64_t i = 0; i < n; ++i) {
    uint64_t codes;
    std::memcpy(&codes, coarse + i * kTogether, sizeof codes);
    const Mass m = std::abs(mass[i]);
    Mass* at = sums + group_of(i) * (kTogether * kCoarse);
    for (int j = 0; j < kTogether; ++j, codes >>= 8) at[j * kCoarse + (codes & 0xff)] += m;
  }
}

struct ColumnSums {
  std::vector<Mass> mass;  // code x group
  std::vector<Mass> missing, total;
  int64_t codes = 0;
  bool any_missing = false;
};

struct Found {
  double merit = kNothing;
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

// Groups: their number if it is known here, else 0.
template <int Groups>
class Masses {
 protected:
  Masses(const StumpInput& input, ThreadTeam& team) : in_(input), team_(team), groups_(input.n_groups) {}

  // A number for each group.
  template <class T>
  struct Fixed : std::array<T, std::max(1, Groups)> {
    explicit Fixed(int) : std::array<T, std::max(1, Groups)>{} {}
  };
  template <class T>
  using Row = std::conditional_t<(Groups > 0), Fixed<T>, std::vector<T>>;

  int groups() const { return Groups > 0 ? Groups : groups_; }

  // Weights as whole numbers. False if there are none.
  bool weigh() {
    double lane[8] = {};
    int64_t i = 0;
    for (; i + 8 <= in_.n_rows; i += 8)
      for (int k = 0; k < 8; ++k) lane[k] += in_.weight[i + k];
    for (; i < in_.n_rows; ++i) lane[0] += in_.weight[i];
    double total = 0;
    for (const double part : lane) total += part;
    if (!(total > 0) || !std::isfinite(total)) return false;
    unit_ = total / kWhole;
    mass_ = std::make_unique_for_overwrite<Mass[]>(in_.n_rows);
    const double scale = kWhole / total;
    constexpr int64_t rows = 1 << 14;  // a task
    team_.run((in_.n_rows + rows - 1) / rows, [&](int64_t task, int) {
      for (int64_t k = task * rows; k < std::min(in_.n_rows, (task + 1) * rows); ++k)
        mass_[k] = signed_mass(static_cast<Mass>(in_.weight[k] * scale + 0.5), k);
    });
    return true;
  }

  Mass signed_mass(Mass mass, int64_t row) const {
    if constexpr (Groups == 2) {
      const Mass down = Mass{in_.signs[row] > 0} - 1;  // no branch that depends on the data: here and below
      return (mass ^ down) - down;
    } else {
      return mass;
    }
  }

  int64_t group_of(int64_t row) const {
    if constexpr (Groups == 2)
      return 1 + (mass_[row] >> 63);
    else
      return in_.group[row];
  }

  void add_up() {
    const int64_t size = int64_t{groups()} * kTogether * kCoarse;
    teams_ = teams_of(static_cast<int64_t>(in_.columns.size()));
    blocks_ = (in_.n_rows + kBlock - 1) / kBlock;
    by_code_.assign(teams_ * blocks_ * size, 0);
    team_.run(teams_ * blocks_, [&](int64_t task, int) {
      const int64_t team = task % teams_, begin = task / teams_ * kBlock;
      add_rows(
          in_.coarse + (team * in_.n_rows + begin) * kTogether,
          [&](int64_t i) { return group_of(begin + i); }, mass_.get() + begin,
          std::min(kBlock, in_.n_rows - begin), by_code_.data() + task * size);
    });
  }

  ColumnSums sums_of(int64_t j) const {
    const CodeColumn& c = in_.columns[j];
    ColumnSums to;
    to.missing.assign(groups(), 0);
    to.total.assign(groups(), 0);
    to.codes = c.n_codes < kCoarse || many_levels(c) ? c.n_codes : kCoarseMissing;
    to.mass.assign((to.codes + 1) * groups(), 0);
    if (many_levels(c))
      add_levels(c, to);
    else
      add_blocks(j, to);
    to.mass.resize(to.codes * groups());
    for (int64_t b = 0; b < to.codes; ++b)
      for (int g = 0; g < groups(); ++g) to.total[g] += to.mass[b * groups() + g];
    for (int g = 0; g < groups(); ++g) {
      to.total[g] += to.missing[g];
      to.any_missing |= to.missing[g] > 0;
    }
    return to;
  }

  void add_blocks(int64_t j, ColumnSums& to) const {
    for (int64_t block = 0; block < blocks_; ++block)
      for (int g = 0; g < groups(); ++g) {
        const int64_t task = block * teams_ + j / kTogether;
        const Mass* from = by_code_.data() + ((task * groups() + g) * kTogether + j % kTogether) * kCoarse;
        for (int64_t b = 0; b < to.codes; ++b) to.mass[b * groups() + g] += from[b];
        to.missing[g] += from[kCoarseMissing];
      }
  }

  void add_levels(const CodeColumn& c, ColumnSums& to) const {
    with_codes(c, [&](const auto* codes) {
      for (int64_t i = 0; i < in_.n_rows; ++i)
        to.mass[static_cast<int64_t>(codes[i]) * groups() + group_of(i)] += std::abs(mass_[i]);
    });
    for (int g = 0; g < groups(); ++g) to.missing[g] = to.mass[to.codes * groups() + g];
  }

  std::vector<int32_t> levels_by(const ColumnSums& sums, int by) const {
    std::vector<int32_t> order;
    std::vector<double> share(sums.codes, 0.0);
    for (int64_t level = 0; level < sums.codes; ++level) {
      Mass weight = 0;
      for (int g = 0; g < groups(); ++g) weight += sums.mass[level * groups() + g];
      if (weight == 0) continue;
      share[level] = static_cast<double>(sums.mass[level * groups() + by]) / static_cast<double>(weight);
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

  void add(uint32_t ordered, Mass* mass) const {
    const uint32_t row = ordered & ~kLastOfCode;
    if constexpr (Groups == 2) {
      const Mass m = mass_[row], down = m >> 63;
      mass[0] += -m & down;
      mass[1] += m & ~down;
    } else {
      mass[in_.group[row]] += mass_[row];
    }
  }

  BestStump described(int32_t j, const Found& f) const {
    const ColumnSums& sums = sums_[j];
    BestStump out;
    out.column = j;
    out.missing_first = f.missing_first;
    out.merit = f.merit;
    std::vector<Mass> first(groups(), 0);
    if (in_.columns[j].n_levels > 0) {
      const auto order = levels_by(sums, f.order_by);
      out.level_first.assign(in_.columns[j].n_levels, 0);
      for (int64_t k = 0; k <= f.code; ++k) {
        out.level_first[order[k]] = 1;
        for (int g = 0; g < groups(); ++g) first[g] += sums.mass[order[k] * int64_t{groups()} + g];
      }
    } else {
      out.code = f.code;
      add_up_to(j, f.code, first, out);
    }
    for (int g = 0; g < groups(); ++g) {
      if (f.missing_first) first[g] += sums.missing[g];
      out.first.push_back(unit_ * static_cast<double>(first[g]));
      out.second.push_back(unit_ * static_cast<double>(sums.total[g] - first[g]));
      out.missing.push_back(unit_ * static_cast<double>(sums.missing[g]));
    }
    return out;
  }

  // The masses of codes up to this one, and a row on each side of the threshold.
  void add_up_to(int64_t j, int64_t code, std::vector<Mass>& mass, BestStump& out) const {
    const int64_t* last_code = in_.last_code + j * kCoarse;
    int64_t b = 0;
    for (; b < kCoarseMissing && last_code[b] >= 0 && last_code[b] <= code; ++b)
      for (int g = 0; g < groups(); ++g) mass[g] += sums_[j].mass[b * groups() + g];
    with_codes(in_.columns[j], [&](const auto* codes) {
      if (!many_numbers(in_.columns[j])) {
        const auto* end = codes + in_.n_rows;
        auto row_of = [&](int64_t wanted) {
          const auto* at =
              std::find_if(codes, end, [&](auto c) { return static_cast<int64_t>(c) == wanted; });
          return at == end ? -1 : at - codes;
        };
        out.low_row = row_of(code);
        if (code + 1 < in_.columns[j].n_codes) out.high_row = row_of(code + 1);
        return;
      }
      const uint32_t* order = in_.order + in_.order_start[j];
      const int64_t* bin_start = in_.bin_start + j * kCoarse;
      const int64_t present = bin_start[kCoarseMissing];
      int64_t i = b < kCoarseMissing ? bin_start[b] : present;
      auto row = [&](int64_t place) { return int64_t{order[place] & ~kLastOfCode}; };
      for (; i < present && static_cast<int64_t>(codes[row(i)]) <= code; ++i) add(order[i], mass.data());
      out.low_row = row(i - 1);
      if (i < present) out.high_row = row(i);
    });
  }

  const StumpInput& in_;
  ThreadTeam& team_;
  int groups_;
  double unit_ = 0;
  std::unique_ptr<Mass[]> mass_;  // by row; of two groups, below zero for the first
  int64_t teams_ = 0, blocks_ = 0;
  std::vector<Mass> by_code_;  // (block, team) x group x column of the team x kCoarse
  std::vector<ColumnSums> sums_;
};

}  // namespace hedgerow

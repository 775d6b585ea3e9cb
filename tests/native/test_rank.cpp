#include "encode/rank.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <vector>

#include "check.hpp"
#include "sample.hpp"

using namespace hedgerow;
using sample::Dice;

namespace {

// Kinds of columns: what is hard differs between them.
template <class T>
T draw(Dice& dice, int kind) {
  if (dice.chance(0.05)) return std::numeric_limits<T>::quiet_NaN();
  if (dice.chance(0.05)) return dice.chance(0.5) ? T(0) : -T(0);
  switch (kind) {
    case 0:
      return static_cast<T>(dice.between(-5, 5));  // ties
    case 1:
      return static_cast<T>(dice.unit() * 2 - 1);  // hardly any
    case 2:
      return static_cast<T>(1.0 + dice.between(0, 4000) * 0x1.0p-52);  // upper halves of doubles all equal
    case 3:
      return static_cast<T>(dice.between(-50, 50)) * std::numeric_limits<T>::denorm_min();
    case 4:
      return dice.chance(0.5) ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::max();
    case 5:
      return std::numeric_limits<T>::quiet_NaN();  // nothing but missing
    case 6:
      return T(3);  // constant
    default:
      return static_cast<T>(std::ldexp(dice.unit() - 0.5, static_cast<int>(dice.between(-120, 120))));
  }
}

uint32_t code_of(const RankCodes& ranks, int64_t row) {
  uint32_t code = 0;
  if (ranks.width == 1) code = ranks.codes[row];
  if (ranks.width == 2) code = reinterpret_cast<const uint16_t*>(ranks.codes.get())[row];
  if (ranks.width == 4) code = reinterpret_cast<const uint32_t*>(ranks.codes.get())[row];
  return code;
}

template <class T>
void check_codes(const std::vector<T>& x, const RankCodes& ranks) {
  std::vector<T> sorted;
  for (const T v : x)
    if (!std::isnan(v)) sorted.push_back(v);
  const auto missing = static_cast<int64_t>(x.size() - sorted.size());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());  // -0.0 == 0.0
  const auto n_codes = static_cast<int64_t>(sorted.size());
  CHECK(ranks.n_codes == n_codes);
  CHECK(ranks.n_missing == missing);
  CHECK(ranks.width == (n_codes <= 255 ? 1 : n_codes <= 65535 ? 2 : 4));
  int64_t wrong = 0;
  for (size_t row = 0; row < x.size(); ++row) {
    const int64_t wanted = std::isnan(x[row])
                               ? n_codes
                               : std::lower_bound(sorted.begin(), sorted.end(), x[row]) - sorted.begin();
    wrong += code_of(ranks, static_cast<int64_t>(row)) != wanted;
  }
  CHECK(wrong == 0);
}

// Several columns at once, of both widths, each with its own stride (also backwards).
void check_columns(Dice& dice, int64_t n, int columns, ThreadTeam& team) {
  std::vector<std::vector<float>> narrow(columns), narrow_cells(columns);
  std::vector<std::vector<double>> wide(columns), wide_cells(columns);
  std::vector<FloatColumn> in;
  auto lay_out = [&](auto& values, auto& cells, bool is_wide) {
    const int64_t stride = dice.chance(0.3) ? -dice.between(1, 3) : dice.between(1, 3);
    const int64_t first = stride < 0 ? (n - 1) * -stride : 0;
    cells.assign(std::max<int64_t>(1, (n - 1) * std::abs(stride) + 1), 99);
    for (int64_t i = 0; i < n; ++i) cells[first + i * stride] = values[i];
    in.push_back({cells.data() + first, stride, is_wide});
  };
  for (int j = 0; j < columns; ++j) {
    const int kind = static_cast<int>(dice.between(0, 7));
    for (int64_t i = 0; i < n; ++i) narrow[j].push_back(draw<float>(dice, kind));
    for (int64_t i = 0; i < n; ++i) wide[j].push_back(draw<double>(dice, kind));
    lay_out(narrow[j], narrow_cells[j], false);
    lay_out(wide[j], wide_cells[j], true);
  }
  const auto ranked = rank_columns(in, n, team);
  CHECK(ranked.size() == in.size());
  for (int j = 0; j < columns; ++j) {
    check_codes(narrow[j], ranked[2 * j]);
    check_codes(wide[j], ranked[2 * j + 1]);
  }
}

}  // namespace

TEST(rank_is_the_place_among_sorted_values) {
  Dice dice(41);
  Stop stop;
  ThreadTeam team(1, stop);
  for (int64_t n = 1; n <= 300; ++n) {
    check::scene() = "n " + std::to_string(n);
    check_columns(dice, n, 3, team);
  }
  for (int round = 0; round < 60; ++round) {
    const int64_t n = dice.between(300, 5000);
    check::scene() = "n " + std::to_string(n);
    check_columns(dice, n, 2, team);
  }
}

TEST(rank_with_any_number_of_threads) {
  Dice dice(42);
  Stop stop;
  for (const int threads : {2, 3, 8}) {
    ThreadTeam team(threads, stop);
    for (int round = 0; round < 10; ++round) check_columns(dice, dice.between(1, 500), 6, team);
  }
}

TEST(rank_of_a_long_column) {
  Dice dice(43);
  Stop stop;
  ThreadTeam team(2, stop);
  const int64_t n = 100000;
  std::vector<float> narrow(n);
  std::vector<double> wide(n), close(n);
  for (int64_t i = 0; i < n; ++i) {
    narrow[i] = draw<float>(dice, 1);
    wide[i] = draw<double>(dice, 7);
    close[i] = draw<double>(dice, 2);
  }
  const auto ranked =
      rank_columns({{narrow.data(), 1, false}, {wide.data(), 1, true}, {close.data(), 1, true}}, n, team);
  check_codes(narrow, ranked[0]);
  check_codes(wide, ranked[1]);
  check_codes(close, ranked[2]);
}

TEST(rank_takes_as_few_bytes_as_it_can) {  // n_codes itself surrogates for missing and must fit
  Stop stop;
  ThreadTeam team(1, stop);
  for (const int64_t distinct : {1, 254, 255, 256, 257, 65534, 65535, 65536, 65537}) {
    std::vector<double> x{std::numeric_limits<double>::quiet_NaN()};
    for (int64_t i = 0; i < distinct; ++i) x.push_back(static_cast<double>((i * 7919) % distinct));
    const auto ranked = rank_columns({{x.data(), 1, true}}, static_cast<int64_t>(x.size()), team);
    check_codes(x, ranked[0]);
  }
}

TEST(rank_of_nothing) {
  Stop stop;
  ThreadTeam team(2, stop);
  CHECK(rank_columns({}, 5, team).empty());
  const auto ranked = rank_columns({{nullptr, 1, true}, {nullptr, 1, false}}, 0, team);
  for (const auto& r : ranked) CHECK(r.n_codes == 0 && r.n_missing == 0 && r.width == 1);
}

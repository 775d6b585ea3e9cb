// Sorting by radix: the bits of a float, made to sort as unsigned numbers, are counted into place digit by digit.
//
// float32: keys of 32 bits travel with their row in one 64-bit word.
// float64: the upper 32 bits are sorted that way; runs that share them are then sorted by the lower 32.
#include "rank.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

namespace hedgerow {
namespace {

using Pair = uint64_t;  // key << 32 | row

uint32_t sortable(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x + 0.0f);  // -0.0 becomes 0.0
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

uint64_t sortable(double x) {
  const uint64_t bits = std::bit_cast<uint64_t>(x + 0.0);
  return bits >> 63 ? ~bits : bits | (1ull << 63);
}

struct Scratch {
  std::vector<Pair> pairs, spare;
};

// Stable radix sort of pairs by their key; digits on which all agree are skipped.
void radix_sort(Pair* pairs, Pair* spare, int64_t n) {
  if (n < 64) {
    std::sort(pairs, pairs + n);  // the row breaks ties: stable, as rows come in ascending
    return;
  }
  const int digit_bits = n < 8192 ? 8 : 11;
  const int buckets = 1 << digit_bits;
  std::array<uint32_t, 2048> counts;
  Pair* from = pairs;
  Pair* to = spare;
  for (int shift = 32; shift < 64; shift += digit_bits) {
    std::fill(counts.begin(), counts.begin() + buckets, 0u);
    const Pair mask = (1u << std::min(digit_bits, 64 - shift)) - 1;
    for (int64_t i = 0; i < n; ++i) ++counts[(from[i] >> shift) & mask];
    if (counts[(from[0] >> shift) & mask] == n) continue;
    uint32_t start = 0;
    for (int b = 0; b < buckets; ++b) start += std::exchange(counts[b], start);
    for (int64_t i = 0; i < n; ++i) to[counts[(from[i] >> shift) & mask]++] = from[i];
    std::swap(from, to);
  }
  if (from != pairs) std::copy(from, from + n, pairs);
}

template <class T>
struct Sorted {
  Pair* pairs;
  const T* data;
  int64_t stride;
  auto key(int64_t i) const {
    if constexpr (std::is_same_v<T, float>)
      return static_cast<uint32_t>(pairs[i] >> 32);
    else
      return sortable(data[static_cast<uint32_t>(pairs[i]) * stride]);
  }
};

// Runs of equal upper halves, sorted by their lower halves.
void sort_lower_halves(Pair* pairs, Pair* spare, const double* data, int64_t stride, int64_t n) {
  for (int64_t begin = 0, end; begin < n; begin = end) {
    end = begin + 1;
    while (end < n && pairs[end] >> 32 == pairs[begin] >> 32) ++end;
    if (end - begin == 1) continue;
    const Pair upper = pairs[begin] >> 32 << 32;
    for (int64_t i = begin; i < end; ++i) {
      const auto row = static_cast<uint32_t>(pairs[i]);
      pairs[i] = sortable(data[row * stride]) << 32 | row;
    }
    radix_sort(pairs + begin, spare, end - begin);
    for (int64_t i = begin; i < end; ++i) pairs[i] = upper | static_cast<uint32_t>(pairs[i]);
  }
}

template <class Code, class T>
void write_codes(const Sorted<T>& sorted, int64_t present, const T* data, int64_t stride, int64_t n, RankCodes& out) {
  out.width = sizeof(Code);
  out.codes = std::make_unique_for_overwrite<uint8_t[]>(static_cast<size_t>(n) * sizeof(Code));
  auto* codes = reinterpret_cast<Code*>(out.codes.get());
  if (out.n_missing)
    for (int64_t row = 0; row < n; ++row)
      if (std::isnan(data[row * stride])) codes[row] = static_cast<Code>(out.n_codes);
  Code code = 0;
  for (int64_t i = 0; i < present; ++i) {
    if (i && sorted.key(i) != sorted.key(i - 1)) ++code;
    codes[static_cast<uint32_t>(sorted.pairs[i])] = code;
  }
}

template <class T>
RankCodes rank_column(const T* data, int64_t stride, int64_t n, Scratch& scratch) {
  scratch.pairs.resize(n);
  scratch.spare.resize(n);
  Pair* pairs = scratch.pairs.data();
  int64_t present = 0;
  for (int64_t row = 0; row < n; ++row) {
    const T x = data[row * stride];
    Pair key = sortable(x);
    if constexpr (std::is_same_v<T, double>) key >>= 32;
    pairs[present] = key << 32 | static_cast<uint32_t>(row);
    present += !std::isnan(x);
  }
  radix_sort(pairs, scratch.spare.data(), present);
  if constexpr (std::is_same_v<T, double>) sort_lower_halves(pairs, scratch.spare.data(), data, stride, present);

  const Sorted<T> sorted{pairs, data, stride};
  RankCodes out;
  out.n_missing = n - present;
  out.n_codes = present ? 1 : 0;
  for (int64_t i = 1; i < present; ++i) out.n_codes += sorted.key(i) != sorted.key(i - 1);
  if (out.n_codes <= std::numeric_limits<uint8_t>::max())
    write_codes<uint8_t>(sorted, present, data, stride, n, out);
  else if (out.n_codes <= std::numeric_limits<uint16_t>::max())
    write_codes<uint16_t>(sorted, present, data, stride, n, out);
  else
    write_codes<uint32_t>(sorted, present, data, stride, n, out);
  return out;
}

}  // namespace

std::vector<RankCodes> rank_columns(const std::vector<FloatColumn>& columns, int64_t n_rows, Crew& crew) {
  std::vector<RankCodes> out(columns.size());
  std::vector<Scratch> scratch(crew.size());
  crew.run(static_cast<int64_t>(columns.size()), [&](int64_t j, int worker) {
    const auto& c = columns[j];
    out[j] = c.wide ? rank_column(static_cast<const double*>(c.data), c.stride, n_rows, scratch[worker])
                    : rank_column(static_cast<const float*>(c.data), c.stride, n_rows, scratch[worker]);
  });
  return out;
}

}  // namespace hedgerow

// Sorting by radix: the bits of a float, made to sort as unsigned numbers, are counted into place digit by
// digit.
//
// float32: keys of 32 bits travel with their row in one 64-bit word.
// float64: the upper 32 bits are sorted that way; runs that share them are then sorted by the lower 32.
// Columns of few different numbers (pixels, counts) are not sorted: each number is looked up in a small
// table.
#include "encode/rank.hpp"

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

template <class Key>
constexpr Key kMissingKey = std::numeric_limits<Key>::max();  // above every number's

struct Scratch {
  std::vector<uint32_t> keys32;  // columns x rows
  std::vector<uint64_t> keys64;
  std::vector<Pair> pairs, spare;

  std::vector<uint32_t>& keys(float) { return keys32; }
  std::vector<uint64_t>& keys(double) { return keys64; }
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

// Runs of equal upper halves, sorted by their lower halves.
void sort_lower_halves(Pair* pairs, Pair* spare, const uint64_t* keys, int64_t n) {
  for (int64_t begin = 0, end; begin < n; begin = end) {
    end = begin + 1;
    while (end < n && pairs[end] >> 32 == pairs[begin] >> 32) ++end;
    if (end - begin == 1) continue;
    const Pair upper = pairs[begin] >> 32 << 32;
    for (int64_t i = begin; i < end; ++i) {
      const auto row = static_cast<uint32_t>(pairs[i]);
      pairs[i] = keys[row] << 32 | row;
    }
    radix_sort(pairs + begin, spare, end - begin);
    for (int64_t i = begin; i < end; ++i) pairs[i] = upper | static_cast<uint32_t>(pairs[i]);
  }
}

// Whether two neighbours in the order differ; the halves at hand mostly tell, and the keys need not be
// fetched.
template <class Key>
bool differ(Pair a, Pair b, const Key* keys) {
  if (a >> 32 != b >> 32) return true;
  if constexpr (sizeof(Key) == 4) return false;
  return keys[static_cast<uint32_t>(a)] != keys[static_cast<uint32_t>(b)];
}

template <class Code, class Key>
void write_codes(const Pair* pairs, int64_t present, const Key* keys, int64_t n, RankCodes& out) {
  out.width = sizeof(Code);
  out.codes = std::make_unique_for_overwrite<uint8_t[]>(static_cast<size_t>(n) * sizeof(Code));
  auto* codes = reinterpret_cast<Code*>(out.codes.get());
  if (out.n_missing)
    for (int64_t row = 0; row < n; ++row)
      if (keys[row] == kMissingKey<Key>) codes[row] = static_cast<Code>(out.n_codes);
  Code code = 0;
  for (int64_t i = 0; i < present; ++i) {
    if (i && differ(pairs[i], pairs[i - 1], keys)) ++code;
    codes[static_cast<uint32_t>(pairs[i])] = code;
  }
}

// The different keys of a column, found by their bits; at most 256, then nobody asks further.
template <class Key>
class FewKeys {
 public:
  static constexpr int kMost = 256;

  int size() const { return size_; }
  const Key* keys() const { return keys_.data(); }

  // Its number in the order of finding, or kMost where there is no room.
  int find(Key key) {
    constexpr int shift = 8 * sizeof(Key) - 10;
    auto slot =
        static_cast<uint32_t>(static_cast<Key>(key * static_cast<Key>(0x9e3779b97f4a7c15ull)) >> shift);
    for (;; slot = (slot + 1) % kSlots) {
      if (slots_[slot] == 0) break;
      if (keys_[slots_[slot] - 1] == key) return slots_[slot] - 1;
    }
    if (size_ == kMost) return kMost;
    keys_[size_] = key;
    slots_[slot] = static_cast<uint16_t>(++size_);
    return size_ - 1;
  }

 private:
  static constexpr uint32_t kSlots = 1024;
  std::array<uint16_t, kSlots> slots_{};  // 0: free, else one more than the key's number
  std::array<Key, kMost> keys_;
  int size_ = 0;
};

// False: there are too many different numbers. "Missing" is the largest key, so that its code comes out last.
template <class Key>
bool rank_few(const Key* keys, int64_t n, RankCodes& out) {
  FewKeys<Key> few;
  auto codes = std::make_unique_for_overwrite<uint8_t[]>(static_cast<size_t>(n));
  Key before = n ? keys[0] : Key{};
  int number = n ? few.find(before) : 0;
  for (int64_t row = 0; row < n; ++row) {
    if (keys[row] != before) {
      before = keys[row];
      number = few.find(before);
      if (number == few.kMost) return false;
    }
    codes[row] = static_cast<uint8_t>(number);
  }
  std::array<uint8_t, FewKeys<Key>::kMost> order, code;
  for (int k = 0; k < few.size(); ++k) order[k] = static_cast<uint8_t>(k);
  std::sort(order.begin(), order.begin() + few.size(),
            [&](uint8_t a, uint8_t b) { return few.keys()[a] < few.keys()[b]; });
  for (int k = 0; k < few.size(); ++k) code[order[k]] = static_cast<uint8_t>(k);
  const bool missing = few.size() && few.keys()[order[few.size() - 1]] == kMissingKey<Key>;
  for (int64_t row = 0; row < n; ++row) {
    codes[row] = code[codes[row]];
    out.n_missing += missing && codes[row] == few.size() - 1;
  }
  out.codes = std::move(codes);
  out.width = 1;
  out.n_codes = few.size() - missing;
  return true;
}

template <class Key>
RankCodes rank_keys(const Key* keys, int64_t n, Scratch& scratch) {
  RankCodes out;
  if (rank_few(keys, n, out)) return out;
  out = {};
  constexpr int shift = sizeof(Key) == 8 ? 32 : 0;
  Pair* pairs = scratch.pairs.data();
  int64_t present = 0;
  for (int64_t row = 0; row < n; ++row) {
    pairs[present] = static_cast<Pair>(keys[row] >> shift) << 32 | static_cast<uint32_t>(row);
    present += keys[row] != kMissingKey<Key>;
  }
  radix_sort(pairs, scratch.spare.data(), present);
  if constexpr (sizeof(Key) == 8) sort_lower_halves(pairs, scratch.spare.data(), keys, present);

  out.n_missing = n - present;
  out.n_codes = present ? 1 : 0;
  for (int64_t i = 1; i < present; ++i) out.n_codes += differ(pairs[i], pairs[i - 1], keys);
  if (out.n_codes <= std::numeric_limits<uint16_t>::max())
    write_codes<uint16_t>(pairs, present, keys, n, out);
  else
    write_codes<uint32_t>(pairs, present, keys, n, out);
  return out;
}

// Columns of a row-major matrix share their cache lines, so several are read in one walk over the rows.
template <class T>
void rank_together(const FloatColumn* columns, int64_t count, int64_t n, Scratch& scratch, RankCodes* out) {
  auto& keys = scratch.keys(T{});
  using Key = std::decay_t<decltype(keys[0])>;
  keys.resize(static_cast<size_t>(count * n));
  scratch.pairs.resize(n);
  scratch.spare.resize(n);
  constexpr int64_t rows_at_once = 1024;
  for (int64_t begin = 0; begin < n; begin += rows_at_once)
    for (int64_t c = 0; c < count; ++c) {
      const auto* data = static_cast<const T*>(columns[c].data);
      Key* key = keys.data() + c * n;
      for (int64_t row = begin; row < std::min(n, begin + rows_at_once); ++row) {
        const T x = data[row * columns[c].stride];
        key[row] = std::isnan(x) ? kMissingKey<Key> : sortable(x);
      }
    }
  for (int64_t c = 0; c < count; ++c) out[c] = rank_keys(keys.data() + c * n, n, scratch);
}

template <class T>
void note_values(const FloatColumn& column, const CodedColumn& coded, int64_t begin, int64_t end,
                 double* out) {
  const auto* data = static_cast<const T*>(column.data);
  auto note = [&](const auto* codes) {
    for (int64_t row = begin; row < end; ++row)
      if (codes[row] < coded.n_codes) out[codes[row]] = static_cast<double>(data[row * column.stride]);
  };
  if (coded.width == 1) note(static_cast<const uint8_t*>(coded.codes));
  if (coded.width == 2) note(static_cast<const uint16_t*>(coded.codes));
  if (coded.width == 4) note(static_cast<const uint32_t*>(coded.codes));
}

}  // namespace

void distinct_values(const std::vector<FloatColumn>& columns, const std::vector<CodedColumn>& coded,
                     int64_t n_rows, double* const* out, ThreadTeam& team) {
  constexpr int64_t kTogether = 16, kRows = 1024;  // as in rank_together
  const auto count = static_cast<int64_t>(columns.size());
  team.run((count + kTogether - 1) / kTogether, [&](int64_t g, int) {
    team.stop().check();
    for (int64_t begin = 0; begin < n_rows; begin += kRows)
      for (int64_t j = g * kTogether; j < std::min(count, (g + 1) * kTogether); ++j) {
        const int64_t end = std::min(n_rows, begin + kRows);
        if (columns[j].wide)
          note_values<double>(columns[j], coded[j], begin, end, out[j]);
        else
          note_values<float>(columns[j], coded[j], begin, end, out[j]);
      }
  });
}

std::vector<RankCodes> rank_columns(const std::vector<FloatColumn>& columns, int64_t n_rows,
                                    ThreadTeam& team) {
  const auto count = static_cast<int64_t>(columns.size());
  std::vector<RankCodes> out(columns.size());
  std::vector<Scratch> scratch(team.size());
  // Groups of a few columns, the same number for each worker: a line of cache holds sixteen cells of a row,
  // but the keys of sixteen long columns would take much memory.
  const int64_t most = (n_rows <= 200'000 ? 16 : 5) * team.size();
  const int64_t rounds = (count + most - 1) / most;
  const int64_t group =
      std::max<int64_t>(1, (count + rounds * team.size() - 1) / std::max<int64_t>(1, rounds * team.size()));
  team.run((count + group - 1) / group, [&](int64_t g, int worker) {
    const int64_t end = std::min(count, (g + 1) * group);
    for (int64_t begin = g * group, next; begin < end; begin = next) {
      for (next = begin + 1; next < end && columns[next].wide == columns[begin].wide;) ++next;
      team.stop().check();
      if (columns[begin].wide)
        rank_together<double>(&columns[begin], next - begin, n_rows, scratch[worker], &out[begin]);
      else
        rank_together<float>(&columns[begin], next - begin, n_rows, scratch[worker], &out[begin]);
    }
  });
  return out;
}

}  // namespace hedgerow

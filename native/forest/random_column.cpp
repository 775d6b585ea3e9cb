#include "forest/random_column.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "common/simd.hpp"
#include "forest/above.hpp"
#include "forest/ordered.hpp"
#include "forest/random_scan.hpp"
#include "forest/records.hpp"

namespace hedgerow {
namespace {

constexpr int64_t kWord = 64;  // rows a word
constexpr int64_t kLanes = kCodeLanes;

template <class T>
void make_room(std::vector<T>& values, int64_t n) {
  if (static_cast<int64_t>(values.size()) < n) values.resize(n);
}

struct Range {
  uint32_t low, high;
};

int64_t number_of(uint64_t row) { return static_cast<int64_t>(static_cast<uint32_t>(row)); }

HEDGEROW_INLINE Range range_of(const uint8_t* codes, int64_t n) {
#if defined(__SSE2__)
  __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes)), high = low;
  for (int64_t i = kLanes; i < n; i += kLanes) {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + i));
    low = _mm_min_epu8(low, here);
    high = _mm_max_epu8(high, here);
  }
  low = _mm_min_epu8(low, _mm_srli_si128(low, 8)), high = _mm_max_epu8(high, _mm_srli_si128(high, 8));
  low = _mm_min_epu8(low, _mm_srli_si128(low, 4)), high = _mm_max_epu8(high, _mm_srli_si128(high, 4));
  low = _mm_min_epu8(low, _mm_srli_si128(low, 2)), high = _mm_max_epu8(high, _mm_srli_si128(high, 2));
  low = _mm_min_epu8(low, _mm_srli_si128(low, 1)), high = _mm_max_epu8(high, _mm_srli_si128(high, 1));
  return {static_cast<uint32_t>(_mm_cvtsi128_si32(low)) & 0xffu,
          static_cast<uint32_t>(_mm_cvtsi128_si32(high)) & 0xffu};
#else
  const auto [low, high] = std::minmax_element(codes, codes + n);
  return {*low, *high};
#endif
}

// Codes of one byte, one column after the other with room for `room` each, the first code repeated up to a
// whole number of lanes.
HEDGEROW_INLINE void gather(const NodeClasses& node, const CodeSource* columns, int count, int64_t room,
                            uint8_t* codes, Range* ranges) {
  const uint64_t* rows = node.rows();
  const int64_t n = node.size(), end = (n + kLanes - 1) / kLanes * kLanes, stride = columns[0].stride;
  if (count == kTogether && stride == 1) {
    const uint8_t *a = columns[0].base, *b = columns[1].base, *c = columns[2].base, *d = columns[3].base;
    uint8_t *to_b = codes + room, *to_c = to_b + room, *to_d = to_c + room;
    for (int64_t i = 0; i < n; ++i) {
      const int64_t row = number_of(rows[i]);
      const uint8_t of_a = a[row], of_b = b[row], of_c = c[row], of_d = d[row];
      codes[i] = of_a, to_b[i] = of_b, to_c[i] = of_c, to_d[i] = of_d;
    }
  } else {
    for (int j = 0; j < count; ++j)
      for (int64_t i = 0; i < n; ++i) codes[j * room + i] = columns[j].base[number_of(rows[i]) * stride];
  }
  for (int j = 0; j < count; ++j) {
    uint8_t* own = codes + j * room;
    std::memset(own + n, own[0], kLanes);
    ranges[j] = range_of(own, end);
  }
}

template <class Code>
HEDGEROW_INLINE Range gather_wide(const NodeClasses& node, const CodeSource& source, uint32_t* codes) {
  const uint64_t* rows = node.rows();
  const int64_t n = node.size(), stride = source.stride;
  const uint8_t* base = source.base;
  uint32_t low = ~0u, high = 0;
  for (int64_t i = 0; i < n; ++i) {
    const uint32_t code = load_code<Code>(base + number_of(rows[i]) * stride);
    codes[i] = code;
    low = code < low ? code : low;
    high = code > high ? code : high;
  }
  return {low, high};
}

HEDGEROW_INLINE void gather(const NodeClasses& node, const CodeSource* columns, int count, int64_t room,
                            uint32_t* codes, Range* ranges) {
  for (int j = 0; j < count; ++j)
    ranges[j] = columns[j].width == 1   ? gather_wide<uint8_t>(node, columns[j], codes + j * room)
                : columns[j].width == 2 ? gather_wide<uint16_t>(node, columns[j], codes + j * room)
                                        : gather_wide<uint32_t>(node, columns[j], codes + j * room);
}

// The last code whose value is not above the threshold. The first guess is right where values are evenly
// spaced, and then no far part of the table is read.
HEDGEROW_INLINE uint32_t last_below(const double* values, Range range, double threshold) {
  const double share = (threshold - values[range.low]) / (values[range.high] - values[range.low]);
  const uint32_t guess = range.low + static_cast<uint32_t>(share * (range.high - range.low));
  if (guess < range.high && values[guess] <= threshold && threshold < values[guess + 1]) return guess;
  return static_cast<uint32_t>(std::upper_bound(values + range.low, values + range.high + 1, threshold) -
                               values - 1);
}

// Of the rows above: how many, and the weight of each class.
template <class Code>
HEDGEROW_INLINE void count_above(const NodeClasses& node, const Code* codes, uint32_t last, RandomCut& cut) {
  const int64_t n = node.size(), words = node.words();
  const int stride = node.bits_of_a_word(), count_bits = node.count_bits();
  const auto classes = static_cast<int>(node.present().size());
  uint32_t* counts = cut.counts.data();
  std::fill_n(counts, classes, 0u);
  int64_t rows = 0;
  const uint64_t* bits = node.bits();
  for (int64_t w = 0; w < words; ++w, bits += stride) {
    const int64_t here = std::min(kWord, n - w * kWord);
    uint64_t above = 0;
    for (int64_t at = 0; at < here; at += kLanes)
      above |= static_cast<uint64_t>(above_lanes(codes + w * kWord + at, last)) << at;
    if (here < kWord) above &= (uint64_t{1} << here) - 1;
    cut.above[w] = above;
    rows += std::popcount(above);
    if (count_bits == 1)
      for (int k = 0; k < stride; ++k) counts[k] += std::popcount(above & bits[k]);
    else
      for (int k = 0; k < classes; ++k)
        for (int b = 0; b < count_bits; ++b)
          counts[k] += static_cast<uint32_t>(std::popcount(above & bits[k * count_bits + b])) << b;
  }
  cut.rows_above = rows;
  if (count_bits > 1) return;
  auto rest = static_cast<uint32_t>(rows);
  for (int k = 0; k < stride; ++k) rest -= counts[k];
  counts[stride] = rest;
}

// One stage after the other, so that columns wait for their values together.
template <class Code>
HEDGEROW_INLINE void cut_codes(const NodeClasses& node, uint64_t key, const CodeSource* columns, int count,
                               int64_t room, Code* codes, RandomCut* cuts) {
  Range ranges[kTogether];
  uint32_t last[kTogether] = {};
  gather(node, columns, count, room, codes, ranges);
  for (int j = 0; j < count; ++j) {
    RandomCut& cut = cuts[j];
    const Range range = ranges[j];
    const double* values = columns[j].values;
    cut.constant = range.low == range.high;
    if (cut.constant) continue;
    const double low = values ? values[range.low] : from_ordered(range.low);
    const double high = values ? values[range.high] : from_ordered(range.high);
    draw_between(key, columns[j].column, low, high, cut.threshold);
    last[j] = values ? last_below(values, range, cut.threshold) : ordered_below(cut.threshold);
  }
  for (int j = 0; j < count; ++j)
    if (!cuts[j].constant) count_above(node, codes + j * room, last[j], cuts[j]);
}

HEDGEROW_CLONES
void cut_bytes(const NodeClasses& node, uint64_t key, const CodeSource* columns, int count, int64_t room,
               uint8_t* codes, RandomCut* cuts) {
  cut_codes(node, key, columns, count, room, codes, cuts);
}

HEDGEROW_CLONES
void cut_wide(const NodeClasses& node, uint64_t key, const CodeSource* columns, int count, int64_t room,
              uint32_t* codes, RandomCut* cuts) {
  cut_codes(node, key, columns, count, room, codes, cuts);
}

}  // namespace

void NodeClasses::enter(const uint64_t* rows, int64_t n, TagLayout tag, const double* moments,
                        int n_classes) {
  rows_ = rows;
  n_ = n;
  count_bits_ = tag.count_bits;
  present_.clear();
  make_room(place_, n_classes);
  for (int k = 0; k < n_classes; ++k) {
    if (!(moments[k] > 0)) continue;
    place_[k] = static_cast<int32_t>(present_.size());
    present_.push_back(k);
  }
  const auto classes = static_cast<int>(present_.size());
  stride_ = count_bits_ == 1 ? classes - 1 : classes * count_bits_;
  // The last class has a word as well while bits are set: the next word of rows begins by clearing it.
  make_room(bits_, words() * stride_ + 1);
  uint64_t* bits = bits_.data();
  if (stride_ == 1 && n_classes == 2) {
    const int label = 32 + tag.count_bits;  // its only bit
    for (int64_t w = 0; w < words(); ++w) {
      uint64_t second = 0;
      const int64_t begin = w * kWord, end = std::min(n, begin + kWord);
      for (int64_t i = end; i-- > begin;) second = second << 1 | (rows[i] >> label & 1);
      bits[w] = ~second;
    }
    return;
  }
  for (int64_t w = 0; w < words(); ++w, bits += stride_) {
    const int64_t here = std::min(kWord, n - w * kWord);
    const uint64_t* these = rows + w * kWord;
    for (int k = 0; k <= stride_; ++k) bits[k] = 0;
    for (int64_t i = 0; i < here; ++i) {
      const uint64_t row_tag = these[i] >> 32, place = place_[tag.label(row_tag)];
      if (count_bits_ == 1)
        bits[place] |= uint64_t{1} << i;
      else
        for (int b = 0; b < count_bits_; ++b) bits[place * count_bits_ + b] |= (row_tag >> b & 1) << i;
    }
  }
}

void cut_at_random(const NodeClasses& node, uint64_t key, const CodeSource* columns, int count,
                   CodeScratch& scratch, RandomCut* cuts) {
  const int64_t room = node.words() * kWord + kLanes;
  for (int j = 0; j < count; ++j) {
    make_room(cuts[j].above, node.words());
    make_room(cuts[j].counts, static_cast<int64_t>(node.present().size()));
  }
  if (std::all_of(columns, columns + count, [](const CodeSource& c) { return c.width == 1; })) {
    make_room(scratch.bytes, kTogether * room);
    cut_bytes(node, key, columns, count, room, scratch.bytes.data(), cuts);
  } else {
    make_room(scratch.wide, kTogether * room);
    cut_wide(node, key, columns, count, room, scratch.wide.data(), cuts);
  }
}

}  // namespace hedgerow

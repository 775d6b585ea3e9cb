#include "forest/blocks.hpp"

#include <algorithm>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "common/simd.hpp"

namespace hedgerow {
namespace {

constexpr int64_t kLanes = 16;

int64_t number_of(uint64_t row) { return static_cast<int64_t>(static_cast<uint32_t>(row)); }

// A multiple of four bytes, mostly some tens: steps of known size need no call.
HEDGEROW_INLINE void copy_record(const uint8_t* from, uint8_t* to, int64_t size) {
  int64_t at = 0;
  for (; at + 16 <= size; at += 16) std::memcpy(to + at, from + at, 16);
  for (; at < size; at += 4) std::memcpy(to + at, from + at, 4);
}

// Rows of a subtree lie anywhere in the table: those of the next tile are on their way while one is read.
void fetch_ahead(const uint8_t* bytes, int64_t n) {
#if defined(__GNUC__)
  for (int64_t at = 0; at < n; at += 64) __builtin_prefetch(bytes + at, 0, 2);
#else
  (void)bytes, (void)n;
#endif
}

// Sixteen rows of sixteen bytes become sixteen columns.
#if defined(__SSE2__)
// Four times: row k and row k + 8 become one, byte by byte in turn. A byte's place is then row and column
// exchanged.
void transpose_tile(const uint8_t* const* from, int64_t offset, uint8_t* to, int64_t room) {
  __m128i x[kLanes], y[kLanes];
  for (int k = 0; k < kLanes; ++k) x[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from[k] + offset));
  auto mix_halves = [](const __m128i* a, __m128i* b) {
    for (int k = 0; k < kLanes / 2; ++k) {
      b[2 * k] = _mm_unpacklo_epi8(a[k], a[k + kLanes / 2]);
      b[2 * k + 1] = _mm_unpackhi_epi8(a[k], a[k + kLanes / 2]);
    }
  };
  mix_halves(x, y), mix_halves(y, x), mix_halves(x, y), mix_halves(y, x);
  for (int k = 0; k < kLanes; ++k) _mm_storeu_si128(reinterpret_cast<__m128i*>(to + k * room), x[k]);
}
#else
void transpose_tile(const uint8_t* const* from, int64_t offset, uint8_t* to, int64_t room) {
  for (int64_t k = 0; k < kLanes; ++k)
    for (int64_t i = 0; i < kLanes; ++i) to[k * room + i] = from[i][offset + k];
}
#endif

template <class Code>
HEDGEROW_INLINE bool differ(const Code* codes, int64_t n) {
  Code differences = 0;
  const Code first = codes[0];
  for (int64_t i = 0; i < n; ++i) differences |= codes[i] ^ first;
  return differences != 0;
}

HEDGEROW_CLONES
bool codes_differ(const uint8_t* codes, int64_t n) { return differ(codes, n); }
HEDGEROW_CLONES
bool codes_differ(const uint16_t* codes, int64_t n) { return differ(codes, n); }
HEDGEROW_CLONES
bool codes_differ(const uint32_t* codes, int64_t n) { return differ(codes, n); }

}  // namespace

void Blocks::renumber(int from, int level, uint64_t* rows, int64_t n, std::vector<uint64_t>& constant) {
  if (by_column_)
    copy_columns(level, rows, n, constant);
  else
    copy_rows(from, level, rows, n);
  auto copy = [&](const double* values, std::vector<double>& own) -> const double* {
    if (!values) return nullptr;
    own.resize(n);
    for (int64_t i = 0; i < n; ++i) own[i] = values[number_of(rows[i])];
    return own.data();
  };
  target_[level] = copy(target_[from], own_target_[level]);
  weight_[level] = copy(weight_[from], own_weight_[level]);
  for (int64_t i = 0; i < n; ++i) rows[i] = (rows[i] & ~uint64_t{0xffffffff}) | static_cast<uint64_t>(i);
}

void Blocks::copy_rows(int from, int level, const uint64_t* rows, int64_t n) {
  const int64_t stride = records_.stride;
  auto& own = own_bytes_[level];
  own.resize(n * stride);
  uint8_t* to = own.data();
  for (int64_t i = 0; i < n; ++i, to += stride)
    copy_record(base_[from] + number_of(rows[i]) * stride, to, stride);
  base_[level] = own.data();
}

void Blocks::copy_columns(int level, const uint64_t* rows, int64_t n, std::vector<uint64_t>& constant) {
  room_ = (n + kLanes - 1) / kLanes * kLanes;
  auto& own = own_bytes_[level];
  own.resize(records_.stride * room_);
  transpose(rows, n, own.data(), room_);
  base_[level] = own.data();
  for (size_t j = 0; j < records_.offset.size(); ++j) {
    const uint8_t* codes = own.data() + records_.offset[j] * room_;
    const bool varies = records_.width[j] == 1   ? codes_differ(codes, n)
                        : records_.width[j] == 2 ? codes_differ(reinterpret_cast<const uint16_t*>(codes), n)
                                                 : codes_differ(reinterpret_cast<const uint32_t*>(codes), n);
    if (!varies) constant[j >> 6] |= uint64_t{1} << (j & 63);
  }
}

// From records. The last row is repeated up to a whole number of lanes.
void Blocks::transpose(const uint64_t* rows, int64_t n, uint8_t* to, int64_t room) const {
  constexpr int64_t kTile = 64;  // rows: one line of cache of each column
  const auto d = static_cast<int32_t>(records_.offset.size());
  const uint8_t* from[kTile];
  auto record = [&](int64_t i) {
    return records_.bytes + number_of(rows[std::min(i, n - 1)]) * records_.stride;
  };
  int64_t bytes_begin = records_.stride, bytes_end = 0;  // where the codes of one byte are
  for (int32_t j = 0; j < d; ++j) {
    if (records_.width[j] != 1) continue;
    bytes_begin = std::min<int64_t>(bytes_begin, records_.offset[j]);
    bytes_end = std::max<int64_t>(bytes_end, records_.offset[j] + 1);
  }
  for (int64_t first = 0; first < n; first += kTile) {
    const int64_t tile = std::min(kTile, room - first);
    for (int64_t i = 0; i < tile; ++i) {
      from[i] = record(first + i);
      fetch_ahead(record(first + kTile + i), records_.stride);
    }
    for (int32_t j = 0; j < d; ++j) {
      const int64_t width = records_.width[j], offset = records_.offset[j];
      if (width == 1) continue;
      uint8_t* at = to + offset * room + first * width;
      for (int64_t i = 0; i < tile; ++i) std::memcpy(at + i * width, from[i] + offset, width);
    }
    int64_t offset = bytes_begin;
    for (; offset + kLanes <= bytes_end; offset += kLanes)
      for (int64_t i = 0; i < tile; i += kLanes)
        transpose_tile(from + i, offset, to + offset * room + first + i, room);
    for (; offset < bytes_end; ++offset)
      for (int64_t i = 0; i < tile; ++i) to[offset * room + first + i] = from[i][offset];
  }
}

}  // namespace hedgerow

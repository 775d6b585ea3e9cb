#include "encode/infinite.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "common/simd.hpp"

namespace hedgerow {
namespace {

// By bits, so that the loop is one of whole numbers: all of the exponent set, none of the fraction.
HEDGEROW_CLONES
bool look(const float* cells, int64_t n) {
  uint32_t found = 0;
  for (int64_t i = 0; i < n; ++i) {
    uint32_t bits;
    std::memcpy(&bits, cells + i, sizeof bits);
    found |= (bits & 0x7fffffffu) == 0x7f800000u;
  }
  return found;
}

HEDGEROW_CLONES
bool look(const double* cells, int64_t n) {
  uint64_t found = 0;
  for (int64_t i = 0; i < n; ++i) {
    uint64_t bits;
    std::memcpy(&bits, cells + i, sizeof bits);
    found |= (bits & 0x7fffffffffffffffull) == 0x7ff0000000000000ull;
  }
  return found;
}

template <class T>
bool look_at_all(const T* data, int64_t outer, int64_t inner, int64_t outer_stride, int64_t inner_stride,
                 ThreadTeam& team) {
  if (outer_stride == inner) inner *= std::exchange(outer, 1);  // one piece
  constexpr int64_t kCells = 1 << 18;                           // a task
  const int64_t lines = inner > kCells ? 1 : kCells / std::max<int64_t>(1, inner);
  const int64_t parts = (inner + kCells - 1) / kCells, groups = (outer + lines - 1) / lines;
  std::atomic<bool> found{false};
  team.run(groups * parts, [&](int64_t task, int) {
    team.stop().check();
    const int64_t from = task % parts * kCells, n = std::min(inner - from, kCells);
    for (int64_t i = task / parts * lines; i < std::min(outer, (task / parts + 1) * lines) && !found; ++i) {
      const T* line = data + i * outer_stride + from * inner_stride;
      if (inner_stride == 1) {
        if (look(line, n)) found = true;
      } else {
        for (int64_t k = 0; k < n; ++k)
          if (look(line + k * inner_stride, 1)) found = true;
      }
    }
  });
  return found;
}

}  // namespace

bool any_infinite(const void* data, bool wide, int64_t n_rows, int64_t n_columns, int64_t row_stride,
                  int64_t column_stride, ThreadTeam& team) {
  if (column_stride != 1 && row_stride == 1) {
    std::swap(n_rows, n_columns);
    std::swap(row_stride, column_stride);
  }
  if (wide)
    return look_at_all(static_cast<const double*>(data), n_rows, n_columns, row_stride, column_stride, team);
  return look_at_all(static_cast<const float*>(data), n_rows, n_columns, row_stride, column_stride, team);
}

}  // namespace hedgerow

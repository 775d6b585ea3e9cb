#include "gradient/partition.hpp"

#include <cstring>

namespace hedgerow::gradient {

int64_t part_block(const uint8_t* codes, const uint8_t* goes_left, const uint32_t* rows, int64_t begin,
                   int64_t end, uint32_t* left, uint32_t* right) {
  int64_t n_left = 0, n_right = 0;
  for (int64_t k = begin; k < end; ++k) {  // both are written, one is kept: no branch to guess
    const uint32_t row = rows ? rows[k] : static_cast<uint32_t>(k);
    const int64_t side = goes_left[codes[row]];
    left[n_left] = row;
    right[n_right] = row;
    n_left += side;
    n_right += 1 - side;
  }
  return n_left;
}

int64_t part_rows(const uint8_t* codes, const uint8_t* goes_left, uint32_t* rows, int64_t n, bool identity,
                  uint32_t* scratch, int64_t block_rows, ThreadTeam& team) {
  // The left part is written over rows already read; the right part waits in the scratch.
  const uint32_t* source = identity ? nullptr : rows;
  if (n <= block_rows) {
    const int64_t n_left = part_block(codes, goes_left, source, 0, n, rows, scratch);
    std::memcpy(rows + n_left, scratch, static_cast<size_t>(n - n_left) * sizeof(uint32_t));
    return n_left;
  }
  const int64_t blocks = (n + block_rows - 1) / block_rows;
  std::vector<int64_t> lefts(blocks), left_at(blocks), right_at(blocks);
  team.run(blocks, [&](int64_t b, int) {
    const int64_t begin = b * block_rows, end = std::min(n, begin + block_rows);
    lefts[b] = part_block(codes, goes_left, source, begin, end, rows + begin, scratch + begin);
  });
  int64_t n_left = 0;
  for (int64_t b = 0; b < blocks; ++b) {
    left_at[b] = n_left;
    n_left += lefts[b];
  }
  // Left parts move down within `rows`, in order: none overtakes the next one's source.
  for (int64_t b = 1; b < blocks; ++b)
    std::memmove(rows + left_at[b], rows + b * block_rows, static_cast<size_t>(lefts[b]) * sizeof(uint32_t));
  for (int64_t b = 0, at = n_left; b < blocks; ++b) {
    right_at[b] = at;
    at += std::min(n, (b + 1) * block_rows) - b * block_rows - lefts[b];
  }
  team.run(blocks, [&](int64_t b, int) {
    const int64_t begin = b * block_rows, many = std::min(n, begin + block_rows) - begin - lefts[b];
    std::memcpy(rows + right_at[b], scratch + begin, static_cast<size_t>(many) * sizeof(uint32_t));
  });
  return n_left;
}

}  // namespace hedgerow::gradient

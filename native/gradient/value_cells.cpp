#include "gradient/value_cells.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "common/random.hpp"

namespace hedgerow::gradient {
namespace {

// Numbers as unsigned integers in the same order.
uint64_t key_of(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  return bits >> 63 ? ~bits : bits | uint64_t{1} << 63;
}

// Byte by byte from the lowest; a byte that is the same in all keys is passed over.
void sort_by_key(std::vector<Cell>& cells) {
  std::vector<Cell> other(cells.size());
  for (int shift = 0; shift < 64; shift += 8) {
    std::array<size_t, 257> start{};
    for (const Cell& cell : cells) ++start[(cell.key >> shift & 0xff) + 1];
    if (std::find(start.begin() + 1, start.end(), cells.size()) != start.end()) continue;
    for (int b = 0; b < 256; ++b) start[b + 1] += start[b];
    for (const Cell& cell : cells) other[start[cell.key >> shift & 0xff]++] = cell;
    cells.swap(other);
  }
}

// Two neighbours stay apart up to the place of the highest bit in which they differ.
int32_t least_shift(const std::vector<Cell>& cells) {
  std::array<int64_t, 65> apart{};
  for (size_t k = 1; k < cells.size(); ++k) ++apart[std::bit_width(cells[k - 1].key ^ cells[k].key)];
  int64_t many = static_cast<int64_t>(cells.size());
  int32_t more = 0;
  while (many > kMostCells) many -= apart[++more];
  return more;
}

// Cells in order: `more` bits of their keys are dropped.
void make_coarser(std::vector<Cell>& cells, int32_t more) {
  size_t many = 0;
  for (Cell cell : cells) {
    cell.key >>= more;
    if (many == 0 || cells[many - 1].key != cell.key) {
      cells[many++] = cell;
      continue;
    }
    cells[many - 1].count += cell.count;
    cells[many - 1].high = cell.high;  // cells are in order
  }
  cells.resize(many);
}

ValueCells finish(std::vector<Cell>&& cells, int32_t shift) {
  const int32_t more = least_shift(cells);
  if (more > 0) make_coarser(cells, more);
  ValueCells out;
  out.shift = shift + more;
  out.count.reserve(cells.size());
  out.low.reserve(cells.size());
  out.high.reserve(cells.size());
  for (const Cell& cell : cells) {
    out.count.push_back(cell.count);
    out.low.push_back(cell.low);
    out.high.push_back(cell.high);
  }
  return out;
}

// A hash table of cells that may hold twice as many as wanted, so that it is made coarser seldom.
class Counter {
 public:
  explicit Counter(int32_t shift) : shift_(shift), slots_(64) {}

  void add(double x) {
    x += 0.0;  // -0 and 0 are one value
    Cell& cell = at(key_of(x) >> shift_);
    if (cell.count++ == 0) {
      cell.low = cell.high = x;
      grow();
      return;
    }
    if (x < cell.low) cell.low = x;
    if (x > cell.high) cell.high = x;
  }

  void add(const ValueCells& cells) {
    coarsen_to(cells.shift);
    for (size_t k = 0; k < cells.count.size(); ++k)
      put({key_of(cells.low[k]) >> shift_, cells.count[k], cells.low[k], cells.high[k]});
  }

  int64_t size() const { return size_; }
  int32_t shift() const { return shift_; }

  std::vector<Cell> sorted() const {
    std::vector<Cell> cells;
    cells.reserve(size_);
    for (const Cell& cell : slots_)
      if (cell.count != 0) cells.push_back(cell);
    sort_by_key(cells);
    return cells;
  }

 private:
  Cell& at(uint64_t key) {
    size_t slot = mix(key) & (slots_.size() - 1);
    while (slots_[slot].count != 0 && slots_[slot].key != key) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot].key = key;
    return slots_[slot];
  }

  void put(const Cell& given) {
    Cell& cell = at(given.key);
    if (cell.count == 0) {
      cell = given;
      grow();
      return;
    }
    cell.count += given.count;
    cell.low = std::min(cell.low, given.low);
    cell.high = std::max(cell.high, given.high);
  }

  void grow() {
    if (++size_ == 2 * kMostCells) {
      coarsen_by(least_shift(sorted()));
    } else if (2 * static_cast<size_t>(size_) > slots_.size()) {
      fill(sorted(), 2 * slots_.size());
    }
  }

  void coarsen_to(int32_t shift) {
    if (shift > shift_) coarsen_by(shift - shift_);
  }

  void coarsen_by(int32_t more) {
    std::vector<Cell> cells = sorted();
    make_coarser(cells, more);
    fill(cells, slots_.size());
    shift_ += more;
  }

  void fill(const std::vector<Cell>& cells, size_t n_slots) {
    slots_.assign(n_slots, Cell{});
    size_ = static_cast<int64_t>(cells.size());
    for (const Cell& cell : cells) at(cell.key) = cell;
  }

  int32_t shift_;
  int64_t size_ = 0;
  std::vector<Cell> slots_;  // count 0: empty
};

constexpr int64_t kFew = 2048;       // distinct values that a table in the first cache holds
constexpr int64_t kChunk = 1 << 15;  // values that are sorted at a time

double value_of(uint64_t key) { return std::bit_cast<double>(key >> 63 ? key & ~(uint64_t{1} << 63) : ~key); }

// By their bits from `shift` on, eleven at a time from the lowest.
void sort_keys(std::vector<uint64_t>& keys, std::vector<uint64_t>& other, int32_t shift) {
  constexpr int kBits = 11;
  for (; shift < 64; shift += kBits) {
    std::array<uint32_t, (1 << kBits) + 1> start{};
    const uint64_t mask = (1 << kBits) - 1;
    for (uint64_t key : keys) ++start[(key >> shift & mask) + 1];
    if (start[(keys[0] >> shift & mask) + 1] == keys.size()) continue;
    for (int b = 0; b < 1 << kBits; ++b) start[b + 1] += start[b];
    for (uint64_t key : keys) other[start[key >> shift & mask]++] = key;
    keys.swap(other);
  }
}

// Those of keys[k] and of the keys equal to it; k goes on to the next.
Cell cell_from(const std::vector<uint64_t>& keys, size_t& k, int32_t shift) {
  const uint64_t key = keys[k] >> shift;
  uint64_t low = keys[k], high = keys[k];
  const size_t begin = k;
  for (; k < keys.size() && keys[k] >> shift == key; ++k) {
    low = std::min(low, keys[k]);
    high = std::max(high, keys[k]);
  }
  return {key, static_cast<int64_t>(k - begin), value_of(low), value_of(high)};
}

// Cells and keys, both in order, together.
void merge_sorted(const std::vector<Cell>& cells, const std::vector<uint64_t>& keys, int32_t shift,
                  std::vector<Cell>& out) {
  out.clear();
  auto cell = cells.begin();
  for (size_t k = 0; k < keys.size();) {
    Cell own = cell_from(keys, k, shift);
    while (cell != cells.end() && cell->key < own.key) out.push_back(*cell++);
    if (cell != cells.end() && cell->key == own.key) {
      own.count += cell->count;
      own.low = std::min(own.low, cell->low);
      own.high = std::max(own.high, cell->high);
      ++cell;
    }
    out.push_back(own);
  }
  out.insert(out.end(), cell, cells.end());
}

// Many distinct values: sorted chunk by chunk, which reads memory in order where a hash table does not.
ValueCells count_by_sorting(const Counter& before, const NumberColumn& column, int64_t begin, int64_t n,
                            CountingMemory& memory) {
  auto& [keys, other, cells, both] = memory;
  const std::vector<Cell> counted = before.sorted();
  cells.assign(counted.begin(), counted.end());
  int32_t shift = before.shift();
  for (int64_t first = begin; first < n; first += kChunk) {
    keys.clear();
    for (int64_t i = first; i < std::min(n, first + kChunk); ++i)
      if (const double x = column[i] + 0.0; x == x) keys.push_back(key_of(x));
    if (keys.empty()) continue;
    other.resize(keys.size());
    sort_keys(keys, other, shift);
    merge_sorted(cells, keys, shift, both);
    cells.swap(both);
    if (const int32_t more = least_shift(cells); more > 0) {
      make_coarser(cells, more);
      shift += more;
    }
  }
  return finish(std::move(cells), shift);
}

}  // namespace

void CountingMemory::reserve(int64_t n) {
  const int64_t chunk = std::min(n, kChunk);
  keys.reserve(chunk);
  other.reserve(chunk);
  cells.reserve(std::min(n, kMostCells) + chunk);
  both.reserve(std::min(n, kMostCells) + chunk);
}

ValueCells count_values(const ValueCells& before, const NumberColumn& column, int64_t n,
                        CountingMemory& memory) {
  Counter counter(before.shift);
  counter.add(before);
  int64_t i = 0;
  for (; i < n && counter.size() <= kFew; ++i)
    if (const double x = column[i]; x == x) counter.add(x);
  if (i < n) return count_by_sorting(counter, column, i, n, memory);
  return finish(counter.sorted(), counter.shift());
}

ValueCells merge_cells(const ValueCells& a, const ValueCells& b) {
  Counter counter(a.shift);
  counter.add(a);
  counter.add(b);
  return finish(counter.sorted(), counter.shift());
}

}  // namespace hedgerow::gradient

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

struct Cell {
  uint64_t key = 0;  // without its last bits
  int64_t count = 0;
  double low = 0.0, high = 0.0;
};

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

  ValueCells finish() {
    std::vector<Cell> cells = sorted();
    if (size_ > kMostCells) cells = coarser(cells, least_shift(cells));
    ValueCells out;
    out.shift = shift_;
    for (const Cell& cell : cells) {
      out.count.push_back(cell.count);
      out.low.push_back(cell.low);
      out.high.push_back(cell.high);
    }
    return out;
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
      const std::vector<Cell> cells = sorted();
      fill(coarser(cells, least_shift(cells)), slots_.size());
    } else if (2 * static_cast<size_t>(size_) > slots_.size()) {
      fill(sorted(), 2 * slots_.size());
    }
  }

  void coarsen_to(int32_t shift) {
    if (shift > shift_) fill(coarser(sorted(), shift - shift_), slots_.size());
  }

  void fill(const std::vector<Cell>& cells, size_t n_slots) {
    slots_.assign(n_slots, Cell{});
    size_ = static_cast<int64_t>(cells.size());
    for (const Cell& cell : cells) at(cell.key) = cell;
  }

  std::vector<Cell> sorted() const {
    std::vector<Cell> cells;
    cells.reserve(size_);
    for (const Cell& cell : slots_)
      if (cell.count != 0) cells.push_back(cell);
    sort_by_key(cells);
    return cells;
  }

  // Two neighbours stay apart up to the place of the highest bit in which they differ.
  static int32_t least_shift(const std::vector<Cell>& cells) {
    std::array<int64_t, 65> apart{};
    for (size_t k = 1; k < cells.size(); ++k) ++apart[std::bit_width(cells[k - 1].key ^ cells[k].key)];
    int64_t many = static_cast<int64_t>(cells.size());
    int32_t more = 0;
    while (many > kMostCells) many -= apart[++more];
    return more;
  }

  std::vector<Cell> coarser(const std::vector<Cell>& cells, int32_t more) {
    shift_ += more;
    std::vector<Cell> out;
    for (Cell cell : cells) {
      cell.key >>= more;
      if (out.empty() || out.back().key != cell.key) {
        out.push_back(cell);
        continue;
      }
      out.back().count += cell.count;
      out.back().high = cell.high;  // cells are in order
    }
    return out;
  }

  int32_t shift_;
  int64_t size_ = 0;
  std::vector<Cell> slots_;  // count 0: empty
};

}  // namespace

ValueCells count_values(const ValueCells& before, const NumberColumn& column, int64_t n) {
  Counter counter(before.shift);
  counter.add(before);
  for (int64_t i = 0; i < n; ++i)
    if (const double x = column[i]; x == x) counter.add(x);
  return counter.finish();
}

ValueCells merge_cells(const ValueCells& a, const ValueCells& b) {
  Counter counter(a.shift);
  counter.add(a);
  counter.add(b);
  return counter.finish();
}

}  // namespace hedgerow::gradient

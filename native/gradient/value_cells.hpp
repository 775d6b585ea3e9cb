// How often the values of a column occur, in a limited number of cells.
//
// In: numbers, in any order, in any number of pieces.   Out: cells in order, each with its count, its least
// and its largest value.
//
// Up to kMostCells distinct values have a cell each. Beyond, numbers are taken as integers in the same order
// and their last `shift` bits are dropped, with the least shift that leaves no more cells:
//
//     sign exponent mantissa            values with the same bits before the cut share a cell: about equal
//     s eeeeeeeeeee mmmmmmmmm|mmmmmmm   relative widths, whatever the scale of the column
//
// A part of the values never needs a larger shift than all of them, so that neither the order of the rows nor
// their cutting into pieces changes the answer, and the cells of pieces add up to those of the whole.
#pragma once

#include <cstdint>
#include <vector>

namespace hedgerow::gradient {

constexpr int64_t kMostCells = 32768;  // about 128 for each bin

struct NumberColumn {
  const void* data = nullptr;
  bool wide = false;   // float64, else float32
  int64_t stride = 1;  // cells from a row to the next
  double operator[](int64_t row) const {
    return wide ? static_cast<const double*>(data)[row * stride]
                : static_cast<const float*>(data)[row * stride];
  }
};

struct ValueCells {
  int32_t shift = 0;
  std::vector<int64_t> count;
  std::vector<double> low, high;
};

struct Cell {
  uint64_t key = 0;  // without its last bits
  int64_t count = 0;
  double low = 0.0, high = 0.0;
};

// For one thread at a time. Reserved by the thread that hands the columns out: what the others reserve
// themselves stays with them, and nobody else can use it.
struct CountingMemory {
  std::vector<uint64_t> keys, other;
  std::vector<Cell> cells, both;
  void reserve(int64_t n);  // for columns of n values
};

// `before` and the values of the column together; missing cells (NaN) do not count.
ValueCells count_values(const ValueCells& before, const NumberColumn& column, int64_t n,
                        CountingMemory& memory);
ValueCells merge_cells(const ValueCells& a, const ValueCells& b);

}  // namespace hedgerow::gradient

// Kernel values between rows, in blocks.   In: two lists of rows.   Out: the values, or their weighted sums.
//
// Tasks are fixed chunks of columns and each sum goes over the rows in order: the bits do not depend on
// threads.
#pragma once

#include "common/thread_team.hpp"
#include "svm/kernel_table.hpp"
#include "svm/rows.hpp"
#include "svm/tiles.hpp"

namespace hedgerow::svm {

template <class T>
struct Side {  // some rows of a set; no list: all
  const Rows<T>* rows;
  const int32_t* list = nullptr;
  int64_t count = 0;
  int64_t at(int64_t i) const { return list ? list[i] : i; }
};

// A column chunk of values as it is made: rows [first, first + count) x columns [column, column + width).
template <class T>
using Taker =
    std::function<void(const T* tile, int64_t first, int count, int64_t column, int width, int worker)>;

// All values of rows x columns, tile by tile; tiles of a column chunk come from one worker, rows ascending.
template <class T>
void each_tile(const KernelOf& kernel, const Side<T>& rows, const Side<T>& columns, ThreadTeam& team,
               const Taker<T>& take, bool upper_half = false);  // half: tiles below the diagonal are left out

// The values of some rows with themselves, each pair computed once: out[i * step + j] for all i and j.
template <class T>
void fill_square(const KernelOf& kernel, const Side<T>& side, T* out, int64_t step, ThreadTeam& team);

// Of stored products of rows (count x count, unscaled): their kernel values.
template <class T>
void apply_to_gram(const KernelOf& kernel, const T* gram, int64_t count, T* out, ThreadTeam& team);

// out[column * outputs + o] += sum over rows of coef[row * outputs + o] * kernel(row, column)
template <class T>
void add_up(const KernelOf& kernel, const Side<T>& rows, const double* coef, int outputs,
            const Side<T>& columns, double* out, ThreadTeam& team);

}  // namespace hedgerow::svm

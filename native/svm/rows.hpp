// Rows as the kernels read them.   In: what the caller has, dense or sparse.   Out: float or double,
// multiplied by sqrt(gamma), centred where the kernel allows, with |x|^2 of each.
//
// Products go over the columns in order, one sum each: x.z and z.x are the same bits, and x.x is |x|^2,
// however the rows are blocked.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "svm/kernel.hpp"

namespace hedgerow::svm {

struct Source {  // borrowed: a dense matrix by rows, or a sparse one (CSR, columns ascending in a row)
  int64_t rows = 0, columns = 0;
  const double* dense = nullptr;
  const int64_t* starts = nullptr;
  const int32_t* at = nullptr;
  const double* values = nullptr;
};

struct Filled {  // the columns of a row that are not zero, ascending
  const int32_t* at = nullptr;
  int32_t count = 0;
};

// Some rows of a source, as a source of their own.
class TakenRows {
 public:
  TakenRows(const Source& from, const int32_t* list, int64_t count);
  TakenRows(const TakenRows&) = delete;
  TakenRows& operator=(const TakenRows&) = delete;
  const Source& source() const { return source_; }

 private:
  std::vector<double> values_;
  std::vector<int64_t> starts_;
  std::vector<int32_t> at_;
  Source source_;
};

template <class T>
struct Rows {
  int64_t rows = 0, columns = 0;
  std::vector<T> dense;
  const int64_t* starts = nullptr;  // sparse
  const int32_t* at = nullptr;
  std::vector<T> values;
  std::vector<T> norm;
  // Of dense rows that are mostly zeros: the columns of each row that are not, from its start.
  std::vector<int64_t> filled_starts;
  std::vector<int32_t> filled;

  bool sparse() const { return starts != nullptr; }
  bool mostly_zero() const { return !filled_starts.empty(); }
  const T* row(int64_t i) const { return dense.data() + i * columns; }
  Filled filled_of(int64_t i) const {
    return {filled.data() + filled_starts[i], int32_t(filled_starts[i + 1] - filled_starts[i])};
  }
};

// `centre` is subtracted (dense rows only; empty: nothing is), then all is multiplied by `scale`.
template <class T>
Rows<T> read_rows(const Source& source, const std::vector<double>& centre, double scale);

std::vector<double> centre_of(
    const Source& source);  // column means where they are large; empty for sparse rows

extern template Rows<float> read_rows<float>(const Source&, const std::vector<double>&, double);
extern template Rows<double> read_rows<double>(const Source&, const std::vector<double>&, double);

}  // namespace hedgerow::svm

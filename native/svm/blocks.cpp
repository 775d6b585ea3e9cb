#include "svm/blocks.hpp"

#include <algorithm>
#include <memory>
#include <span>

namespace hedgerow::svm {
namespace {

constexpr int64_t kFewColumns = 12;
constexpr int64_t kCells = 16384;  // of a row, times tiles, between looks at the stop sign

template <class T>
void multiply_sparse(const Rows<T>& a, const int64_t* rows, int count, const Rows<T>& b,
                     const int64_t* columns, int width, std::vector<T>& cells, T* tile) {
  constexpr int kWide = kLanes<T>;
  cells.resize(a.columns * kWide, T(0));
  for (int first = 0; first < count; first += kWide) {
    const int here = std::min(kWide, count - first);
    for (int l = 0; l < here; ++l)
      for (int64_t e = a.starts[rows[first + l]]; e < a.starts[rows[first + l] + 1]; ++e)
        cells[int64_t(a.at[e]) * kWide + l] = a.values[e];
    for (int j = 0; j < width; ++j) {
      Lanes<T> sum{};
      for (int64_t e = b.starts[columns[j]]; e < b.starts[columns[j] + 1]; ++e)
        sum += load(cells.data() + int64_t(b.at[e]) * kWide) * all<T>(b.values[e]);
      for (int l = 0; l < here; ++l) tile[(first + l) * kTileColumns + j] = sum[l];
    }
    for (int l = 0; l < here; ++l)
      for (int64_t e = a.starts[rows[first + l]]; e < a.starts[rows[first + l] + 1]; ++e)
        cells[int64_t(a.at[e]) * kWide + l] = T(0);
  }
}

template <class T>
struct Bench {  // what a worker needs
  std::vector<T> packed, cells;
  alignas(64) T tile[kTileRows * kTileColumns];
};

// So many that a few hundredths of a second pass, however wide the rows are.
template <class T>
int64_t tiles_between_looks(const Rows<T>& rows) {
  const auto cells = rows.sparse() ? int64_t(rows.values.size()) : rows.rows * rows.columns;
  const int64_t width = cells / std::max<int64_t>(rows.rows, 1);
  return std::clamp<int64_t>(kCells / std::max<int64_t>(width, 1), 1, 64);
}

}  // namespace

template <class T>
void each_tile(const KernelOf& kernel, const Side<T>& rows, const Side<T>& columns, ThreadTeam& team,
               const Taker<T>& take, bool upper_half) {
  const int64_t chunks = (columns.count + kTileColumns - 1) / kTileColumns;
  std::vector<std::unique_ptr<Bench<T>>> benches(team.size());
  const int64_t depth = columns.rows->columns;
  const bool sparse = columns.rows->sparse();
  const int64_t tiles = tiles_between_looks(*columns.rows);
  team.run(chunks, [&](int64_t chunk, int worker) {
    if (!benches[worker]) benches[worker] = std::make_unique<Bench<T>>();
    Bench<T>& bench = *benches[worker];
    const int64_t column = chunk * kTileColumns;
    const int width = static_cast<int>(std::min<int64_t>(kTileColumns, columns.count - column));
    int64_t numbers[kTileColumns];
    const T* pointers[kTileColumns];
    alignas(64) T norms[kTileColumns] = {};
    for (int j = 0; j < width; ++j) {
      numbers[j] = columns.at(column + j);
      norms[j] = columns.rows->norm[numbers[j]];
      if (!sparse) pointers[j] = columns.rows->row(numbers[j]);
    }
    if (!sparse) {
      bench.packed.resize(kTileColumns * std::max<int64_t>(depth, 1));
      if (columns.rows->mostly_zero()) {
        Filled filled[kTileColumns];
        for (int j = 0; j < width; ++j) filled[j] = columns.rows->filled_of(numbers[j]);
        pack_filled(pointers, filled, width, depth, bench.packed.data());
      } else {
        pack(pointers, width, depth, bench.packed.data());
      }
    }
    const int64_t rows_here = upper_half ? std::min(rows.count, column + width) : rows.count;
    for (int64_t first = 0; first < rows_here; first += kTileRows) {
      const int count = static_cast<int>(std::min<int64_t>(kTileRows, rows.count - first));
      int64_t row_numbers[kTileRows];
      const T* row_pointers[kTileRows];
      T row_norms[kTileRows];
      Filled filled[kTileRows];
      for (int i = 0; i < count; ++i) {
        row_numbers[i] = rows.at(first + i);
        row_norms[i] = rows.rows->norm[row_numbers[i]];
        if (!sparse) row_pointers[i] = rows.rows->row(row_numbers[i]);
        if (rows.rows->mostly_zero()) filled[i] = rows.rows->filled_of(row_numbers[i]);
      }
      if (sparse)
        multiply_sparse(*rows.rows, row_numbers, count, *columns.rows, numbers, width, bench.cells,
                        bench.tile);
      else if (rows.rows->mostly_zero())
        multiply_filled(row_pointers, filled, count, bench.packed.data(), depth, bench.tile);
      else
        multiply(row_pointers, count, bench.packed.data(), depth, bench.tile);
      kernel.apply(bench.tile, count, row_norms, norms);
      take(bench.tile, first, count, column, width, worker);
      if ((first / kTileRows) % tiles == tiles - 1) team.stop().check();
    }
  });
}

template <class T>
void fill_square(const KernelOf& kernel, const Side<T>& side, T* out, int64_t step, ThreadTeam& team) {
  each_tile<T>(
      kernel, side, side, team,
      [&](const T* tile, int64_t first, int count, int64_t column, int width, int) {
        count = int(std::min<int64_t>(count, column + width - first));  // the rest is of another chunk
        alignas(64) T turned[kTileColumns * kTileRows];  // written in rows, not number by number
        for (int i = 0; i < count; ++i) {
          std::copy_n(tile + i * kTileColumns, width, out + (first + i) * step + column);
          for (int j = 0; j < width; ++j) turned[j * kTileRows + i] = tile[i * kTileColumns + j];
        }
        for (int j = 0; j < width; ++j)
          std::copy_n(turned + j * kTileRows, count, out + (column + j) * step + first);
      },
      true);
}

template <class T>
void apply_to_gram(const KernelOf& kernel, const T* gram, int64_t count, T* out, ThreadTeam& team) {
  const T gamma = kernel.has_gamma() ? static_cast<T>(kernel.params.gamma) : T(1);
  std::vector<T> norms(size_t(count + kTileColumns), T(0));
  for (int64_t i = 0; i < count; ++i) norms[i] = gamma * gram[i * count + i];
  team.run((count + kTileRows - 1) / kTileRows, [&](int64_t chunk, int) {
    alignas(64) T tile[kTileRows * kTileColumns];
    const int64_t first = chunk * kTileRows;
    const int rows = int(std::min<int64_t>(kTileRows, count - first));
    for (int64_t column = 0; column < count; column += kTileColumns) {
      const int width = int(std::min<int64_t>(kTileColumns, count - column));
      for (int i = 0; i < rows; ++i) {
        const T* from = gram + (first + i) * count + column;
        for (int j = 0; j < kTileColumns; ++j)
          tile[i * kTileColumns + j] = j < width ? gamma * from[j] : T(0);
      }
      kernel.apply<T>(tile, rows, norms.data() + first, norms.data() + column);
      for (int i = 0; i < rows; ++i)
        std::copy_n(tile + i * kTileColumns, width, out + (first + i) * count + column);
    }
    team.stop().check();
  });
}

namespace {

// Coefficients that are not zero, tile by tile and output by output: of pairs of classes, a row has some in
// few.
class Terms {
 public:
  Terms(const double* coef, int64_t rows, int outputs) : outputs_(outputs) {
    for (int64_t first = 0; first < rows; first += kTileRows)
      for (int o = 0; o < outputs; ++o) {
        starts_.push_back(terms_.size());
        for (int64_t i = first; i < std::min(rows, first + kTileRows); ++i)
          if (coef[i * outputs + o] != 0.0) terms_.push_back({coef[i * outputs + o], int32_t(i - first)});
      }
    starts_.push_back(terms_.size());
  }
  std::span<const Term> of(int64_t first, int output) const {
    const int64_t at = first / kTileRows * outputs_ + output;
    return {terms_.data() + starts_[at], starts_[at + 1] - starts_[at]};
  }

 private:
  int64_t outputs_;
  std::vector<size_t> starts_;
  std::vector<Term> terms_;
};

// The same sums in the same order where columns are few: a tile would be empty but for them, so that rows and
// columns change places.
template <class T>
void add_up_few(const KernelOf& kernel, const Side<T>& rows, const Terms& terms, int outputs,
                const Side<T>& columns, double* out, ThreadTeam& team) {
  std::vector<T> values(size_t(columns.count * rows.count));
  each_tile<T>(kernel, columns, rows, team,
               [&](const T* tile, int64_t first, int count, int64_t column, int width, int) {
                 for (int i = 0; i < count; ++i)
                   std::copy_n(tile + i * kTileColumns, width,
                               values.data() + (first + i) * rows.count + column);
               });
  std::vector<double> sum(outputs);
  for (int64_t j = 0; j < columns.count; ++j) {
    std::fill(sum.begin(), sum.end(), 0.0);
    for (int64_t first = 0; first < rows.count; first += kTileRows) {
      const T* value = values.data() + j * rows.count + first;
      for (int o = 0; o < outputs; ++o)
        for (const Term& term : terms.of(first, o))
          sum[o] += term.coef * static_cast<double>(value[term.row]);
    }
    for (int o = 0; o < outputs; ++o) out[j * outputs + o] += sum[o];
  }
}

}  // namespace

template <class T>
void add_up(const KernelOf& kernel, const Side<T>& rows, const double* coef, int outputs,
            const Side<T>& columns, double* out, ThreadTeam& team) {
  if (rows.count == 0) return;
  const Terms terms(coef, rows.count, outputs);
  if (columns.count <= kFewColumns) return add_up_few(kernel, rows, terms, outputs, columns, out, team);
  std::vector<std::vector<double>> sums(team.size());
  each_tile<T>(kernel, rows, columns, team,
               [&](const T* tile, int64_t first, int count, int64_t column, int width, int worker) {
                 std::vector<double>& sum = sums[worker];
                 if (first == 0) sum.assign(size_t(kTileColumns) * outputs, 0.0);
                 for (int o = 0; o < outputs; ++o) {
                   const auto some = terms.of(first, o);
                   if (!some.empty())
                     collect(tile, some.data(), int64_t(some.size()), sum.data() + o * kTileColumns);
                 }
                 if (first + count < rows.count) return;
                 for (int j = 0; j < width; ++j)
                   for (int o = 0; o < outputs; ++o)
                     out[(column + j) * outputs + o] += sum[o * kTileColumns + j];
               });
}

template void each_tile<float>(const KernelOf&, const Side<float>&, const Side<float>&, ThreadTeam&,
                               const Taker<float>&, bool);
template void each_tile<double>(const KernelOf&, const Side<double>&, const Side<double>&, ThreadTeam&,
                                const Taker<double>&, bool);
template void fill_square<float>(const KernelOf&, const Side<float>&, float*, int64_t, ThreadTeam&);
template void fill_square<double>(const KernelOf&, const Side<double>&, double*, int64_t, ThreadTeam&);
template void apply_to_gram<float>(const KernelOf&, const float*, int64_t, float*, ThreadTeam&);
template void apply_to_gram<double>(const KernelOf&, const double*, int64_t, double*, ThreadTeam&);
template void add_up<float>(const KernelOf&, const Side<float>&, const double*, int, const Side<float>&,
                            double*, ThreadTeam&);
template void add_up<double>(const KernelOf&, const Side<double>&, const double*, int, const Side<double>&,
                             double*, ThreadTeam&);

}  // namespace hedgerow::svm

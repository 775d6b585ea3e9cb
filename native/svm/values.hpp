// Where kernel values come from: computed from rows, or a matrix that the caller has. Either fills a square
// or a block of values between some rows, and sums them up.
#pragma once

#include <algorithm>
#include <vector>

#include "svm/blocks.hpp"
#include "svm/solve.hpp"

namespace hedgerow::svm {

template <class T>
class Computed {
 public:
  using Number = T;
  Computed(const KernelOf& kernel, const Side<T>& rows) : kernel_(kernel), rows_(rows) {}
  int64_t count() const { return rows_.count; }
  void square(const std::vector<int32_t>& some, T* out, int64_t step, ThreadTeam& team) const {
    std::vector<int32_t> room;
    fill_square<T>(kernel_, side(some, room), out, step, team);
  }
  // `upper_half`: of a list with itself, each pair once at least (blocks.hpp).
  void block(const std::vector<int32_t>& these, const std::vector<int32_t>& those, ThreadTeam& team,
             const Taker<T>& take, bool upper_half) const {
    std::vector<int32_t> one, other;
    each_tile<T>(kernel_, side(these, one), side(those, other), team, take, upper_half);
  }
  void sums(const std::vector<int32_t>& these, const std::vector<double>& amounts,
            const std::vector<int32_t>& those, double* out, ThreadTeam& team) const {
    std::vector<int32_t> one, other;
    add_up<T>(kernel_, side(these, one), amounts.data(), 1, side(those, other), out, team);
  }

 private:
  // Some of these rows; `room` keeps the list.
  Side<T> side(const std::vector<int32_t>& some, std::vector<int32_t>& room) const {
    const auto many = int64_t(some.size());
    if (!rows_.list) return {rows_.rows, some.data(), many};
    room.resize(some.size());
    for (int64_t k = 0; k < many; ++k) room[k] = rows_.list[some[k]];
    return {rows_.rows, room.data(), many};
  }

  const KernelOf& kernel_;
  const Side<T> rows_;
};

struct Looked {
  using Number = double;
  const Given& given;
  int64_t count() const { return given.rows; }
  void square(const std::vector<int32_t>& some, double* out, int64_t step, ThreadTeam& team) const {
    team.run(int64_t(some.size()), [&](int64_t i, int) {
      const double* row = given.row(some[i]);
      for (size_t j = 0; j < some.size(); ++j) out[i * step + j] = row[given.column(some[j])];
    });
  }
  void block(const std::vector<int32_t>& these, const std::vector<int32_t>& those, ThreadTeam& team,
             const Taker<double>& take, bool upper_half) const {
    const auto n_these = int64_t(these.size()), n_those = int64_t(those.size());
    team.run((n_those + kTileColumns - 1) / kTileColumns, [&](int64_t chunk, int worker) {
      double tile[kTileRows * kTileColumns];
      const int64_t column = chunk * kTileColumns;
      const int width = int(std::min<int64_t>(kTileColumns, n_those - column));
      const int64_t rows_here = upper_half ? std::min(n_these, column + width) : n_these;
      for (int64_t first = 0; first < rows_here; first += kTileRows) {
        const int count = int(std::min<int64_t>(kTileRows, n_these - first));
        for (int i = 0; i < count; ++i)
          for (int j = 0; j < width; ++j)
            tile[i * kTileColumns + j] = given.row(these[first + i])[given.column(those[column + j])];
        take(tile, first, count, column, width, worker);
      }
    });
  }
  void sums(const std::vector<int32_t>& these, const std::vector<double>& amounts,
            const std::vector<int32_t>& those, double* out, ThreadTeam& team) const {
    team.run(int64_t(those.size()), [&](int64_t j, int) {  // the matrix is symmetric: along a row of it
      const double* row = given.row(those[j]);
      double sum = 0;
      for (size_t k = 0; k < these.size(); ++k) sum += amounts[k] * row[given.column(these[k])];
      out[j] += sum;
    });
  }
};

}  // namespace hedgerow::svm

// Sums of the channels over the points that answer two questions with yes: all that trees of two levels
// depend on.
//
// Two ways to the same whole numbers. By planes: bit counts of answers & answers & plane, for few planes. By
// cells: one table for each two columns, a point adds to one of its cells; sums over cells follow. For
// weights and numbers.
#pragma once

#include "optimal/subset.hpp"

namespace hedgerow::optimal {

class PairSums {
 public:
  PairSums(const Points& points, const Subset& subset);

  // Question i with each question j > i; entry j * channels + m. Rows must be asked for in order.
  const int64_t* row(int i);

 private:
  bool cells_are_faster() const;
  void row_by_planes(int i);
  void fill_tables();
  void fill_group_pair(int g, int h);

  const Points& points_;
  const Subset& subset_;
  int channels_;
  std::vector<int64_t> sums_;     // of one row, or by cells of all
  std::vector<uint64_t> masked_;  // a plane where question i is answered with yes
  bool by_cells_;
  std::vector<std::vector<int>> in_group_;  // by group: places of its questions in the subset
  std::vector<int64_t> table_, line_;
};

}  // namespace hedgerow::optimal

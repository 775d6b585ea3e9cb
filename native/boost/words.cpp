#include "boost/words.hpp"

#include <algorithm>

namespace hedgerow {

std::vector<double> word_masses(const int64_t* start, const int32_t* row, int64_t n_columns,
                                const uint16_t* group, int n_groups, const double* weight, ThreadTeam& team) {
  constexpr int64_t kColumns = 1024;  // a task
  std::vector<double> mass(n_columns * n_groups, 0.0);
  team.run((n_columns + kColumns - 1) / kColumns, [&](int64_t task, int) {
    for (int64_t j = task * kColumns; j < std::min(n_columns, (task + 1) * kColumns); ++j)
      for (int64_t i = start[j]; i < start[j + 1]; ++i) mass[j * n_groups + group[row[i]]] += weight[row[i]];
  });
  return mass;
}

}  // namespace hedgerow

// One-word stumps: for columns of a sparse matrix, the weight of each group in the rows that are not zero.
#pragma once

#include <cstdint>
#include <vector>

#include "common/thread_team.hpp"

namespace hedgerow {

// columns x groups
std::vector<double> word_masses(const int64_t* start, const int32_t* row, int64_t n_columns,
                                const uint16_t* group, int n_groups, const double* weight, ThreadTeam& team);

}  // namespace hedgerow

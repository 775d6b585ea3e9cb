// Looking for infinities: a pass over all cells that every fit and prediction makes.
#pragma once

#include <cstdint>

#include "common/thread_team.hpp"

namespace hedgerow {

// In: a matrix of float32 or (wide) float64; strides in elements.
bool any_infinite(const void* data, bool wide, int64_t n_rows, int64_t n_columns, int64_t row_stride,
                  int64_t column_stride, ThreadTeam& team);

}  // namespace hedgerow

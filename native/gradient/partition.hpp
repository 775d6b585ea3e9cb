// Rows after a split, over a block of rows.
//
//     rows = [a b c d e f]   code of the split column goes left?   ->   left [a c f]   right [b d e]
//
// Stable: both sides keep their order, so that blocks laid one after the other give what one block gives.
#pragma once

#include "common/thread_team.hpp"
#include "gradient/binned.hpp"

namespace hedgerow::gradient {

// One block: rows that go left to `left`, others to `right`; returns how many went left. Both outputs need
// room for the whole block. `rows`: or null for begin .. end - 1 themselves.
int64_t part_block(const uint8_t* codes, const uint8_t* goes_left, const uint32_t* rows, int64_t begin,
                   int64_t end, uint32_t* left, uint32_t* right);

// A node's rows, in place, blocks over the team; `scratch` has the same size. Returns the number gone left.
int64_t part_rows(const uint8_t* codes, const uint8_t* goes_left, uint32_t* rows, int64_t n, bool identity,
                  uint32_t* scratch, int64_t block_rows, ThreadTeam& team);

}  // namespace hedgerow::gradient

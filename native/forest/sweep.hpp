// Buckets of class counts, swept from left to right: what is on the left of each, what is on the right.
//
//   counts   [ bucket 0: a row of classes | bucket 1 | ... ]     rows are 4, 8, 16 or 32 wide
//   out      one entry a bucket that is not empty, and one behind the last
//
// What the node has and no bucket is on the left of all. A sweep leaves in place of a bucket's counts those
// on its left. All sums are whole numbers.
#pragma once

#include <cstdint>
#include <vector>

namespace hedgerow {

struct Swept {
  std::vector<int64_t> bucket;
  std::vector<double> weight, left, right;    // on the left; sums of squares on both sides
  std::vector<double> most_left, most_right;  // of the bucket's classes: largest count before it, after it
  std::vector<double> excess;
  int64_t size = 0;

  void make_room(int64_t buckets);
};

inline constexpr int kMostSwept = 32;  // classes

// `whole`: the node's counts, zeros up to the width.
void sweep_classes(uint32_t* counts, int64_t buckets, int width, const uint32_t* whole, Swept& out);

// How far a threshold within each bucket may be above `best` (multiplied out; negative: none is). With u of
// the bucket's weight on the left,
//   squares <= before + 2 u (largest count of its classes) + u^2, and likewise on the right;
// the sum of both shares is convex in u, so that it is largest at an end.
void bound_within(Swept& swept, double total, double best);

}  // namespace hedgerow

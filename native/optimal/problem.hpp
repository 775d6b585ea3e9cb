// Optimal trees: what is to be solved, and what is found.
//
// Rows that answer every question alike are one point. All costs are whole numbers below 2^53, held in
// doubles, so that sums and comparisons are exact and the answer depends neither on their order nor on
// threads.
//
//     cost of a tree = sum of base over points - sum of reward over leaves + price * leaves
//
// Classes: base is the cost of deciding class 0; channel k the saving of deciding class k + 1 instead; the
// reward of a leaf factor times the largest saving, or 0. Numbers: channels are weight and weighted sum, the
// reward floor(factor * sum^2 / weight). The last channels are limits, such as rows: a leaf with less than
// the least of one is forbidden. The caller subtracts from each point what no decision avoids: no tree costs
// less than the price of its leaves.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace hedgerow::optimal {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();
inline constexpr double kForbidden = 0x1.0p60;  // cost of a leaf that may not be

struct Problem {
  int64_t n_points = 0;
  int n_questions = 0;
  const uint64_t* bits = nullptr;  // questions x words: bit p is one where the answer of point p is yes
  int n_channels = 0;
  const int64_t* channels = nullptr;  // channels x points
  const int64_t* base = nullptr;
  const int64_t* farthest = nullptr;  // the most a point can cost in any leaf
  int n_groups = 0;                   // columns that the questions are about
  const int32_t* group = nullptr;     // of each question
  const uint16_t* cells = nullptr;  // groups x points: points of one cell answer the group's questions alike
  bool of_classes = true;
  double factor = 1.0;
  int n_limits = 0;
  const int64_t* least = nullptr;  // of each limit
  double price = 0.0;              // of a leaf
  int max_depth = 3;
  int64_t max_splits = 7;
  double seconds = kInfinite;

  int64_t words() const { return (n_points + 63) / 64; }
};

struct Node;
using Tree = std::shared_ptr<const Node>;  // null: a leaf

struct Node {
  int question;
  Tree yes, no;
  int depth, splits;
};

inline int depth_of(const Tree& tree) { return tree ? tree->depth : 0; }
inline int splits_of(const Tree& tree) { return tree ? tree->splits : 0; }

inline Tree join(int question, const Tree& yes, const Tree& no) {
  const int deeper = depth_of(yes) > depth_of(no) ? depth_of(yes) : depth_of(no);
  return std::make_shared<const Node>(
      Node{question, yes, no, deeper + 1, splits_of(yes) + splits_of(no) + 1});
}

// `cost` is infinite where no tree below the bound was found; no tree costs less than `lower`.
struct Solution {
  double lower = 0.0;
  double cost = kInfinite;
  Tree tree;
};

}  // namespace hedgerow::optimal

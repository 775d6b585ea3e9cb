// Subset: some of the points, their answers packed together.
//
//     answers  1 0 1 1 0 1      kept  1 1 0 1 0 1      packed  1 0 1 1
//
// Questions that all points answer alike are dropped, for every part of the subset answers them alike too.
// The channels stand behind the questions as bit planes, in two's complement: the sum of a channel over a set
// of points is a sum of bit counts.
#pragma once

#include <vector>

#include "optimal/problem.hpp"

namespace hedgerow::optimal {

// The name of a set of points: sums of two random numbers a point. 2^-128 that two sets share it.
struct Key {
  uint64_t first = 0, second = 0;
  bool operator==(const Key&) const = default;
};

// What is known of a set of points without packing it.
struct Totals {
  int64_t n = 0, base = 0;
  Key key;
  std::vector<int64_t> sums;  // of each channel

  Totals minus(const Totals& part) const;
};

struct Plane {
  int channel;
  int64_t worth;  // 2^bit, or minus that
};

struct Subset {
  int64_t n = 0, words = 0;
  std::vector<int> questions;
  std::vector<uint64_t> bits;        // (questions, then planes) x words
  std::vector<int64_t> plane_words;  // of each plane: up to the last that is not zero
  std::vector<uint32_t> points;
  Totals totals;

  int size() const { return static_cast<int>(questions.size()); }
  const uint64_t* answers(int i) const { return &bits[i * words]; }
  const uint64_t* plane(size_t b) const { return &bits[(questions.size() + b) * words]; }
};

// A problem with its planes and names of points: what every subset is made of.
class Points {
 public:
  explicit Points(const Problem& problem);

  const Problem& problem() const { return problem_; }
  const std::vector<Plane>& planes() const { return planes_; }
  bool even_farthest() const { return even_farthest_; }
  const std::vector<uint8_t>& answers(int question) const {
    return answers_[question];
  }  // by cell of its group
  int n_cells(int group) const { return n_cells_[group]; }

  Subset all() const;
  // The points of a subset that answer its question i with `yes`.
  Subset part(const Subset& whole, int i, bool yes, const Totals& totals) const;
  Totals totals_of_yes(const Subset& subset, int i) const;
  // The most that the points which `a` has and `b` has not can cost, counted up to `enough`.
  double farthest_between(const Subset& subset, int i, bool yes_i, int j, bool yes_j, double enough) const;

 private:
  void keep_asking(Subset& subset, const std::vector<int>& from) const;
  void add_cells();

  const Problem& problem_;
  std::vector<Plane> planes_;
  std::vector<uint64_t> plane_bits_;
  std::vector<Key> keys_;
  bool even_farthest_ = true;
  std::vector<int> n_cells_;
  std::vector<std::vector<uint8_t>> answers_;
};

}  // namespace hedgerow::optimal

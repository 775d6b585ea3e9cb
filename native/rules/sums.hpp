// What a rule covers, and what it would cover without one of its preconditions.
//
// In: for each precondition a bit a row (it holds), rules as lists of preconditions, the rows of each class.
// Out: sums of weight. A row that fails exactly one precondition of a rule comes in when that one goes:
//
//    precondition 1  1 1 0 1        fails:  row a none: covered
//    precondition 2  1 0 0 1                row b only 2: comes in without 2
//    rows            a b c d                row c both: does not matter yet
#pragma once

#include <cstdint>
#include <vector>

#include "common/thread_team.hpp"

namespace hedgerow {

struct RuleBits {
  const uint64_t* holds;  // preconditions x n_words
  int64_t n_rows, n_words;
  const int64_t* begin;  // rule r has the preconditions part[begin[r]] .. part[begin[r + 1] - 1]
  int64_t n_rules;
  const int32_t* part;
  const uint8_t* left;       // by place in `part`: it has not been dropped
  const uint64_t* of_class;  // classes x n_words: the rows of each class
  const double* weight;      // by row; null: all one
};

// covered: rules x 2, wrong and right weight; gained: parts x 2, the same for the rows that would come in.
void rule_sums(const RuleBits& in, const int32_t* decision, double* covered, double* gained,
               ThreadTeam& team);

// counts: rules x classes, weight; rows: their number.
void rule_counts(const RuleBits& in, int n_classes, double* counts, int64_t* rows, ThreadTeam& team);

// Rules take rows in their order, each those that are left, if it gets some of them right. taker: by row, the
// rule plus `first`; rows taken before stay as they are, rows to be taken have -1.
void take_rows(const RuleBits& in, const int32_t* decision, int32_t first, int32_t* taker, Stop& stop);

}  // namespace hedgerow

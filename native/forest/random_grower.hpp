// The grower of one extra tree of classes: a random threshold a column, nothing is put in order.
//
//   rows   [ node A's rows | node B's rows | ... ]     parted in place, in their order
//   node   draws columns; of each one's codes the lowest, the highest and one threshold between them
//          (random_column.hpp); the bits of the best column part the rows
//
// Rows of whole weight, columns of numbers without missing cells; row_grower.hpp grows the others. The tree
// is the one that grow_tree makes.
#pragma once

#include <memory>

#include "forest/blocks.hpp"
#include "forest/forest.hpp"
#include "forest/random_column.hpp"
#include "grow/criterion_table.hpp"
#include "grow/stop_rules.hpp"

namespace hedgerow {

class RandomGrower {
 public:
  RandomGrower(const ForestInput& input, const CriterionEntry& criterion, const Records& records, Stop& stop);

  // What it can grow; reads all codes that may be missing.
  static bool takes(const ForestInput& input, const CriterionTraits& traits, ThreadTeam& team);

  void grow(int64_t tree, uint64_t seed);

  // The last one.
  GrownTree tree() const;
  SlimTree slim_tree() const;

 private:
  static constexpr int64_t kFewRows = 4;

  struct Node {
    int32_t first_child = -1, feature = -1, missing_branch = -1;
    int32_t n_rows = 0;
    double threshold = 0, weight = 0, impurity = 0;
  };

  struct Open {
    int32_t id = 0, depth = 0;
    int level = 0;  // whose records its rows are numbered by (blocks.hpp)
    int64_t begin = 0, end = 0;
    uint64_t key = 0;
    double weight = 0, impurity = 0, merit = 0;

    int64_t rows() const { return end - begin; }
    double tie() const { return kTie * weight * impurity; }
  };

  struct Found {
    int32_t column;
    double gain;
  };

  void begin(int64_t tree);
  void take_rows(int64_t tree);
  void split();
  template <class Meet, class Any, class Enough>
  void each_drawn(Meet meet, Any any, Enough enough);
  void choose();
  void split_pair();
  void set_split(int32_t children, int32_t column, double threshold);
  void look_at_waiting();
  void compare(int32_t column, RandomCut& cut);
  CodeSource source_of(int32_t column) const;
  double gain_of(const RandomCut& cut);
  void settle();
  void part_rows();
  bool is_constant(int32_t column) const { return constant_[column >> 6] >> (column & 63) & 1; }
  void set_constant(int32_t column) { constant_[column >> 6] |= uint64_t{1} << (column & 63); }
  // A child of the node in `now_`, its class weights in `stats_`; opened unless it is a leaf.
  void add_child(int which, int64_t rows);
  void open_child(int which, int64_t begin, int64_t end);
  void measure();
  double threshold_of(const Node& node) const;

  const ForestInput& input_;
  const GrowInput& one_;
  const Limits& limits_;
  const Records& records_;
  const CriterionFunctions& functions_;
  const bool squares_;  // Gini
  MomentContext context_;
  Stop& stop_;
  Blocks blocks_;
  RowSet<uint32_t> no_rows_;  // the scans' own, which are asked for gains only
  std::unique_ptr<RuleScan<uint32_t>> rule_;
  std::unique_ptr<Logs> logs_;
  double logs_total_ = 0, root_weight_ = 0;

  // the tree
  TreeRows drawn_;
  TagLayout tag_;
  std::vector<Node> nodes_;
  std::vector<double> moments_;              // nodes x classes
  std::vector<uint64_t> rows_, spare_rows_;  // [tag | row], by node
  std::vector<uint64_t> every_row_;          // as the root has them, where no rows are drawn
  std::vector<Open> stack_;
  std::vector<uint64_t> constants_;  // of each open node a bit a column: known to be constant there

  // the node
  Open now_;
  std::vector<uint64_t> constant_;
  NodeClasses classes_;
  CodeScratch scratch_;
  RandomCut cut_, drafts_[kTogether];  // of the best column; of those that are looked at
  int32_t waiting_[kTogether];
  int n_waiting_ = 0;
  std::vector<int32_t> shuffled_, swapped_;  // the columns, in order between two nodes
  std::vector<Found> found_;
  Found best_{};
  double top_ = 0, kept_gain_ = 0;
  int32_t kept_column_ = -1;
  int looked_ = 0;
  std::vector<double> left_, right_;
  NodeStats stats_, node_stats_;
  Open child_[2];
  bool ends_[2] = {};
};

}  // namespace hedgerow

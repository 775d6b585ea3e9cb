#include "walk/multiway.hpp"

namespace hedgerow {
namespace {

constexpr int64_t kChunk = 2048;  // rows a task

struct Part {
  int32_t node;
  double share;
};

// All parts of a row go down level by level; of those on one level, the whole ones first.
class Parts {
 public:
  template <class Emit>
  void walk(const MultiwayTree& tree, const Matrix& m, int64_t row, Emit emit) {
    now_.assign(1, {0, 1.0});
    while (!now_.empty()) {
      next_.clear();
      spread_.clear();
      for (const Part& part : now_) step(tree, m, row, part, emit);
      next_.insert(next_.end(), spread_.begin(), spread_.end());
      std::swap(now_, next_);
    }
  }

 private:
  template <class Emit>
  void step(const MultiwayTree& tree, const Matrix& m, int64_t row, const Part& part, Emit emit) {
    const MultiwayNode& node = tree.nodes[part.node];
    if (node.kind == 0) return emit(part.node, part.share);
    const int32_t to = way_of(tree, node, part.node, m, row);
    if (to != kEveryChild) return next_.push_back({to, part.share});
    for (int32_t k = 0; k < node.n_children; ++k)
      spread_.push_back({node.child + k, part.share * tree.part[node.child + k]});
  }

  std::vector<Part> now_, next_, spread_;
};

template <class Work>
void by_chunks(int64_t n_rows, ThreadTeam& team, Work work) {
  team.run((n_rows + kChunk - 1) / kChunk, [&](int64_t chunk, int) {
    team.stop().check();
    work(chunk, chunk * kChunk, std::min(n_rows, (chunk + 1) * kChunk));
  });
}

int32_t leaf_of(const MultiwayTree& tree, const Matrix& m, int64_t row) {
  int32_t at = 0;
  while (at != kEveryChild && tree.nodes[at].kind != 0) at = way_of(tree, tree.nodes[at], at, m, row);
  return at;
}

}  // namespace

void multiway_leaves(const MultiwayTree& tree, const Matrix& rows, int32_t* leaf, ThreadTeam& team) {
  by_chunks(rows.n_rows, team, [&](int64_t, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) leaf[i] = leaf_of(tree, rows, i);
  });
}

void multiway_values(const MultiwayTree& tree, const Matrix& rows, const double* values, int n_outputs,
                     double* out, ThreadTeam& team) {
  by_chunks(rows.n_rows, team, [&](int64_t, int64_t begin, int64_t end) {
    Parts parts;
    for (int64_t i = begin; i < end; ++i) {
      double* to = out + i * n_outputs;
      std::fill(to, to + n_outputs, 0.0);
      auto add = [&](int32_t leaf, double share) {
        for (int k = 0; k < n_outputs; ++k) to[k] += share * values[int64_t{leaf} * n_outputs + k];
      };
      const int32_t leaf = leaf_of(tree, rows, i);
      if (leaf == kEveryChild)
        parts.walk(tree, rows, i, add);
      else
        add(leaf, 1.0);
    }
  });
}

Ends multiway_ends(const MultiwayTree& tree, const Matrix& rows, ThreadTeam& team) {
  std::vector<Ends> found((rows.n_rows + kChunk - 1) / kChunk);
  by_chunks(rows.n_rows, team, [&](int64_t chunk, int64_t begin, int64_t end) {
    Parts parts;
    Ends& to = found[chunk];
    for (int64_t i = begin; i < end; ++i)
      parts.walk(tree, rows, i, [&](int32_t leaf, double share) {
        to.row.push_back(i);
        to.leaf.push_back(leaf);
        to.share.push_back(share);
      });
  });
  Ends all;
  for (const Ends& one : found) {
    all.row.insert(all.row.end(), one.row.begin(), one.row.end());
    all.leaf.insert(all.leaf.end(), one.leaf.begin(), one.leaf.end());
    all.share.insert(all.share.end(), one.share.begin(), one.share.end());
  }
  return all;
}

}  // namespace hedgerow

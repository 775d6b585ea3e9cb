// What is known of sets of points.   In: a set's key, depth and splits.   Out: its best tree, or a lower
// bound.
//
// An entry of more depth and splits than requested bounds the cost from below. It is the answer only where
// the search would find the very same tree: for the same depth and splits, and, of trees of up to two levels,
// also where its tree is small enough. Of larger ones it may be another tree of the same cost, and which
// entries there are depends on threads.
#pragma once

#include <array>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "optimal/subset.hpp"

namespace hedgerow::optimal {

class Cache {
 public:
  // `cost` of the answer is infinite where only a lower bound is known.
  Solution look_up(const Key& key, int depth, int64_t splits) {
    Shard& shard = shard_of(key);
    std::lock_guard lock(shard.mutex);
    const auto at = shard.entries.find(key.first);
    Solution known;
    if (at == shard.entries.end()) return known;
    for (const Entry& e : at->second) {
      if (e.second != key.second || e.depth < depth || e.splits < splits) continue;
      known.lower = std::max(known.lower, e.solution.lower);
      const bool same = e.depth <= 2
                            ? depth_of(e.solution.tree) <= depth && splits_of(e.solution.tree) <= splits
                            : e.depth == depth && e.splits == splits;
      if (same && e.solution.cost <= e.solution.lower) return e.solution;
    }
    return known;
  }

  void keep(const Key& key, int depth, int64_t splits, const Solution& solution) {
    Shard& shard = shard_of(key);
    std::lock_guard lock(shard.mutex);
    if (shard.size >= kMost / kShards) return;
    auto& entries = shard.entries[key.first];
    for (Entry& e : entries)
      if (e.second == key.second && e.depth == depth && e.splits == splits) {
        if (solution.lower > e.solution.lower || solution.cost < e.solution.cost) e.solution = solution;
        return;
      }
    entries.push_back({key.second, depth, splits, solution});
    ++shard.size;
  }

 private:
  static constexpr size_t kShards = 64, kMost = size_t{1} << 22;  // about a gigabyte; more are not kept

  struct Entry {
    uint64_t second;
    int depth;
    int64_t splits;
    Solution solution;
  };
  struct Shard {
    std::mutex mutex;
    std::unordered_map<uint64_t, std::vector<Entry>> entries;
    size_t size = 0;
  };

  Shard& shard_of(const Key& key) { return shards_[key.second % kShards]; }

  std::array<Shard, kShards> shards_;
};

}  // namespace hedgerow::optimal

// The best threshold of a column without sorting it: whole weights, classes, Gini.
//
//   keys are counted into buckets of neighbouring codes     | . . | .: | : . | ...
//   between buckets every threshold's gain is known; within one, the gain is convex in what is on the left,
//   so that it is at most what it is at a corner of the bucket's box. Only buckets whose bound is above the
//   best that is known are sorted and looked into: for most columns none, for the best one a few.
//
// `locate` walks the same way to the first threshold that is good enough.
#pragma once

#include <bit>
#include <numeric>

#include "forest/count_scan.hpp"
#include "forest/order.hpp"
#include "forest/sweep.hpp"

namespace hedgerow {

// Two classes: the sums on the left. Scores as in score.hpp.
struct PairState {
  double sum_of_all, weight_of_all;
  double sum = 0, weight = 0;

  static bool above(double sum, double weight, const PairState& s, double best) {
    const double difference = sum * s.weight_of_all - s.sum_of_all * weight;
    return difference * difference > best * (weight * (s.weight_of_all - weight));
  }
  double value() const { return score_of(sum, weight, {sum_of_all, weight_of_all}); }
  bool beats(double best) const { return above(sum, weight, *this, best); }
  // Within a bucket of this content, all of one class first.
  bool may_beat(double ones, double zeros, double best) const {
    return above(sum + ones, weight + ones, *this, best) || above(sum, weight + zeros, *this, best);
  }
};

// Any number of classes: the counts on the left, and the sums of squares on both sides.
struct ManyState {
  const double* whole;
  double* counts;
  double weight_of_all, squares, right, weight;

  void add(uint32_t label, double count) {
    const double here = counts[label], rest = whole[label] - here;
    squares += count * (here + here + count);
    right -= count * (rest + rest - count);
    weight += count;
    counts[label] = here + count;
  }
  double value() const { return squares / weight + right / (weight_of_all - weight); }
  bool beats(double best) const {
    const double rest = weight_of_all - weight;
    return squares * rest + right * weight > best * (weight * rest);
  }
};

class BucketScan {
 public:
  // Up to so many keys, sorting is cheaper (measured).
  static constexpr int64_t few(int n_classes) { return n_classes == 2 ? 128 : 256; }

  // The largest gain if it is above `floor`; else minus infinity.
  template <class Key>
  double largest(const KeyRange<Key>& range, const NodeStats& node, TagLayout tag, double floor) {
    const double start = merit_above(node, floor);
    const double best = node.moments.size() == 2 ? largest_pair(range, node, tag, start)
                                                 : largest_many(range, node, tag, start);
    return best > start ? gain_of_merit(node, best) : -kInfinity;
  }

  template <class Key>
  void locate(const KeyRange<Key>& range, const NodeStats& node, TagLayout tag, double gain, CountCut& cut) {
    const double start = merit_to_find(node, gain);
    const Key first_right =
        node.moments.size() == 2 ? find_pair(range, node, tag, start) : find_many(range, node, tag, start);
    cut_at(range, tag, first_right, cut);
  }

 private:
  // --- buckets
  template <class Key>
  void lay_out(const KeyRange<Key>& range, int tag_bits, int64_t keys_a_bucket) {
    const auto codes = static_cast<int64_t>((range.high >> tag_bits) - (range.low >> tag_bits)) + 1;
    shift_ = tag_bits;
    if (8 * codes > 3 * range.n)
      shift_ += std::bit_width(static_cast<uint64_t>(codes * keys_a_bucket / range.n));
    buckets_ = static_cast<int64_t>((range.high >> shift_) - (range.low >> shift_)) + 1;
    divided_ = shift_ > tag_bits;
  }

  template <class Key>
  void count_pair(const KeyRange<Key>& range, TagLayout tag) {
    lay_out(range, tag.bits(), 6);
    pair_.assign(buckets_, 0);
    const Key first = range.low >> shift_;
    uint64_t* pair = pair_.data();
    const Key* keys = range.keys;
    for (int64_t i = 0; i < range.n; ++i) {
      const uint64_t count = tag.count(keys[i]);
      pair[(keys[i] >> shift_) - first] += count << 32 | (count & (uint64_t{0} - tag.label(keys[i])));
    }
  }

  // Counted, then swept: `many_` has what is on the left of each bucket.
  template <class Key>
  void sweep_many(const KeyRange<Key>& range, const NodeStats& node, TagLayout tag) {
    lay_out(range, tag.bits(), 3);
    const int label_bits = tag.label_bits;
    many_.assign(buckets_ << label_bits, 0);
    const Key first = range.low >> shift_;
    const Key* keys = range.keys;
    uint32_t* many = many_.data();
    for (int64_t i = 0; i < range.n; ++i) {
      const Key key = keys[i];
      many[static_cast<int64_t>((key >> shift_) - first) << label_bits | tag.label(key)] += tag.count(key);
    }
    whole_.assign(size_t{1} << label_bits, 0);
    for (size_t k = 0; k < node.moments.size(); ++k) whole_[k] = static_cast<uint32_t>(node.moments[k]);
    sweep_classes(many, buckets_, 1 << label_bits, whole_.data(), swept_);
  }

  // The keys of the buckets in `open_`, sorted.
  template <class Key>
  const Key* pick(const KeyRange<Key>& range, int tag_bits) {
    auto& p = picked<Key>();
    if (static_cast<int64_t>(p.a.size()) < range.n + kKeyPadding) {
      p.a.resize(range.n + kKeyPadding);
      p.b.resize(range.n + kKeyPadding);
    }
    is_open_.assign(buckets_, 0);
    for (const int64_t b : open_) is_open_[b] = 1;
    const Key first = range.low >> shift_;
    Key low = std::numeric_limits<Key>::max(), high = 0;
    int64_t m = 0;
    Key* to = p.a.data();
    for (int64_t i = 0; i < range.n; ++i) {
      const Key key = range.keys[i];
      to[m] = key;
      m += is_open_[(key >> shift_) - first];
    }
    for (int64_t i = 0; i < m; ++i) {
      low = std::min(low, to[i]);
      high = std::max(high, to[i]);
    }
    n_picked_ = m;
    return p.sort(to, m, p.b.data(), low, high, tag_bits);
  }

  // --- two classes
  static double ones_of(uint64_t pair) { return static_cast<double>(static_cast<uint32_t>(pair)); }
  static double weight_of(uint64_t pair) { return static_cast<double>(pair >> 32); }

  // On the left of all buckets: what is in none of them.
  PairState pair_state(const NodeStats& node) const {
    const uint64_t inside = std::accumulate(pair_.begin(), pair_.end(), uint64_t{0});
    const double sum = node.moments[1], weight = node.weight;
    return {sum, weight, sum - ones_of(inside), weight - weight_of(inside)};
  }

  template <class Key>
  double largest_pair(const KeyRange<Key>& range, const NodeStats& node, TagLayout tag, double best) {
    count_pair(range, tag);
    PairState state = pair_state(node);
    best = best_between_pairs(state, best);
    if (!divided_ || !open_pairs(state, best)) return best;
    const Key* key = pick(range, tag.bits());
    int64_t b = 0;
    const Key *end = key + n_picked_, first = range.low >> shift_;
    for (const int64_t open : open_) {
      for (; b < open; ++b) add(state, pair_[b]);
      b = open + 1;
      for (const Key* before = nullptr; key != end && static_cast<int64_t>((*key >> shift_) - first) == open;
           before = key++) {
        if (before && (*key ^ *before) >> tag.bits() && state.beats(best))
          best = std::max(best, state.value());
        add(state, *key, tag);
      }
    }
    return best;
  }

  static void add(PairState& state, uint64_t pair) {
    state.sum += ones_of(pair);
    state.weight += weight_of(pair);
  }
  template <class Key>
  static void add(PairState& state, Key key, TagLayout tag) {
    const double count = tag.count(key);
    state.sum += tag.label(key) ? count : 0.0;
    state.weight += count;
  }

  double best_between_pairs(PairState state, double best) {
    int64_t m = 0;
    sum_.resize(buckets_);
    weight_.resize(buckets_);
    auto sum = static_cast<int32_t>(state.sum), weight = static_cast<int32_t>(state.weight);
    for (int64_t b = 0; b < buckets_; ++b) {
      sum_[m] = sum;
      weight_[m] = weight;
      m += pair_[b] != 0 && weight != 0;
      sum += static_cast<int32_t>(static_cast<uint32_t>(pair_[b]));
      weight += static_cast<int32_t>(pair_[b] >> 32);
    }
    return largest_score(sum_.data(), weight_.data(), m, {state.sum_of_all, state.weight_of_all}, best);
  }

  bool open_pairs(PairState state, double best) {
    open_.clear();
    for (int64_t b = 0; b < buckets_; ++b) {
      const uint64_t pair = pair_[b];
      if (!pair) continue;
      const double ones = ones_of(pair), weight = weight_of(pair);
      if (state.may_beat(ones, weight - ones, best)) open_.push_back(b);
      state.sum += ones;
      state.weight += weight;
    }
    return !open_.empty();
  }

  // The key of the first row on the right of the first threshold that beats `wanted`; `left_` has what is on
  // its left.
  template <class Key>
  Key find_pair(const KeyRange<Key>& range, const NodeStats& node, TagLayout tag, double wanted) {
    count_pair(range, tag);
    PairState state = pair_state(node);
    open_.clear();
    if (divided_) open_pairs(state, wanted);
    const Key* key = open_.empty() ? nullptr : pick(range, tag.bits());
    const Key *end = key + (open_.empty() ? 0 : n_picked_), first = range.low >> shift_;
    size_t next = 0;
    for (int64_t b = 0; b < buckets_; ++b) {
      if (!pair_[b]) continue;
      if (state.weight > 0 && state.beats(wanted)) {
        left_ = {state.weight - state.sum, state.sum};
        return (first + static_cast<Key>(b)) << shift_;
      }
      if (next == open_.size() || open_[next] != b) {
        add(state, pair_[b]);
        continue;
      }
      ++next;
      for (const Key* before = nullptr; key != end && static_cast<int64_t>((*key >> shift_) - first) == b;
           before = key++) {
        if (before && (*key ^ *before) >> tag.bits() && state.beats(wanted)) {
          left_ = {state.weight - state.sum, state.sum};
          return *key;
        }
        add(state, *key, tag);
      }
    }
    throw std::logic_error("a threshold was lost");
  }

  // --- many classes
  // Before bucket `entry` of those that are not empty.
  ManyState many_state(const NodeStats& node, int64_t entry, TagLayout tag) {
    const uint32_t* counts = many_.data() + (swept_.bucket[entry] << tag.label_bits);
    left_.assign(counts, counts + node.moments.size());
    return {node.moments.data(), left_.data(),        node.weight,
            swept_.left[entry],  swept_.right[entry], swept_.weight[entry]};
  }

  bool open_many(const NodeStats& node, double best) {
    bound_within(swept_, node.weight, best);
    open_.clear();
    open_entry_.clear();
    for (int64_t i = 0; i < swept_.size; ++i)
      if (swept_.excess[i] > 0) {
        open_.push_back(swept_.bucket[i]);
        open_entry_.push_back(i);
      }
    return !open_.empty();
  }

  // The keys of one bucket; calls at(key, state) at each threshold within it until that says stop.
  template <class Key, class At>
  void walk_within(const Key*& key, const Key* end, int64_t bucket, Key first, TagLayout tag,
                   ManyState& state, At at) const {
    for (const Key* before = nullptr; key != end && static_cast<int64_t>((*key >> shift_) - first) == bucket;
         before = key++) {
      if (before && (*key ^ *before) >> tag.bits() && at(*key)) return;
      state.add(tag.label(*key), tag.count(*key));
    }
  }

  template <class Key>
  double largest_many(const KeyRange<Key>& range, const NodeStats& node, TagLayout tag, double best) {
    sweep_many(range, node, tag);
    const int64_t from = swept_.weight[0] > 0 ? 0 : 1;
    best = largest_ratio(swept_.left.data() + from, swept_.right.data() + from, swept_.weight.data() + from,
                         swept_.size - from, node.weight, best);
    if (!divided_ || !open_many(node, best)) return best;
    const Key* key = pick(range, tag.bits());
    const Key *end = key + n_picked_, first = range.low >> shift_;
    for (size_t k = 0; k < open_.size(); ++k) {
      ManyState state = many_state(node, open_entry_[k], tag);
      walk_within(key, end, open_[k], first, tag, state, [&](Key) {
        if (state.beats(best)) best = std::max(best, state.value());
        return false;
      });
    }
    return best;
  }

  template <class Key>
  Key find_many(const KeyRange<Key>& range, const NodeStats& node, TagLayout tag, double wanted) {
    sweep_many(range, node, tag);
    const bool any_open = divided_ && open_many(node, wanted);
    const Key* key = any_open ? pick(range, tag.bits()) : nullptr;
    const Key *end = key + (any_open ? n_picked_ : 0), first = range.low >> shift_;
    size_t next = 0;
    for (int64_t i = 0; i < swept_.size; ++i) {
      const double weight = swept_.weight[i], rest = node.weight - weight;
      if (weight > 0 && swept_.left[i] * rest + swept_.right[i] * weight > wanted * (weight * rest)) {
        many_state(node, i, tag);
        return (first + static_cast<Key>(swept_.bucket[i])) << shift_;
      }
      if (!any_open || next == open_.size() || open_entry_[next] != i) continue;
      ManyState state = many_state(node, i, tag);
      const Key* found = nullptr;
      walk_within(key, end, open_[next++], first, tag, state, [&](const Key& here) {
        found = state.beats(wanted) ? &here : nullptr;
        return found != nullptr;
      });
      if (found) return *found;
    }
    throw std::logic_error("a threshold was lost");
  }

  // The rows on the left of a key's code, and the codes on both sides of the threshold.
  template <class Key>
  void cut_at(const KeyRange<Key>& range, TagLayout tag, Key first_right, CountCut& cut) {
    const KeysBeside<Key> found =
        find_beside(range.keys, range.n, static_cast<Key>(first_right >> tag.bits() << tag.bits()));
    cut.position = range.left_out + found.rows;
    cut.left = left_;
    cut.low_code = found.rows ? static_cast<uint32_t>(found.below >> tag.bits()) : range.lowest;
    cut.high_code = static_cast<uint32_t>(found.above >> tag.bits());
  }

  template <class Key>
  struct Picked {
    std::vector<Key> a, b;
    KeySorter<Key> sort;
  };
  template <class Key>
  Picked<Key>& picked() {
    if constexpr (sizeof(Key) == 4)
      return narrow_;
    else
      return wide_;
  }

  int shift_ = 0;
  int64_t buckets_ = 0, n_picked_ = 0;
  bool divided_ = false;
  std::vector<uint64_t> pair_;  // by bucket: [weight | weight of the second class]
  std::vector<uint32_t> many_;  // by bucket and class
  std::vector<uint32_t> whole_;
  Swept swept_;
  std::vector<int32_t> sum_, weight_;
  std::vector<int64_t> open_, open_entry_;
  std::vector<uint8_t> is_open_;
  std::vector<double> left_;
  Picked<uint32_t> narrow_;
  Picked<uint64_t> wide_;
};

}  // namespace hedgerow

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

#include "forest/count_scan.hpp"
#include "forest/order.hpp"

namespace hedgerow {

template <class Key>
struct KeyRange {
  const Key* keys;
  int64_t n;
  Key low, high;
};

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

// Any number of classes: the counts on the left, their squares, their products with the node's counts.
struct ManyState {
  const double* whole;
  int n_classes;
  double* left;  // counts
  double all_squares, weight_of_all;
  double squares = 0, products = 0, weight = 0;

  void add(uint32_t label, double count) {
    const double here = left[label];
    squares += count * (here + here + count);
    products += count * whole[label];
    weight += count;
    left[label] = here + count;
  }
  double right_squares() const { return all_squares - 2 * products + squares; }
  double value() const { return squares / weight + right_squares() / (weight_of_all - weight); }
  bool beats(double best) const {
    const double rest = weight_of_all - weight;
    return squares * rest + right_squares() * weight > best * (weight * rest);
  }
};

class BucketScan {
 public:
  static constexpr int64_t kFew = 48;  // below, sorting is cheaper

  // The largest gain if it is above `floor`; else minus infinity.
  template <class Key>
  double largest(const KeyRange<Key>& range, const Standing& node, TagLayout tag, double floor) {
    if (node.moments.size() == 2) {
      const double factor = 2.0 / node.weight, start = floor > -kInfinity ? floor / factor : -1.0;
      const double best = largest_pair(range, node, tag, start);
      return best > start ? best * factor : -kInfinity;
    }
    const double start = floor > -kInfinity ? floor + node.merit : -1.0;
    const double best = largest_many(range, node, tag, start);
    return best > start ? best - node.merit : -kInfinity;
  }

  template <class Key>
  void locate(const KeyRange<Key>& range, const Standing& node, TagLayout tag, double gain, CountCut& cut) {
    const double wanted = gain - node.tie();
    const double floor = node.moments.size() == 2 ? wanted / (2.0 / node.weight) : wanted + node.merit;
    // Just below what is wanted, so that whatever reaches it is above.
    const double start = floor - std::abs(floor) * 1e-15;
    const Key first_right =
        node.moments.size() == 2 ? find_pair(range, node, tag, start) : find_many(range, node, tag, start);
    cut_at(range, tag, first_right, cut, static_cast<int>(node.moments.size()));
  }

 private:
  // --- buckets
  template <class Key>
  void lay_out(const KeyRange<Key>& range, int tag_bits) {
    const auto codes = static_cast<int64_t>((range.high >> tag_bits) - (range.low >> tag_bits)) + 1;
    shift_ = tag_bits;
    if (8 * codes > 3 * range.n) shift_ += std::bit_width(static_cast<uint64_t>(codes * 6 / range.n));
    buckets_ = static_cast<int64_t>((range.high >> shift_) - (range.low >> shift_)) + 1;
    divided_ = shift_ > tag_bits;
  }

  template <class Key>
  void count_pair(const KeyRange<Key>& range, TagLayout tag) {
    lay_out(range, tag.bits());
    pair_.assign(buckets_, 0);
    const Key first = range.low >> shift_;
    uint64_t* pair = pair_.data();
    const Key* keys = range.keys;
    for (int64_t i = 0; i < range.n; ++i) {
      const uint64_t count = tag.count(keys[i]);
      pair[(keys[i] >> shift_) - first] += count << 32 | (count & (uint64_t{0} - tag.label(keys[i])));
    }
  }

  template <class Key>
  void count_many(const KeyRange<Key>& range, TagLayout tag, int n_classes) {
    lay_out(range, tag.bits());
    many_.assign(buckets_ * n_classes, 0);
    const Key first = range.low >> shift_;
    for (int64_t i = 0; i < range.n; ++i) {
      const Key key = range.keys[i];
      many_[static_cast<int64_t>((key >> shift_) - first) * n_classes + tag.label(key)] += tag.count(key);
    }
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

  PairState pair_state(const Standing& node) const { return {node.moments[1], node.weight}; }

  template <class Key>
  double largest_pair(const KeyRange<Key>& range, const Standing& node, TagLayout tag, double best) {
    count_pair(range, tag);
    best = best_between_pairs(pair_state(node), best);
    if (!divided_ || !open_pairs(pair_state(node), best)) return best;
    const Key* key = pick(range, tag.bits());
    PairState state = pair_state(node);
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
    int32_t sum = 0, weight = 0;
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

  // The key of the first row on the right of the first threshold that beats `wanted`.
  template <class Key>
  Key find_pair(const KeyRange<Key>& range, const Standing& node, TagLayout tag, double wanted) {
    count_pair(range, tag);
    open_.clear();
    if (divided_) open_pairs(pair_state(node), wanted);
    const Key* key = open_.empty() ? nullptr : pick(range, tag.bits());
    const Key *end = key + (open_.empty() ? 0 : n_picked_), first = range.low >> shift_;
    PairState state = pair_state(node);
    size_t next = 0;
    for (int64_t b = 0; b < buckets_; ++b) {
      if (!pair_[b]) continue;
      if (state.weight > 0 && state.beats(wanted)) return (first + static_cast<Key>(b)) << shift_;
      if (next == open_.size() || open_[next] != b) {
        add(state, pair_[b]);
        continue;
      }
      ++next;
      for (const Key* before = nullptr; key != end && static_cast<int64_t>((*key >> shift_) - first) == b;
           before = key++) {
        if (before && (*key ^ *before) >> tag.bits() && state.beats(wanted)) return *key;
        add(state, *key, tag);
      }
    }
    throw std::logic_error("a threshold was lost");
  }

  // --- many classes
  ManyState many_state(const Standing& node) {
    const auto k = static_cast<int>(node.moments.size());
    left_.assign(k, 0.0);
    ManyState state{node.moments.data(), k, left_.data(), 0.0, node.weight};
    for (const double m : node.moments) state.all_squares += m * m;
    return state;
  }

  void add_bucket(ManyState& state, int64_t b) const {
    const uint32_t* counts = many_.data() + b * state.n_classes;
    for (int k = 0; k < state.n_classes; ++k)
      if (counts[k]) state.add(k, counts[k]);
  }

  bool is_empty(int64_t b, int n_classes) const {
    const uint32_t* counts = many_.data() + b * n_classes;
    uint32_t any = 0;
    for (int k = 0; k < n_classes; ++k) any |= counts[k];
    return any == 0;
  }

  // Adds the bucket. True if a threshold within it may beat `best`: with u of its weight on the left,
  //   squares <= before + 2 u (largest count of its classes) + u^2, and likewise on the right;
  // the sum of both shares is convex in u, so that it is largest at an end.
  bool add_and_ask(ManyState& state, int64_t b, double best) const {
    const uint32_t* counts = many_.data() + b * state.n_classes;
    const double squares = state.squares, weight = state.weight;
    double most_left = 0, most_right = 0;
    for (int k = 0; k < state.n_classes; ++k) {
      if (!counts[k]) continue;
      most_left = std::max(most_left, state.left[k]);
      state.add(k, counts[k]);
      most_right = std::max(most_right, state.whole[k] - state.left[k]);
    }
    const double u = state.weight - weight, rest = state.weight_of_all - state.weight;
    const double right = state.right_squares();
    const double all_left =
        (squares + 2 * most_left * u + u * u) / (weight + u) + (rest > 0 ? right / rest : 0.0);
    const double all_right =
        (weight > 0 ? squares / weight : 0.0) + (right + 2 * most_right * u + u * u) / (rest + u);
    return std::max(all_left, all_right) > best;
  }

  template <class Key>
  double largest_many(const KeyRange<Key>& range, const Standing& node, TagLayout tag, double best) {
    const auto k = static_cast<int>(node.moments.size());
    count_many(range, tag, k);
    ManyState state = many_state(node);
    for (int64_t b = 0; b < buckets_; ++b) {
      if (is_empty(b, k)) continue;
      if (state.weight > 0 && state.beats(best)) best = std::max(best, state.value());
      add_bucket(state, b);
    }
    if (!divided_ || !open_many(node, best)) return best;
    const Key* key = pick(range, tag.bits());
    const Key *end = key + n_picked_, first = range.low >> shift_;
    state = many_state(node);
    int64_t b = 0;
    for (const int64_t open : open_) {
      for (; b < open; ++b) add_bucket(state, b);
      b = open + 1;
      for (const Key* before = nullptr; key != end && static_cast<int64_t>((*key >> shift_) - first) == open;
           before = key++) {
        if (before && (*key ^ *before) >> tag.bits() && state.beats(best))
          best = std::max(best, state.value());
        state.add(tag.label(*key), tag.count(*key));
      }
    }
    return best;
  }

  bool open_many(const Standing& node, double best) {
    open_.clear();
    ManyState state = many_state(node);
    for (int64_t b = 0; b < buckets_; ++b)
      if (!is_empty(b, state.n_classes) && add_and_ask(state, b, best)) open_.push_back(b);
    return !open_.empty();
  }

  template <class Key>
  Key find_many(const KeyRange<Key>& range, const Standing& node, TagLayout tag, double wanted) {
    const auto k = static_cast<int>(node.moments.size());
    count_many(range, tag, k);
    open_.clear();
    if (divided_) open_many(node, wanted);
    const Key* key = open_.empty() ? nullptr : pick(range, tag.bits());
    const Key *end = key + (open_.empty() ? 0 : n_picked_), first = range.low >> shift_;
    ManyState state = many_state(node);
    size_t next = 0;
    for (int64_t b = 0; b < buckets_; ++b) {
      if (is_empty(b, k)) continue;
      if (state.weight > 0 && state.beats(wanted)) return (first + static_cast<Key>(b)) << shift_;
      if (next == open_.size() || open_[next] != b) {
        add_bucket(state, b);
        continue;
      }
      ++next;
      for (const Key* before = nullptr; key != end && static_cast<int64_t>((*key >> shift_) - first) == b;
           before = key++) {
        if (before && (*key ^ *before) >> tag.bits() && state.beats(wanted)) return *key;
        state.add(tag.label(*key), tag.count(*key));
      }
    }
    throw std::logic_error("a threshold was lost");
  }

  // What is on the left of a key's code, and the codes on both sides of the threshold.
  template <class Key>
  void cut_at(const KeyRange<Key>& range, TagLayout tag, Key first_right, CountCut& cut, int n_classes) {
    const Key bound = first_right >> tag.bits() << tag.bits();
    Key below = 0, above = std::numeric_limits<Key>::max();
    int64_t rows = 0;
    sides_.assign(2 * n_classes, 0);
    for (int64_t i = 0; i < range.n; ++i) {
      const Key key = range.keys[i];
      const bool left = key < bound;
      below = left && key > below ? key : below;
      above = !left && key < above ? key : above;
      rows += left;
      sides_[tag.label(key) + (left ? 0 : n_classes)] += tag.count(key);
    }
    cut.position = rows;
    cut.left.assign(sides_.begin(), sides_.begin() + n_classes);
    cut.low_code = static_cast<uint32_t>(below >> tag.bits());
    cut.high_code = static_cast<uint32_t>(above >> tag.bits());
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
  std::vector<int32_t> sum_, weight_;
  std::vector<int64_t> open_;
  std::vector<uint8_t> is_open_;
  std::vector<double> left_;
  std::vector<int64_t> sides_;
  Picked<uint32_t> narrow_;
  Picked<uint64_t> wide_;
};

}  // namespace hedgerow

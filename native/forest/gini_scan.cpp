#include "forest/gini_scan.hpp"

#include "common/simd.hpp"

namespace hedgerow {
namespace {

constexpr double kSmall = 1 << 15;  // weights below have squares below 2^30

// The largest merit of n thresholds, or `best`. As in largest_score (score.hpp): asked multiplied out first,
// divided only where the answer is yes. Sums behind the last are overwritten: lanes are always full.
template <class Number>
HEDGEROW_INLINE double largest_merit(RightSums<Number>& s, int64_t n, double all, double total, double best) {
  constexpr int kWide = 8;
  if (n == 0) return best;
  const int64_t end = (n + kWide - 1) / kWide * kWide;
  for (int64_t i = n; i < end; ++i) {
    s.squares[i] = s.squares[n - 1];
    s.products[i] = s.products[n - 1];
    s.weight[i] = s.weight[n - 1];
  }
  const Number *squares = s.squares.data(), *products = s.products.data(), *weight = s.weight.data();
  double excess[kWide] = {};
  for (int64_t i = 0; i < end; i += kWide)
    for (int lane = 0; lane < kWide; ++lane) {
      const double w = weight[i + lane], rest = total - w, right = squares[i + lane];
      const double left = all - 2 * static_cast<double>(products[i + lane]) + right;
      const double more = left * w + right * rest - best * (w * rest);
      excess[lane] = more > excess[lane] ? more : excess[lane];
    }
  bool any = best < 0;
  for (int lane = 0; lane < kWide; ++lane) any |= excess[lane] > 0;
  if (!any) return best;
  double most[kWide];
  for (int lane = 0; lane < kWide; ++lane) most[lane] = best;
  for (int64_t i = 0; i < end; i += kWide)
    for (int lane = 0; lane < kWide; ++lane) {
      const double w = weight[i + lane], right = squares[i + lane];
      const double left = all - 2 * static_cast<double>(products[i + lane]) + right;
      const double merit = left / (total - w) + right / w;
      most[lane] = merit > most[lane] ? merit : most[lane];
    }
  for (int lane = 0; lane < kWide; ++lane) best = most[lane] > best ? most[lane] : best;
  return best;
}

HEDGEROW_CLONES
double largest_of_block(RightSums<int32_t>& s, int64_t n, double all, double total, double best) {
  return largest_merit(s, n, all, total, best);
}
HEDGEROW_CLONES
double largest_of_block(RightSums<double>& s, int64_t n, double all, double total, double best) {
  return largest_merit(s, n, all, total, best);
}

// Calls at(n) for each block of thresholds, from the highest down; sums.write(n) has noted what is on the
// right of each, and place[n] the first key on its right.
template <class Key, class Sums, class At>
HEDGEROW_INLINE void walk_down(const KeyRange<Key>& range, TagLayout tag, int64_t least, Sums& sums,
                               int32_t* place, At at) {
  const Key* keys = range.keys;
  const int bits = tag.bits();
  const int64_t end =
      std::max<int64_t>(0, least - range.left_out);  // no threshold has fewer keys on its left
  int64_t i = range.n;
  for (int64_t k = 1; k < least && i > 0; ++k) sums.add(keys[--i]);
  while (i > end) {
    const int64_t stop = std::max(end, i - kBlock);
    int64_t n = 0;
    auto step = [&] {
      sums.add(keys[--i]);
      sums.write(n);
      place[n] = static_cast<int32_t>(i);
    };
    while (i > std::max<int64_t>(stop, 1)) {
      step();
      n += ((keys[i] ^ keys[i - 1]) >> bits) != 0;
    }
    if (i > stop) {  // all keys are on the right, on the left is what was left out
      step();
      ++n;
    }
    at(n);
  }
}

}  // namespace

// Two classes: as in score.hpp.
struct GiniScan::Pair {
  RightSums<int32_t>& s;
  TagLayout tag;
  ScoreTotals total;
  int32_t sum = 0, weight = 0;

  template <class Key>
  void add(Key key) {
    const auto count = static_cast<int32_t>(tag.count(key));
    sum += count & -static_cast<int32_t>(tag.label(key));
    weight += count;
  }
  void write(int64_t n) const {
    s.squares[n] = sum;
    s.weight[n] = weight;
  }
  double largest(int64_t n, double best) const {
    return largest_score(s.squares.data(), s.weight.data(), n, total, best);
  }
  bool beats(int64_t i, double best) const {
    const auto sum_here = static_cast<double>(s.squares[i]), w = static_cast<double>(s.weight[i]);
    const double difference = sum_here * total.weight - total.sum * w;
    return difference * difference > best * (w * (total.weight - w));
  }
};

// Adding c to a count x adds c (2 x + c) to its square.
template <class Number>
struct GiniScan::Many {
  RightSums<Number>& s;
  TagLayout tag;
  double all = 0, total = 0;  // the node's: sum of squares, weight
  Number squares = 0, products = 0, weight = 0;

  Many(RightSums<Number>& s, const NodeStats& node, TagLayout tag) : s(s), tag(tag), total(node.weight) {
    const size_t classes = node.moments.size();
    if (s.counts.size() < classes) {
      s.counts.resize(classes);
      s.whole.resize(classes);
    }
    for (size_t k = 0; k < classes; ++k) {
      s.counts[k] = 0;
      s.whole[k] = static_cast<Number>(node.moments[k]);
      all += node.moments[k] * node.moments[k];
    }
  }
  template <class Key>
  void add(Key key) {
    const auto c = static_cast<Number>(tag.count(key));
    const uint32_t label = tag.label(key);
    const Number here = s.counts[label];
    squares += c * (here + here + c);
    products += c * s.whole[label];
    weight += c;
    s.counts[label] = here + c;
  }
  void write(int64_t n) const {
    s.squares[n] = squares;
    s.products[n] = products;
    s.weight[n] = weight;
  }
  double largest(int64_t n, double best) const { return largest_of_block(s, n, all, total, best); }
  bool beats(int64_t i, double best) const {
    const double w = s.weight[i], rest = total - w, right = s.squares[i];
    const double left = all - 2 * static_cast<double>(s.products[i]) + right;
    return left * w + right * rest > best * (w * rest);
  }
};

template <class Work>
HEDGEROW_INLINE auto GiniScan::with_sums(const NodeStats& node, TagLayout tag, Work work) {
  if (node.moments.size() == 2) {
    Pair sums{small_, tag, {node.moments[1], node.weight}};
    return work(sums);
  }
  if (node.weight < kSmall) {
    Many<int32_t> sums(small_, node, tag);
    return work(sums);
  }
  Many<double> sums(large_, node, tag);
  return work(sums);
}

template <class Key, class Sums>
HEDGEROW_INLINE double GiniScan::largest_of(const KeyRange<Key>& sorted, TagLayout tag, int64_t least,
                                            Sums& sums, double best) {
  walk_down(sorted, tag, least, sums, place_.data(), [&](int64_t n) { best = sums.largest(n, best); });
  return best;
}

// The first key on the right of the lowest threshold that beats `wanted`; -1: none does.
template <class Key, class Sums>
HEDGEROW_INLINE int64_t GiniScan::find(const KeyRange<Key>& sorted, TagLayout tag, int64_t least, Sums& sums,
                                       double wanted) {
  int64_t found = -1;
  walk_down(sorted, tag, least, sums, place_.data(), [&](int64_t n) {
    while (n-- > 0)
      if (sums.beats(n, wanted)) {
        found = place_[n];
        return;
      }
  });
  return found;
}

template <class Key>
double GiniScan::largest(const KeyRange<Key>& sorted, const NodeStats& node, TagLayout tag, int64_t least,
                         double floor) {
  const double start = merit_above(node, floor);
  const double best =
      with_sums(node, tag, [&](auto& sums) { return largest_of(sorted, tag, least, sums, start); });
  return best > start ? gain_of_merit(node, best) : -kInfinity;
}

template <class Key>
void GiniScan::locate(const KeyRange<Key>& sorted, const NodeStats& node, TagLayout tag, int64_t least,
                      double gain, CountCut& cut) {
  const double wanted = merit_to_find(node, gain);
  const int64_t first =
      with_sums(node, tag, [&](auto& sums) { return find(sorted, tag, least, sums, wanted); });
  cut.position = 0;
  if (first < 0) return;
  cut.left = node.moments;
  for (int64_t i = first; i < sorted.n; ++i) cut.left[tag.label(sorted.keys[i])] -= tag.count(sorted.keys[i]);
  cut.position = sorted.left_out + first;
  cut.low_code = first ? static_cast<uint32_t>(sorted.keys[first - 1] >> tag.bits()) : sorted.lowest;
  cut.high_code = static_cast<uint32_t>(sorted.keys[first] >> tag.bits());
}

template double GiniScan::largest(const KeyRange<uint32_t>&, const NodeStats&, TagLayout, int64_t, double);
template double GiniScan::largest(const KeyRange<uint64_t>&, const NodeStats&, TagLayout, int64_t, double);
template void GiniScan::locate(const KeyRange<uint32_t>&, const NodeStats&, TagLayout, int64_t, double,
                               CountCut&);
template void GiniScan::locate(const KeyRange<uint64_t>&, const NodeStats&, TagLayout, int64_t, double,
                               CountCut&);

}  // namespace hedgerow

// The answers of one criterion (count_scan.hpp), compiled in the criterion's own unit.
#pragma once

#include "forest/count_scan.hpp"
#include "grow/criterion.hpp"

namespace hedgerow {

template <Criterion Rule>
class CountScanOf final : public CountScan {
 public:
  CountScanOf(const Limits& limits, const MomentContext& context) : limits_(limits), context_(context) {}

  double largest(const uint32_t* keys, const NodeStats& node, TagLayout tag, double floor,
                 CountScratch& s) const override {
    return find_largest(keys, node, tag, floor, s);
  }
  double largest(const uint64_t* keys, const NodeStats& node, TagLayout tag, double floor,
                 CountScratch& s) const override {
    return find_largest(keys, node, tag, floor, s);
  }
  void locate(const uint32_t* keys, const NodeStats& node, TagLayout tag, double gain, CountScratch& s,
              CountCut& cut) const override {
    find(keys, node, tag, gain, s, cut);
  }
  void locate(const uint64_t* keys, const NodeStats& node, TagLayout tag, double gain, CountScratch& s,
              CountCut& cut) const override {
    find(keys, node, tag, gain, s, cut);
  }

 private:
  template <class Key>
  void find(const Key* keys, const NodeStats& node, TagLayout tag, double gain, CountScratch& s,
            CountCut& cut) const {
    const int64_t n = node.rows();
    cut.left.assign(context_.n_moments, 0.0);
    cut.position = 0;
    const double wanted = gain - node.tie();
    double weight = 0;
    for (int64_t i = 0; i < n; ++i) {
      const Key key = keys[i];
      if (i >= first_place() && i <= last_place(n) && (key ^ keys[i - 1]) >> tag.bits()) {
        if (gain_at(cut.left.data(), weight, node, s) >= wanted) {
          cut.position = i;
          cut.low_code = static_cast<uint32_t>(keys[i - 1] >> tag.bits());
          cut.high_code = static_cast<uint32_t>(key >> tag.bits());
          return;
        }
      }
      cut.left[tag.label(key)] += tag.count(key);
      weight += tag.count(key);
    }
  }

  int64_t first_place() const { return std::max<int64_t>(1, limits_.min_rows_leaf); }
  int64_t last_place(int64_t n) const { return std::min(n - 1, n - limits_.min_rows_leaf); }

  template <class Key>
  double find_largest(const Key* keys, const NodeStats& node, TagLayout tag, double floor,
                      CountScratch& s) const {
    const int64_t n = node.rows(), first = first_place(), last = last_place(n);
    const double start = floor + node.merit;
    double best = start;
    Sums sums(*this, node, s);
    int64_t i = 0;
    for (; i < std::min(first, n); ++i) sums.add(tag.label(keys[i]), tag.count(keys[i]));
    while (i <= last) {
      const int64_t stop = std::min(last + 1, i + kBlock);
      int64_t m = 0;
      for (; i < stop; ++i) {
        const Key key = keys[i];
        sums.write(m);
        m += ((key ^ keys[i - 1]) >> tag.bits()) != 0;
        sums.add(tag.label(key), tag.count(key));
      }
      best = sums.largest(m, best);
    }
    return best > start ? best - node.merit : -kInfinity;
  }

  // Running sums of terms.
  struct Sums {
    const MomentContext& context;
    const NodeStats& node;
    CountScratch& s;
    double left = 0, right = 0, weight = 0;

    Sums(const CountScanOf& scan, const NodeStats& node, CountScratch& s)
        : context(scan.context_), node(node), s(s) {
      s.counts.assign(context.n_moments, 0);
      for (const double m : node.moments) right += Rule::term(m, context);
    }
    void add(uint32_t label, uint32_t count) {
      const double here = static_cast<double>(s.counts[label]), whole = node.moments[label];
      const double c = count;
      left += Rule::term(here + c, context) - Rule::term(here, context);
      right += Rule::term(whole - here - c, context) - Rule::term(whole - here, context);
      s.counts[label] += count;
      weight += c;
    }
    void write(int64_t m) {
      s.mass[m] = weight;
      s.left[m] = left;
      s.right[m] = right;
    }
    double largest(int64_t m, double best) const {
      for (int64_t k = 0; k < m; ++k) {
        const double merit = Rule::finish(s.left[k], s.mass[k], context) +
                             Rule::finish(s.right[k], node.weight - s.mass[k], context);
        best = merit > best ? merit : best;
      }
      return best;
    }
  };

  double gain_at(const double* left, double weight, const NodeStats& node, CountScratch& s) const {
    s.rest.resize(context_.n_moments);
    for (int k = 0; k < context_.n_moments; ++k) s.rest[k] = node.moments[k] - left[k];
    return Rule::merit(left, weight, context_) + Rule::merit(s.rest.data(), node.weight - weight, context_) -
           node.merit;
  }

  const Limits& limits_;
  const MomentContext context_;
};

}  // namespace hedgerow

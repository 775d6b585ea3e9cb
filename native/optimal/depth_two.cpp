#include "optimal/depth_two.hpp"

#include "optimal/bits.hpp"
#include "optimal/pair_sums.hpp"
#include "optimal/reward.hpp"

namespace hedgerow::optimal {
namespace {

constexpr int64_t kWork = 1 << 21;  // words between two looks at the clock

// Of each root: the best second question on each side, by what the two leaves there save.
struct Sides {
  double yes = -kInfinite, no = -kInfinite;
  int at_yes = -1, at_no = -1;

  void offer(int question, double saved_yes, double saved_no) {
    if (saved_yes > yes) yes = saved_yes, at_yes = question;
    if (saved_no > no) no = saved_no, at_no = question;
  }
};

template <class Reward>
class DepthTwo {
 public:
  DepthTwo(const Points& points, const Subset& subset)
      : points_(points),
        subset_(subset),
        reward_(points.problem()),
        channels_(points.problem().n_channels),
        single_(static_cast<size_t>(subset.size()) * channels_),
        sides_(subset.size()),
        four_(4 * channels_) {}

  Shallow solve(int depth, const std::function<bool()>& stopped) {
    Shallow found;
    const double price = points_.problem().price;
    const auto base = static_cast<double>(subset_.totals.base);
    found.cost[0] = base - reward_(subset_.totals.sums.data()) + price;
    sum_single();
    if (depth > 1 && !scan_pairs(stopped)) {
      found.complete = false;
      return found;
    }
    for (int i = 0; i < subset_.size(); ++i) choose(i, base, price, found);
    return found;
  }

 private:
  const int64_t* single(int i) const { return &single_[static_cast<size_t>(i) * channels_]; }

  void sum_single() {
    const auto& planes = points_.planes();
    for (size_t b = 0; b < planes.size(); ++b)
      add_common(subset_.plane(b), subset_.plane_words[b], subset_.bits.data(), subset_.size(), subset_.words,
                 planes[b].worth, channels_, single_.data() + planes[b].channel);
  }

  bool scan_pairs(const std::function<bool()>& stopped) {
    PairSums pairs(points_, subset_);
    const int64_t each = subset_.words * static_cast<int64_t>(points_.planes().size()) + 8;
    int64_t work = 0;
    for (int i = 0; i < subset_.size(); ++i) {
      work += each * (subset_.size() - i);
      if (work > kWork) {
        if (stopped()) return false;
        work = 0;
      }
      const int64_t* row = pairs.row(i);
      for (int j = i + 1; j < subset_.size(); ++j) scan_pair(i, j, row + static_cast<size_t>(j) * channels_);
    }
    return true;
  }

  void scan_pair(int i, int j, const int64_t* pair) {
    const int64_t *si = single(i), *sj = single(j), *all = subset_.totals.sums.data();
    double both, only_i, only_j, neither;
    if constexpr (Reward::kChannels == 1) {
      const int64_t b = pair[0], x = si[0] - b, y = sj[0] - b, z = all[0] - x - y - b;
      both = reward_(&b), only_i = reward_(&x), only_j = reward_(&y), neither = reward_(&z);
    } else {
      int64_t *x = &four_[0], *y = x + channels_, *z = y + channels_;
      for (int m = 0; m < channels_; ++m) {
        x[m] = si[m] - pair[m];
        y[m] = sj[m] - pair[m];
        z[m] = all[m] - x[m] - sj[m];
      }
      both = reward_(pair), only_i = reward_(x), only_j = reward_(y), neither = reward_(z);
    }
    sides_[i].offer(j, both + only_i, only_j + neither);
    sides_[j].offer(i, both + only_j, only_i + neither);
  }

  void choose(int i, double base, double price, Shallow& found) {
    int64_t* rest = four_.data();
    for (int m = 0; m < channels_; ++m) rest[m] = subset_.totals.sums[m] - single(i)[m];
    const double yes = reward_(single(i)), no = reward_(rest);
    const Sides& side = sides_[i];
    const auto leaf = [&](int at) { return at < 0 ? Tree() : join(subset_.questions[at], {}, {}); };
    const auto offer = [&](int t, double saved, int at_yes, int at_no) {
      const double cost = base - saved + price * (t + 1);
      if (!(cost < found.cost[t])) return;
      found.cost[t] = cost;
      found.tree[t] = join(subset_.questions[i], leaf(at_yes), leaf(at_no));
    };
    offer(1, yes + no, -1, -1);
    if (side.at_yes < 0) return;
    offer(2, side.yes + no, side.at_yes, -1);
    offer(2, yes + side.no, -1, side.at_no);
    offer(3, side.yes + side.no, side.at_yes, side.at_no);
  }

  const Points& points_;
  const Subset& subset_;
  Reward reward_;
  int channels_;
  std::vector<int64_t> single_;
  std::vector<Sides> sides_;
  std::vector<int64_t> four_;
};

}  // namespace

template <class Reward>
Shallow solve_shallow(const Points& points, const Subset& subset, int depth,
                      const std::function<bool()>& stopped) {
  return DepthTwo<Reward>(points, subset).solve(depth, stopped);
}

template Shallow solve_shallow<TwoClasses>(const Points&, const Subset&, int, const std::function<bool()>&);
template Shallow solve_shallow<ManyClasses>(const Points&, const Subset&, int, const std::function<bool()>&);
template Shallow solve_shallow<Numbers>(const Points&, const Subset&, int, const std::function<bool()>&);

}  // namespace hedgerow::optimal

#include "rules/sums.hpp"

#include <algorithm>
#include <bit>

#include "common/simd.hpp"

namespace hedgerow {
namespace {

constexpr int64_t kRules = 16;  // a task

// ones: rows that fail at least one precondition; twos: at least two.
HEDGEROW_CLONES void add_failing(const uint64_t* holds, uint64_t* ones, uint64_t* twos, int64_t n) {
  for (int64_t w = 0; w < n; ++w) {
    const uint64_t fails = ~holds[w];
    twos[w] |= ones[w] & fails;
    ones[w] |= fails;
  }
}

struct Scratch {
  std::vector<uint64_t> ones, twos, near;
  std::vector<int64_t> place;  // of the words in `near`
};

struct Pair {
  double wrong = 0, right = 0;
};

class Counter {
 public:
  explicit Counter(const RuleBits& in) : in_(in) {
    const int64_t over = in.n_words * 64 - in.n_rows;
    last_ = over ? ~uint64_t{0} >> over : ~uint64_t{0};
  }

  // Bits beyond the last row say nothing.
  uint64_t real(int64_t word, uint64_t bits) const { return word + 1 == in_.n_words ? bits & last_ : bits; }

  void add(int64_t word, uint64_t rows, uint64_t right, Pair& to) const {
    if (!in_.weight) {
      const int good = std::popcount(rows & right);
      to.right += good;
      to.wrong += std::popcount(rows) - good;
      return;
    }
    for (; rows; rows &= rows - 1) {
      const int bit = std::countr_zero(rows);
      (right >> bit & 1 ? to.right : to.wrong) += in_.weight[word * 64 + bit];
    }
  }

 private:
  const RuleBits& in_;
  uint64_t last_;
};

void failing(const RuleBits& in, int64_t rule, Scratch& s) {
  s.ones.assign(in.n_words, 0);
  s.twos.assign(in.n_words, 0);
  for (int64_t i = in.begin[rule]; i < in.begin[rule + 1]; ++i)
    if (in.left[i])
      add_failing(in.holds + int64_t{in.part[i]} * in.n_words, s.ones.data(), s.twos.data(), in.n_words);
}

template <class Work>
void by_rules(const RuleBits& in, ThreadTeam& team, Work work) {
  team.run((in.n_rules + kRules - 1) / kRules, [&](int64_t task, int) {
    team.stop().check();
    Scratch s;
    for (int64_t r = task * kRules; r < std::min(in.n_rules, (task + 1) * kRules); ++r) work(r, s);
  });
}

}  // namespace

void rule_sums(const RuleBits& in, const int32_t* decision, double* covered, double* gained,
               ThreadTeam& team) {
  const Counter counter(in);
  by_rules(in, team, [&](int64_t r, Scratch& s) {
    failing(in, r, s);
    const uint64_t* right = in.of_class + int64_t{decision[r]} * in.n_words;
    Pair inside;
    s.near.clear();
    s.place.clear();
    for (int64_t w = 0; w < in.n_words; ++w) {
      if (const uint64_t rows = counter.real(w, ~s.ones[w])) counter.add(w, rows, right[w], inside);
      const uint64_t near = counter.real(w, s.ones[w] & ~s.twos[w]);
      if (!near) continue;
      s.near.push_back(near);
      s.place.push_back(w);
    }
    covered[2 * r] = inside.wrong;
    covered[2 * r + 1] = inside.right;
    for (int64_t i = in.begin[r]; i < in.begin[r + 1]; ++i) {
      Pair coming;
      const uint64_t* holds = in.holds + int64_t{in.part[i]} * in.n_words;
      for (size_t k = 0; in.left[i] && k < s.near.size(); ++k)
        if (const uint64_t rows = s.near[k] & ~holds[s.place[k]])
          counter.add(s.place[k], rows, right[s.place[k]], coming);
      gained[2 * i] = coming.wrong;
      gained[2 * i + 1] = coming.right;
    }
  });
}

void rule_counts(const RuleBits& in, int n_classes, double* counts, int64_t* rows, ThreadTeam& team) {
  const Counter counter(in);
  by_rules(in, team, [&](int64_t r, Scratch& s) {
    failing(in, r, s);
    rows[r] = 0;
    for (int64_t w = 0; w < in.n_words; ++w) {
      s.ones[w] = counter.real(w, ~s.ones[w]);
      rows[r] += std::popcount(s.ones[w]);
    }
    for (int c = 0; c < n_classes; ++c) {
      Pair found;
      const uint64_t* of_class = in.of_class + int64_t{c} * in.n_words;
      for (int64_t w = 0; w < in.n_words; ++w)
        if (const uint64_t here = s.ones[w] & of_class[w]) counter.add(w, here, here, found);
      counts[r * n_classes + c] = found.right;
    }
  });
}

void take_rows(const RuleBits& in, const int32_t* decision, int32_t first, int32_t* taker, Stop& stop) {
  std::vector<uint64_t> free(in.n_words, 0);
  for (int64_t i = 0; i < in.n_rows; ++i)
    if (taker[i] < 0) free[i >> 6] |= uint64_t{1} << (i & 63);
  Scratch s;
  for (int64_t r = 0; r < in.n_rules; ++r) {
    stop.check();
    failing(in, r, s);
    const uint64_t* right = in.of_class + int64_t{decision[r]} * in.n_words;
    bool good = false;
    for (int64_t w = 0; w < in.n_words && !good; ++w) good = (~s.ones[w] & free[w] & right[w]) != 0;
    for (int64_t w = 0; w < in.n_words && good; ++w) {
      uint64_t rows = ~s.ones[w] & free[w];
      free[w] &= ~rows;
      for (; rows; rows &= rows - 1) taker[w * 64 + std::countr_zero(rows)] = first + static_cast<int32_t>(r);
    }
  }
}

}  // namespace hedgerow

// The working set.   In: where all variables stand.   Out: those worth moving, at most `most`, ascending.
//
// Half from the largest slopes that may rise, half from the smallest that may fall; only those that some
// other variable can be paired with. Equal slopes are taken in scattered order: at the start all are equal,
// and the first rows of a table are seldom a fair sample of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "svm/smo.hpp"

namespace hedgerow::svm {

struct Candidate {
  double slope;
  uint32_t scatter;
  int32_t variable;
  bool operator<(const Candidate& other) const {
    return slope != other.slope ? slope < other.slope : scatter < other.scatter;
  }
};

class Chooser {
 public:
  const std::vector<int32_t>& choose(const SolverState& s, int64_t count, int64_t most) {
    rising_ = -kInfinity;
    falling_ = kInfinity;
    for (int64_t k = 0; k < count; ++k) {
      if (s.b[k] < s.high[k]) rising_ = std::max(rising_, s.slope[k]);
      if (s.b[k] > s.low[k]) falling_ = std::min(falling_, s.slope[k]);
    }
    up_.clear();
    down_.clear();
    for (int64_t k = 0; k < count; ++k) {
      const auto scatter = static_cast<uint32_t>(k) * 2654435761u;
      if (s.b[k] < s.high[k] && s.slope[k] > falling_) up_.push_back({-s.slope[k], scatter, int32_t(k)});
      if (s.b[k] > s.low[k] && s.slope[k] < rising_) down_.push_back({s.slope[k], scatter, int32_t(k)});
    }
    taken_.assign(count, 0);
    chosen_.clear();
    // What one side leaves unused, the other may have.
    const auto half = most / 2;
    const auto ups = std::min<int64_t>(up_.size(), std::max<int64_t>(half, most - int64_t(down_.size())));
    take(up_, ups);
    take(down_, most - int64_t(chosen_.size()));
    std::sort(chosen_.begin(), chosen_.end());
    return chosen_;
  }

  // Of staying in the set, since the last choice: the largest difference of slopes that a variable can be
  // paired at. Those between their bounds are worth most.
  double worth(const SolverState& s, int32_t v) const {
    const bool rises = s.b[v]<s.high[v], falls = s.b[v]> s.low[v];
    if (rises && falls) return kInfinity;
    return rises ? s.slope[v] - falling_ : falls ? rising_ - s.slope[v] : -kInfinity;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  void take(std::vector<Candidate>& from, int64_t want) {
    if (want < int64_t(from.size())) {
      std::nth_element(from.begin(), from.begin() + want, from.end());
      from.resize(want);
    }
    for (const Candidate& c : from)
      if (!taken_[c.variable]) {
        taken_[c.variable] = 1;
        chosen_.push_back(c.variable);
      }
  }

  std::vector<Candidate> up_, down_;
  std::vector<uint8_t> taken_;
  std::vector<int32_t> chosen_;
  double rising_ = -kInfinity, falling_ = kInfinity;
};

}  // namespace hedgerow::svm
